import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import { showGuardrails } from '#main/cli/commands/guardrails.ts';

it('shows what the flash model is asked, and switches it for good', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'hyperagent-guardrails-'));
  onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }));
  const printed: string[] = [];
  const write = vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    printed.push(String(text));
    return true;
  });
  onTestFinished(() => write.mockRestore());
  const environment = {
    version: '1.0.0',
    rendererDir: '/nowhere',
    loadCompose: async () => (await import('#main/compose.ts')).compose,
  };
  const show = (flags: Parameters<typeof showGuardrails>[0]) =>
    showGuardrails({ dataDir, ...flags }, environment);
  await show({ secondOpinion: 'off', answerCheck: 'on', json: true });
  const given = { guardrails: true, action: 'block', flash: null };
  expect(JSON.parse(printed.join(''))).toEqual({
    ...{ ...given, secondOpinion: false, answerCheck: true },
  });
  printed.length = 0;
  await show({});
  expect(printed.join('')).toBe(
    [
      'Scanners: block',
      "Second opinion on what leaves a task with other people's words: off",
      'Check of answers for abuse, hatred and threats: on',
      'No flash model is set in the settings: unless the server of the task names one, neither is done.',
      '',
    ].join('\n'),
  );
});
