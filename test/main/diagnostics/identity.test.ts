import { expect, it } from 'vitest';
import { Settings } from '#contract/settings.ts';
import { computerSection } from '#main/diagnostics/computer-section.ts';
import { fullNameIn, identityOf } from '#main/diagnostics/identity.ts';
import { settingsSection } from '#main/diagnostics/shown-settings.ts';
import { janesCleaner } from './support.ts';

it("finds the full name of the account, and no one else's", () => {
  const accounts =
    'root:x:0:0:root:/root:/bin/sh\njd:x:1000:1000:Jane van Doerr,Room 1,,:/home/jd:/bin/sh\n';
  expect(fullNameIn(accounts, 1000)).toBe('Jane van Doerr');
  expect(fullNameIn(accounts, 1)).toBe('');
  expect(fullNameIn('', 0)).toBe('');
});

it('keeps names that are words of the document apart', () => {
  const { users, words } = identityOf({ USER: 'max', LOGNAME: 'zoe.k', USERNAME: 'Docker' });
  expect(users).toContain('zoe.k');
  expect(users).not.toContain('max');
  expect(words).toEqual(expect.arrayContaining(['max', 'Docker']));
});

it('replaces such a name only where the text says that it is one', () => {
  const identity = { homes: ['/home/model'], users: [], hosts: [], words: ['model', 'max'] };
  const cleaner = janesCleaner({ identity });
  expect(cleaner.logLine('The model qwen-max failed')).toBe('The model qwen-max failed');
  expect(cleaner.line('permission denied for user "model"')).toBe(
    'permission denied for user "[user]"',
  );
  expect(cleaner.line('login=max, max@max')).not.toContain('max');
  expect(cleaner.line('/home/model/x')).toBe('~/x');
});

it('puts no gap into texts of the app, whatever the user is called', async () => {
  const identity = {
    homes: [],
    users: ['docker', 'ask', 'Linux', '24', 'desktop'],
    hosts: [],
    words: [],
  };
  const cleaner = janesCleaner({ identity });
  const settings = { ...Settings.parse({}), sandbox: 'docker' as const };
  expect(settingsSection(settings, { cleaner, locked: [] })).toEqual(
    expect.arrayContaining(['approve: ask (default)', 'sandbox: docker']),
  );
  const computer = await computerSection({ version: '1.24.0', entryPoint: 'desktop' }, cleaner);
  expect(computer[0]).toBe('HyperAgent: 1.24.0, desktop app');
});
