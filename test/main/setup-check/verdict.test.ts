import { describe, expect, it } from 'vitest';
import type { ModelServer, SandboxReport } from '#contract/entities.ts';
import { Settings } from '#contract/settings.ts';
import { type Found, verdictOn } from '#main/setup-check/verdict.ts';

const server = (changes: Partial<ModelServer> = {}): ModelServer => ({
  ...{ provider: 'ollama', label: 'Ollama', kind: 'ollama', baseUrl: 'http://127.0.0.1:11434' },
  ...{ reachable: true, problem: null },
  models: ['qwen3:8b', 'tiny:latest'].map((name) => ({
    ...{ provider: 'ollama', name, contextWindow: null, tools: null, vision: null },
    ...{ thinking: null, cloud: false, size: null },
  })),
  ...changes,
});
const sandbox = (changes: Partial<SandboxReport> = {}): SandboxReport => ({
  ...{ kind: 'os', available: true, detail: 'bubblewrap', remedy: null },
  probes: [{ name: 'write outside', held: true, detail: '' }],
  ...changes,
});
const folder = (status: 'ok' | 'failed'): Found['items'][number] => ({
  ...{ id: 'data-folder', label: 'Data folder', status },
  ...{ detail: 'the folder cannot be written', remedy: 'Make it\nwritable.' },
});
const verdict = (found: Partial<Found>, settings: Partial<Settings> = {}) =>
  verdictOn(
    { servers: [server()], sandboxes: [sandbox()], items: [folder('ok')], ...found },
    Settings.parse({ model: { provider: 'ollama', name: 'qwen3:8b' }, ...settings }),
  );

describe('verdictOn', () => {
  it('is ready with a model that answers and a checked sandbox', () => {
    expect(verdict({})).toEqual({
      ready: true,
      text: 'Ready: ollama:qwen3:8b answers, and code runs in a checked sandbox (os).',
    });
    const short = { model: { provider: 'ollama', name: 'tiny' } };
    expect(verdict({}, short).ready).toBe(true);
  });

  it.each([
    ['no model at all', { servers: [] }, { model: null }, 'no model was found'],
    ['no choice', {}, { model: null }, 'no model is chosen'],
    [
      'only the demonstration',
      { servers: [server({ provider: 'demo', kind: 'demo' })] },
      { model: { provider: 'demo', name: 'scripted' } },
      'only the scripted demonstration is chosen',
    ],
    [
      'a server that does not answer',
      { servers: [server({ reachable: false, problem: 'Start Ollama.' })] },
      {},
      'the chosen model ollama:qwen3:8b cannot be reached, do: Start Ollama.',
    ],
    [
      'a model that is not there',
      {},
      { model: { provider: 'ollama', name: 'gone' } },
      'does not have the chosen model ollama:gone, do: run hyperagent models pull ollama:gone',
    ],
    [
      'no sandbox',
      {
        sandboxes: [
          sandbox({ kind: 'docker', available: false, remedy: 'Start Docker.' }),
          sandbox({ available: false, remedy: 'Install bubblewrap.' }),
        ],
      },
      {},
      'no sandbox works, do: Install bubblewrap.',
    ],
    [
      'a sandbox that lets something through',
      { sandboxes: [sandbox({ probes: [{ name: 'read a secret', held: false, detail: '' }] })] },
      {},
      'no sandbox works',
    ],
    [
      'another sandbox than the chosen one',
      {},
      { sandbox: 'docker' as const },
      'the sandbox docker does not work',
    ],
    [
      'a data folder that cannot be written',
      { items: [folder('failed')] },
      {},
      'the folder cannot be written, do: Make it writable.',
    ],
  ])('is not ready with %s', (_case, found, settings, expected) => {
    const { ready, text } = verdict(found, settings as Partial<Settings>);
    expect(ready).toBe(false);
    expect(text).toMatch(/^Not ready: [^\n]+, do: [^\n]+$/);
    expect(text).toContain(expected);
  });

  it('names the first step in full and the rest in short', () => {
    const both = verdict({ servers: [], sandboxes: [] }, { model: null });
    expect(both.text).toBe(
      'Not ready: no model was found, do: run hyperagent setup (then: no sandbox works)',
    );
  });
});
