import { expect, it } from 'vitest';
import { showGuardrails } from '#main/cli/commands/guardrails.ts';
import { settingsCommand } from '../../fakes/settings-command.ts';

it('shows the checks by the flash model, and turns them on and off permanently', async () => {
  const { dataDir, environment, take } = settingsCommand();
  const show = (flags: Parameters<typeof showGuardrails>[0]) =>
    showGuardrails({ dataDir, ...flags }, environment);
  await show({ secondOpinion: 'off', answerCheck: 'on', json: true });
  const given = { guardrails: true, action: 'block', flash: null };
  expect(JSON.parse(take())).toEqual({
    ...{ ...given, secondOpinion: false, answerCheck: true },
  });
  await show({});
  expect(take()).toBe(
    [
      'Scanners: block',
      'Second opinion on outgoing calls of tasks with untrusted text: off',
      'Check of answers for abuse, hate and threats: on',
      'No flash model is set, so both checks run only if the model server of the task provides one.',
      '',
    ].join('\n'),
  );
});
