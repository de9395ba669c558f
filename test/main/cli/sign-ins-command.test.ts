import { expect, it } from 'vitest';
import { systemClock } from '#main/base/clock.ts';
import { deleteSignIn, listSignIns } from '#main/cli/commands/sign-ins.ts';
import { openSignIns } from '#main/storage/sign-in-store.ts';
import { settingsCommand } from '../../fakes/settings-command.ts';
import { testKeychain } from '../../setup/secret-hunt.ts';
import { open } from '../storage/support.ts';

it('lists saved sign-ins without a keychain, and deletes one by its name', async () => {
  const { dataDir, environment, take } = settingsCommand();
  const database = open(dataDir);
  const store = openSignIns(database.connection, { seal: testKeychain(), clock: systemClock });
  const site = 'https://shop.example';
  const shop = store.put({ name: 'Shop\u0301', site, contents: 'zqsecret', replace: false });
  const mail = store.put({ name: 'Mail', site, contents: 'zqsecret', replace: false });
  store.used(mail.id);
  database.close();

  await listSignIns({ dataDir }, environment);
  const listed = take();
  expect(listed).toContain(`Mail  ${site}  ${mail.id}\n`);
  expect(listed).toContain(`  saved ${new Date(shop.savedAt).toISOString()}, not used yet\n`);
  expect(listed).not.toContain('zqsecret');
  await expect(deleteSignIn('Post', { dataDir }, environment)).rejects.toMatchObject({
    code: 'NOT_FOUND',
  });
  // Without a terminal there is nobody to confirm it.
  await expect(deleteSignIn('mail', { dataDir }, environment)).rejects.toThrow('--yes');
  await deleteSignIn('mail', { dataDir, yes: true }, environment);
  expect(take()).toBe('Deleted the sign-in "Mail".\n');
  await listSignIns({ dataDir, json: true }, environment);
  expect(JSON.parse(take())).toEqual([shop]);
});
