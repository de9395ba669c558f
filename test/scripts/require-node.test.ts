import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { ROOT } from '../../scripts/build-state.ts';

const CHECK = './scripts/require-node.cjs';
const OLD_NODE = join(ROOT, 'test/fakes/launch/old-node.cjs');

function run(preloads: readonly string[]): { status: number | null; out: string; err: string } {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [...preloads.flatMap((file) => ['-r', file]), '-e', 'console.log("ran")'],
    { cwd: ROOT, encoding: 'utf8', env: { PATH: process.env.PATH } },
  );
  return { status, out: stdout, err: stderr };
}

it('ends with one line that says what to install before anything is loaded on an old Node', () => {
  expect(run([OLD_NODE, CHECK])).toEqual({
    status: 1,
    out: '',
    err: 'HyperAgent needs Node 22.12 or later, but this is 20.1.0. Install Node 24 from https://nodejs.org, or run "npm ci" in the app folder, which brings one.\n',
  });
});

it('says nothing on a supported Node', () => {
  expect(run([CHECK])).toEqual({ status: 0, out: 'ran\n', err: '' });
});

it.each(['start', 'build', 'check', 'test', 'cli'])('precedes npm run %s', (name) => {
  const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
    scripts: Readonly<Record<string, string>>;
  };
  expect(scripts[name]).toBe(`node -r ${CHECK} scripts/${name}.ts`);
});
