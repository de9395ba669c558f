import { expect, it } from 'vitest';
import { showInstructions } from '#main/cli/commands/instructions.ts';
import { settingsCommand } from '../../fakes/settings-command.ts';

it('keeps what the user tells the agent to always do, shows what it costs, and clears it', async () => {
  const { dataDir, environment, take } = settingsCommand();
  const show = (flags: Parameters<typeof showInstructions>[0]) =>
    showInstructions({ dataDir, ...flags }, environment);
  await show({ set: 'Answer in French.' });
  await show({ json: true });
  await show({ set: '' });
  expect(take()).toBe(
    [
      'Answer in French.\n\nAbout 6 tokens in each model request.\n',
      '{"text":"Answer in French.","tokens":6}\n',
      'No instructions. Write some with: hyperagent instructions --set TEXT\n',
    ].join(''),
  );
});
