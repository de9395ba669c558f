import { expect, it } from 'vitest';
import { showApprovals } from '#main/cli/commands/approvals.ts';
import { settingsCommand } from '../../fakes/settings-command.ts';

it('shows when the user is asked, and keeps the level that is chosen', async () => {
  const { dataDir, environment, take } = settingsCommand();
  const show = (flags: Parameters<typeof showApprovals>[0]) =>
    showApprovals({ dataDir, ...flags }, environment);
  await show({ json: true, level: 'ask_every_time' });
  expect(JSON.parse(take())).toEqual({ level: 'ask_every_time', approve: 'ask' });
  await show({ level: 'unattended' });
  await show({});
  const said =
    'Level: unattended. Asks about the same as ask_on_exit, but runs park instead of waiting for an answer.\nApprovals: ask\n';
  expect(take()).toBe(said.repeat(2));
});

it('says that nobody has chosen yet, and how to choose', async () => {
  const { dataDir, environment, take } = settingsCommand();
  const { openApp } = await import('#main/cli/open-app.ts');
  // A data folder is made by the first command that writes.
  await (await openApp(environment, { dataDir, attended: false, readOnly: false }))[
    Symbol.asyncDispose
  ]();
  await showApprovals({ dataDir }, environment);
  expect(take()).toBe(
    'Level: not chosen. Calls of high risk ask. Choose with: hyperagent approvals --level LEVEL (ask_every_time, ask_on_exit, unattended)\nApprovals: ask\n',
  );
});
