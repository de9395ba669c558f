import { existsSync } from 'node:fs';
import { readRoutingCases } from '../test/fakes/routing-cases.ts';
import { countFiles, percent } from './corpus/count-files.ts';
import {
  accuracy,
  countRoutes,
  EXPECTED,
  ROUTES,
  type RoutingCount,
} from './corpus-routing/count.ts';

/**
 * Counts how many queries the rules are certain about, and how many of those they route correctly. What is not
 * certain is left to a model: `npm run eval -- --set routing` counts that.
 *
 *   npm run corpus:routing [-- FILE.jsonl...] [--at-least 0.95]
 *
 * Each line of a file is an object with `query`, `expect` (simple, complex, research) and, unless it is a
 * plain task, `mode`. Default files: the set that the rules were written with, and the held-out sets.
 * Exits with 1 if a file has a lower share than `--at-least`, with 2 if a file cannot be read.
 */
const OWN = ['labelled', 'held-out-a', 'held-out-b', 'held-out-c', 'held-out-d', 'held-out-e']
  .map((name) => `test/fixtures/routing/${name}.jsonl`)
  .filter((file) => existsSync(file));

await countFiles(OWN, { 'at-least': 0 }, (file, { 'at-least': least }) => {
  const count = countRoutes(readRoutingCases(file));
  process.stdout.write(`${report(file, count)}\n`);
  const share = accuracy(count);
  return share < least ? `${percent(share)} is less than ${percent(least)}` : null;
});

function report(file: string, count: RoutingCount): string {
  const { matrix } = count;
  return [
    file,
    `certain      ${count.certain} / ${count.cases}   ${percent(count.cases === 0 ? 1 : count.certain / count.cases)}`,
    `right        ${count.right} / ${count.certain} of the certain ones   ${percent(accuracy(count))}`,
    '',
    `expected     ${ROUTES.map((got) => `→ ${got}`.padStart(11)).join('')}     found  of those sent there, right`,
    ...EXPECTED.map((expected) => {
      const row = matrix[expected];
      const all = ROUTES.reduce((total, got) => total + row[got], 0);
      const sent = EXPECTED.reduce((total, from) => total + matrix[from][expected], 0);
      const cells = ROUTES.map((got) => String(row[got]).padStart(11)).join('');
      return `${expected.padEnd(13)}${cells}   ${share(row[expected], all)}  ${share(row[expected], sent)}`;
    }),
    '',
    ...count.misses.map(
      ({ case: { query, expect, mode }, got, reason }) =>
        `MISS  ${expect} → ${got}${mode === undefined ? '' : ` (${mode})`}: ${clip(query)}\n      ${reason}`,
    ),
  ].join('\n');
}

function share(part: number, of: number): string {
  return of === 0 ? '      –' : percent(part / of).padStart(7);
}

function clip(text: string): string {
  return JSON.stringify(text.length > 160 ? `${text.slice(0, 159)}…` : text);
}
