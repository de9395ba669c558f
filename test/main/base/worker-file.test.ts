import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { workerFile } from '#main/base/worker-file.ts';

const root = path.join(import.meta.dirname, '..', '..', '..');

it('is beside its caller in the sources, and an entry of the build otherwise', () => {
  const sourceDir = mkdtempSync(path.join(tmpdir(), 'hyperagent-worker-'));
  onTestFinished(() => rmSync(sourceDir, { recursive: true }));
  const built = path.join('/app', 'out', 'main', 'some-worker.js');
  expect(workerFile('some-worker', { sourceDir, root: '/app' })).toBe(built);
  const source = path.join(sourceDir, 'some-worker.ts');
  writeFileSync(source, '');
  expect(workerFile('some-worker', { sourceDir, root: '/app' })).toBe(source);
});

/** A worker that the build leaves out is missed by the packaged app only. */
it('is built for every caller, from the folder of that caller', () => {
  const entries = readFileSync(path.join(root, 'electron.vite.config.ts'), 'utf8');
  const calls = readdirSync(path.join(root, 'src-main'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .flatMap((file) => {
      const text = readFileSync(path.join(root, 'src-main', file), 'utf8');
      const folder = path.posix.join('src-main', ...path.dirname(file).split(path.sep));
      return [...text.matchAll(/workerFile\('([\w-]+)'/g)].map(
        ([, name]) => `'${name}': path('${folder}/${name}.ts')`,
      );
    });
  expect(calls.length).toBeGreaterThan(3);
  expect(calls.filter((entry) => !entries.includes(entry))).toEqual([]);
});
