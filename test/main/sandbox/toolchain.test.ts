import { chmodSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { findToolchain } from '#main/sandbox/os-provider/toolchain.ts';

/** Folders of a PATH, each with a `python3` that prints what is given. */
function pythons(...printed: readonly string[]): { home: string; PATH: string } {
  const home = realpathSync(mkdtempSync(path.join(tmpdir(), 'hyperagent-toolchain-')));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  const folders = printed.map((text) => {
    const folder = mkdtempSync(path.join(home, 'bin-'));
    const program = path.join(folder, 'python3');
    writeFileSync(program, `#!/bin/sh\nprintf '%s\\n' '${text}'\n`);
    chmodSync(program, 0o755);
    return folder;
  });
  return { home, PATH: folders.join(path.delimiter) };
}

const ANSWER = JSON.stringify({
  ...{ executable: '/opt/python/bin/python3', prefixes: ['/opt/python'] },
  ...{ userBase: '/opt/user', userSite: null, canDraw: false },
});

it.each([
  ['prints words of its own', 'Welcome to Python!'],
  ['answers with something else', '{"executable": 7}'],
  ['answers with what is nested deeply', '['.repeat(20_000)],
])('a Python that %s is skipped for the next one', async (_what, text) => {
  const { home, PATH } = pythons(text, ANSWER);
  const found = await findToolchain({ environment: { PATH }, home, systemFolders: ['/usr'] });
  expect(found).toMatchObject({ path: ['/opt/python/bin'], folders: ['/opt/python'] });
  expect(found.missing).toEqual(['node', 'git']);
});

it('a Python whose startup files print something still works', async () => {
  const { home, PATH } = pythons(`Loading…\n${ANSWER}`);
  const found = await findToolchain({ environment: { PATH }, home, systemFolders: ['/usr'] });
  expect(found.path).toEqual(['/opt/python/bin']);
});

it('without any Python that answers, says that there is none', async () => {
  const { home, PATH } = pythons('Welcome to Python!');
  const found = await findToolchain({ environment: { PATH }, home, systemFolders: ['/usr'] });
  expect(found.missing).toContain('python3');
});
