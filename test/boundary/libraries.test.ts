import { existsSync, globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { readModule } from './module-facts.ts';

const root = path.resolve(import.meta.dirname, '../..');
const readText = (file: string): string => readFileSync(path.join(root, file), 'utf8');

/** The cells of one column in all tables of a section, by the words in backticks. */
function named(section: string, column: number): string[] {
  const [, text = ''] = readText('docs/libraries.md').split(`## ${section}\n`);
  const rows = (text.split('\n## ')[0] ?? '').split('\n').filter((line) => /^\| (?!-)/.test(line));
  return rows.flatMap((row) => {
    const cell = row.split(' | ')[column] ?? '';
    return [...cell.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name);
  });
}

function packageOf(specifier: string): string {
  return specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');
}

test('every library of main has a row', () => {
  const { dependencies } = JSON.parse(readText('package.json'));
  expect(named('Libraries of main', 0).sort()).toEqual(Object.keys(dependencies).sort());
});

test('every library of the window has a row', () => {
  const files = globSync('src-renderer/**/*.{ts,tsx}', { cwd: root });
  const imported = files
    .flatMap((file) => readModule(file, readText(file)).imports)
    .filter(({ isType, specifier }) => !isType && /^(?:@?[a-z])/.test(specifier ?? ''))
    .map(({ specifier }) => packageOf(specifier ?? ''));
  expect(named('Libraries of the window', 0).sort()).toEqual([...new Set(imported)].sort());
});

test.each([
  ['Ours, in main', 'src-main', 50],
  ['Ours, in the window', 'src-renderer', 10],
  ['Ours, for models', 'src-main', 5],
])('every place in the table %j exists', (section, base, atLeast) => {
  const places = named(section, 1);
  expect(places.length).toBeGreaterThan(atLeast);
  const lost = places.filter(
    (place) => ![base, ''].some((up) => existsSync(path.join(root, up, place))),
  );
  expect(lost).toEqual([]);
});
