import { expect, it } from 'vitest';
import { type RunOptions, Settings } from '#contract/entities.ts';
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
