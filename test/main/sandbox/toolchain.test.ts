import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
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

const NO_NODE = { systemFolders: ['/usr'], shippedNode: null };

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
  const found = await findToolchain({ ...NO_NODE, environment: { PATH }, home });
  expect(found).toMatchObject({ path: ['/opt/python/bin'], folders: ['/opt/python'] });
  expect(found.missing).toEqual(['node', 'git']);
});

it('a Python whose startup files print something still works', async () => {
  const { home, PATH } = pythons(`Loading…\n${ANSWER}`);
  const found = await findToolchain({ ...NO_NODE, environment: { PATH }, home });
  expect(found.path).toEqual(['/opt/python/bin']);
});

it('without any Python that answers, says that there is none', async () => {
  const { home, PATH } = pythons('Welcome to Python!');
  const found = await findToolchain({ ...NO_NODE, environment: { PATH }, home });
  expect(found.missing).toContain('python3');
});

/** A `node` that answers as one of that version would; null: there is none. */
function nodeOf(version: string | null): { home: string; PATH: string; bin: string } {
  const home = realpathSync(mkdtempSync(path.join(tmpdir(), 'hyperagent-toolchain-')));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  const bin = path.join(home, 'versions', 'node', 'bin');
  mkdirSync(bin, { recursive: true });
  if (version === null) return { home, PATH: bin, bin };
  const program = path.join(bin, 'node');
  const script = `case "$2" in *execPath*) echo "$0" ;; *) echo ${version} ;; esac`;
  writeFileSync(program, `#!/bin/sh\n${script}\n`);
  chmodSync(program, 0o755);
  return { home, PATH: bin, bin };
}

it.each([
  ['is missing', null, true],
  ['is too old for the app templates', '18.20.4', true],
  ['is the first that is too old', '22.11.0', true],
  ['says nothing that can be read', 'old', true],
  ['is recent enough', '22.12.0', false],
  ['is newer', '26.1.0', false],
])("where the user's Node %s, the right one is mounted", async (_what, version, isShipped) => {
  const { home, PATH, bin } = nodeOf(version);
  const shippedNode = '/opt/HyperAgent/resources/node/bin/node';
  const found = await findToolchain({ ...NO_NODE, environment: { PATH }, home, shippedNode });
  expect(found).toMatchObject(
    isShipped
      ? {
          path: ['/opt/HyperAgent/resources/node/bin'],
          folders: ['/opt/HyperAgent/resources/node'],
        }
      : { path: [bin], folders: [path.dirname(bin)] },
  );
  expect(found.missing).not.toContain('node');
});

it("without a Node of the app, takes the user's as it is", async () => {
  const { home, PATH, bin } = nodeOf('18.20.4');
  const found = await findToolchain({ ...NO_NODE, environment: { PATH }, home });
  expect(found.path).toEqual([bin]);
});
