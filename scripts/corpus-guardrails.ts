import { parseArgs } from 'node:util';
import { readGuardCases } from '../test/fakes/guard-cases.ts';
import { countPatterns } from './corpus-guardrails/patterns.ts';
import { countPlaces, type PlaceCount } from './corpus-guardrails/count.ts';

/**
 * Counts what the guardrails find in sets of attacks, and what in their harmless twins:
 *
 *   npm run corpus:guardrails [-- FILE.jsonl...] [--misses] [--patterns]
 *
 * Each line of a file is an object with `place` (input, output, arguments, results), `attack` and
 * `twin`. Without a file: the set that the patterns were tuned on, the one that was held out, and the two
 * that were written afterwards in words that go around them, the last of them for results of tools alone.
 */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    misses: { type: 'boolean', default: false },
    patterns: { type: 'boolean', default: false },
  },
});
const OWN = ['tuned', 'held-out', 'afterwards', 'results-paraphrased'].map(
  (name) => `test/fixtures/guardrails/${name}.jsonl`,
);

const files = positionals.length > 0 ? positionals : OWN;
for (const file of files) {
  process.stdout.write(`${report(file, countPlaces(readGuardCases(file)))}\n`);
}
if (values.patterns) process.stdout.write(`${patternReport()}\n`);

/** For each pattern: attacks that it finds by itself and twins that it takes for one, set by set. */
function patternReport(): string {
  const counts = countPatterns(files.map(readGuardCases));
  return [
    `Attacks found and twins taken for one by each pattern alone: ${files.join(', ')}`,
    ...counts.map(({ rule, pattern, hits }) => {
      const cells = hits.map(({ attacks, twins }) => `${attacks}/${twins}`.padStart(6));
      return `${cells.join('')}  ${rule.padEnd(16)} ${pattern.slice(0, 110)}`;
    }),
  ].join('\n');
}

function report(file: string, counts: readonly PlaceCount[]): string {
  const all = {
    place: 'all',
    cases: sum(counts, ({ cases }) => cases),
    detected: sum(counts, ({ detected }) => detected),
    alarms: sum(counts, ({ alarms }) => alarms),
    stopped: sum(counts, ({ stopped }) => stopped),
  };
  return [
    file,
    'place        detected              false alarms          stopped by default',
    ...[...counts, all].map(
      ({ place, cases, detected, alarms, stopped }) =>
        `${place.padEnd(12)} ${share(detected, cases)} ${share(alarms, cases)} ${share(stopped, cases)}`,
    ),
    ...(values.misses ? counts.flatMap(misses) : []),
    '',
  ].join('\n');
}

function share(part: number, of: number): string {
  const percent = of === 0 ? 0 : (100 * part) / of;
  return `${String(part).padStart(4)} / ${String(of).padEnd(4)} ${percent.toFixed(1).padStart(5)} % `;
}

function sum(counts: readonly PlaceCount[], of: (count: PlaceCount) => number): number {
  return counts.reduce((total, count) => total + of(count), 0);
}

function misses({ missed, falseAlarms }: PlaceCount): string[] {
  return [
    ...missed.map(({ place, kind, attack }) => `MISS  ${place} ${kind}: ${clip(attack)}`),
    ...falseAlarms.map(
      ({ place, kind, twin, rules }) =>
        `ALARM ${place} ${kind}: ${clip(twin)} → ${rules.join(', ')}`,
    ),
  ];
}

function clip(text: string): string {
  return JSON.stringify(text.slice(0, 160));
}
