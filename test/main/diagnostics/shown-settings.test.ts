import { expect, it } from 'vitest';
import { Settings } from '#contract/settings.ts';
import { SHOWN_SETTINGS, settingsSection } from '#main/diagnostics/shown-settings.ts';
import { janesCleaner } from './support.ts';

const cleaner = janesCleaner();

it('every setting has a decision: add yours to SHOWN_SETTINGS, what the user writes as a count', () => {
  expect(Object.keys(SHOWN_SETTINGS).sort()).toEqual(Object.keys(Settings.shape).sort());
});

it('shows no setting without a decision, and no object as a value', () => {
  const settings = Object.assign(Settings.parse({}), {
    newOne: 'my text',
    maxRounds: { my: 'text' },
  });
  const shown = settingsSection(settings, { cleaner, locked: [] }).join('\n');
  expect(shown).not.toMatch(/newOne|my/);
});

it('shows choices, numbers and addresses, and nothing that the user wrote', () => {
  const words = 'Jane Doe of Example Corp';
  const settings = Settings.parse({
    ...{ customInstructions: words, prompts: [{ name: words, text: words }], maxRounds: 7 },
    ...{
      libraryFolders: [`/${words}`],
      skillFolders: [`/${words}`],
      egressHosts: ['corp.example'],
    },
    ...{ embeddedModels: [`/${words}`], embeddedNames: { [words]: words }, comfyuiWorkflow: words },
    ...{
      cloudConsents: [words],
      modelThinking: { [words]: true },
      egressPrivateHosts: ['nas.corp'],
    },
    servers: [{ name: 'gpu', baseUrl: 'http://10.0.0.5:8080/v1' }],
    model: { provider: 'gpu', name: 'qwen3' },
  });
  const stored = { ...settings, ollamaUrl: 'http://u:hunter2@127.0.0.1:11434/?key=abc' };
  const shown = settingsSection(stored, { cleaner, locked: ['maxRounds', 'approve'] });
  expect(shown.join('\n')).not.toMatch(/Example|corp|hunter2|abc/);
  for (const line of [
    'approve: ask (default, set by the policy)',
    'maxRounds: 7 (set by the policy)',
    'customInstructions: set',
    'prompts: 1',
    'servers: gpu at http://10.0.0.5:8080/v1',
    'model: gpu:qwen3',
    'ollamaUrl: http://[redacted]@127.0.0.1:11434/',
  ]) {
    expect(shown).toContain(line);
  }
});
