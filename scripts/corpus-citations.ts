import { existsSync } from 'node:fs';
import { readCitationCases } from '../test/fakes/citation-cases.ts';
import { countFiles, percent } from './corpus/count-files.ts';
import {
  type CitationCount,
  caught,
  countCitations,
  marked,
  total,
  type Verdicts,
} from './corpus-citations/count.ts';

/**
 * Counts what the rules say of statements beside their sources, without a model:
 *
 *   npm run corpus:citations [-- FILE.jsonl...] [--caught 0.95] [--marked 0.05]
 *
 * Each line of a file is an object with `source`, `statement`, `supported`, `kind` and, for pairs in two
 * languages, `cross`. Default files: the set that the rules were written with, and the held-out one.
 * Exits with 1 if a file has fewer altered statements caught than `--caught`, or more true ones marked as not
 * supported than `--marked`; with 2 if a file cannot be read.
 */
const OWN = ['development', 'held-out']
  .map((name) => `test/fixtures/citations/${name}.jsonl`)
  .filter((file) => existsSync(file));

await countFiles(OWN, { caught: 0, marked: 1 }, (file, { caught: least, marked: most }) => {
  const count = countCitations(readCitationCases(file));
  process.stdout.write(`${report(file, count)}\n`);
  const isMet = caught(count) >= least && marked(count) <= most;
  return isMet
    ? null
    : `${percent(caught(count))} caught, ${percent(marked(count))} of the true ones marked`;
});

function report(file: string, count: CitationCount): string {
  return [
    file,
    `altered, caught          ${percent(caught(count))}   (not shown as supported)`,
    `true, marked             ${percent(marked(count))}   (shown as not supported)`,
    '',
    '                           supported  not decided  not supported',
    row('altered', count.altered),
    row('true', count.true),
    row('two languages: altered', count.cross.altered),
    row('two languages: true', count.cross.true),
    ...[...count.kinds].map(([kind, verdicts]) => row(`  ${kind}`, verdicts)),
    '',
    ...count.misses.map(
      ({ case: { statement, source, supported }, reason }) =>
        `${supported ? 'MARKED' : 'MISSED'}  ${clip(statement)}${reason === '' ? '' : ` (${reason})`}\n        ${clip(source)}`,
    ),
  ].join('\n');
}

function row(name: string, verdicts: Verdicts): string {
  const { supported, open, unsupported } = verdicts;
  const cells = [supported, open, unsupported].map((one) => String(one).padStart(12)).join('');
  return `${name.padEnd(24)}${cells}   of ${total(verdicts)}`;
}

function clip(text: string): string {
  return JSON.stringify(text.length > 160 ? `${text.slice(0, 159)}…` : text);
}
