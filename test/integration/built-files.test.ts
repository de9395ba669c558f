import { readdirSync, readFileSync } from 'node:fs';
import { createRequire, isBuiltin } from 'node:module';
import path from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import { folderWithReport } from '../fakes/report-folder.ts';
import { CLI, ensureBuilt, runTerminal } from '../setup/built-app.ts';

/** What the built app loads only when it is used: bundling must not lose it. */

beforeAll(ensureBuilt);

it.each([
  ['pdf', '%PDF-'],
  ['html', '<!doctype html>'],
  ['md', '# Norvik'],
])('exports a report as %s', async (format, start) => {
  const dataDir = folderWithReport();
  const file = path.join(dataDir, `out.${format}`);
  const args = ['reports', 'export', 'run_1', '--format', format, '-o', file];
  const { code, stderr } = await runTerminal([...args, '--data-dir', dataDir]);
  expect([code, stderr]).toEqual([0, '']);
  expect(readFileSync(file, 'latin1').slice(0, start.length).toLowerCase()).toBe(
    start.toLowerCase(),
  );
});

it('finds every module that a built file requires by name', () => {
  const dir = path.dirname(CLI);
  const files = readdirSync(dir, { recursive: true, encoding: 'utf8' });
  let seen = 0;
  const missing = files.flatMap((name) => {
    if (!name.endsWith('.js')) return [];
    const file = path.join(dir, name);
    const own = createRequire(file);
    const calls = readFileSync(file, 'utf8').matchAll(
      /(?<!create)\b(?!createRequire)[\w$]*require[\w$]*\(\s*["'`]([^"'`$]+)["'`]\s*\)/gi,
    );
    return [...calls].flatMap(([, id = '']) => {
      seen += 1;
      if (isBuiltin(id)) return [];
      try {
        own.resolve(id);
        return [];
      } catch {
        return [`${name}: ${id}`];
      }
    });
  });
  expect(missing).toEqual([]);
  expect(seen).toBeGreaterThan(20);
});
