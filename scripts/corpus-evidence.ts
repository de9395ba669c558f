import {
  type EvidenceCase,
  EvidenceVerdict,
  readEvidenceCases,
} from '../test/fakes/evidence-cases.ts';
import { countFiles, percent } from './corpus/count-files.ts';
import { judgeCase } from './corpus-evidence/judge.ts';

/**
 * Counts how many claims of answers are judged as their recorded calls deserve:
 *
 *   npm run corpus:evidence [-- FILE.jsonl...] [--at-least 0.95]
 *
 * Each line of a file is an object with `kind`, `calls`, `claim` and `expect` (verified, unverified, contradicted).
 * Exits with 1 if a file has a lower share than `--at-least`, with 2 if a file cannot be read.
 */
const OWN = ['own', 'held-out-a'].map((name) => `test/fixtures/evidence/${name}.jsonl`);

await countFiles(OWN, { 'at-least': 0 }, async (file, { 'at-least': least }) => {
  const share = await report(file, readEvidenceCases(file));
  return share < least ? `${percent(share)} is less than ${percent(least)}` : null;
});

/** Prints the counts and the misses; returns the share that is right. */
async function report(file: string, cases: readonly EvidenceCase[]): Promise<number> {
  const judged = await Promise.all(
    cases.map(async (one) => ({ case: one, got: await judgeCase(one) })),
  );
  const right = judged.filter(({ case: { expect }, got }) => expect === got).length;
  const verdicts = EvidenceVerdict.options;
  const rows = verdicts.map((expected) => {
    const of = judged.filter(({ case: { expect } }) => expect === expected);
    const cells = verdicts.map((got) =>
      `${of.filter((one) => one.got === got).length}`.padStart(14),
    );
    return `${expected.padEnd(14)}${cells.join('')}`;
  });
  const misses = judged
    .filter(({ case: { expect }, got }) => expect !== got)
    .map(
      ({ case: { kind, claim, expect }, got }) =>
        `MISS  ${expect} → ${got}  ${kind}: ${JSON.stringify(claim.slice(0, 140))}`,
    );
  const share = cases.length === 0 ? 1 : right / cases.length;
  const lines = [
    file,
    `right         ${right} / ${cases.length}   ${percent(share)}`,
    '',
    `expected      ${verdicts.map((got) => `→ ${got}`.padStart(14)).join('')}`,
    ...rows,
    '',
    ...misses,
  ];
  process.stdout.write(`${lines.join('\n')}\n`);
  return share;
}
