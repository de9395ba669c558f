import { expect, it } from 'vitest';
import type { RunOptions } from '#contract/entities.ts';
import { Settings } from '#contract/settings.ts';
import { completeRunOptions } from '#main/run/run-options.ts';

const settings = Settings.parse({ model: { provider: 'ollama', name: 'small' } });

it('keeps every option of the user, and takes the rest from the settings', () => {
  const asked: Partial<RunOptions> = {
    ...{ mode: 'research', model: { provider: 'ollama', name: 'big' }, sandbox: 'os' },
    ...{ network: 'offline', allowHosts: ['example.org'], approve: 'never' },
    ...{ executionMode: 'codeact', researchDepth: 'deep', scenario: 'news', timeoutSeconds: 9 },
    skill: { id: 'code_review', params: { code: 'x' } },
  };
  const given = completeRunOptions(asked, {
    settings,
    checkSkill: ({ id, params }) => ({ id, params: { ...params, checked: true } }),
  });
  expect(given).toEqual({
    ...asked,
    skill: { id: 'code_review', params: { code: 'x', checked: true } },
  });
  expect(completeRunOptions({}, { settings, checkSkill: (skill) => skill })).toEqual({
    ...{ mode: 'task', model: settings.model, sandbox: 'auto', network: 'allowlist' },
    ...{ allowHosts: [], approve: 'ask', executionMode: 'standard', timeoutSeconds: null },
  });
});

it.each<[string, Partial<Settings>, string, string | null]>([
  [
    'the model set for the tier',
    { tiers: { max: ref('ollama', 'giant'), pro: null, flash: null } },
    'max',
    'ollama:giant',
  ],
  [
    'that of the server of the default model',
    { model: ref('office', 'usual') },
    'max',
    'office:big',
  ],
  ['that of the server that names one, without a default model', {}, 'max', 'office:big'],
  [
    'that of the server that names one, beside a default model elsewhere',
    { model: ref('ollama', 'usual') },
    'flash',
    'office:small',
  ],
  [
    'the default model, where no server names one',
    { model: ref('ollama', 'usual') },
    'pro',
    'ollama:usual',
  ],
  [
    'that of the cloud of the default model',
    { model: ref('openai', 'usual') },
    'max',
    'openai:gpt-6-astra',
  ],
  ['an error, where nothing is known', {}, 'pro', null],
])('--model with a tier takes %s', (_name, given, tier, expected) => {
  const servers = [
    { name: 'first', baseUrl: 'http://127.0.0.1:1/v1' },
    { name: 'office', baseUrl: 'http://127.0.0.1:2/v1', models: { max: 'big', flash: 'small' } },
  ];
  const settings = Settings.parse({ servers, ...given });
  const take = (): string => {
    const { model } = completeRunOptions(
      { model: { provider: 'tier', name: tier } },
      { settings, checkSkill: (skill) => skill },
    );
    return `${model.provider}:${model.name}`;
  };
  if (expected === null) expect(take).toThrow('No model is set for the tier pro');
  else expect(take()).toBe(expected);
});

function ref(provider: string, name: string) {
  return { provider, name };
}
