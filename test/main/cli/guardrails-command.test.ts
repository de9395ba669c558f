import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import { showGuardrails } from '#main/cli/commands/guardrails.ts';

it('shows the checks by the flash model, and turns them on and off permanently', async () => {
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
      'Second opinion on outgoing calls of tasks with untrusted text: off',
      'Check of answers for abuse, hate and threats: on',
      'No flash model is set, so both checks run only if the model server of the task provides one.',
      '',
    ].join('\n'),
  );
});
