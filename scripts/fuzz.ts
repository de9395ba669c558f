import { randomInt } from 'node:crypto';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type FuzzResult, FuzzThread } from '../test/fuzz/fuzz-thread.ts';
import { makeInput } from '../test/fuzz/inputs.ts';
import { FUZZ_TARGETS, findTarget } from '../test/fuzz/targets.ts';

/**
 * `npm run fuzz`: 10,000 inputs for each parser of data from a sandbox, a model, a server, a page, a file or
 * a window. Exits with 1 if a parser hangs, throws an error without a code, or blocks the thread for 100 ms
 * of CPU time. The same seed gives the same inputs:
 *
 *   npm run fuzz -- [--only NAME] [--count N] [--seed N] [--at INDEX]
 */
const BLOCK_MS = 100;
const HANG_MS = 30_000;
const THREADS = 2;

const { values } = parseArgs({
  options: {
    only: { type: 'string', multiple: true },
    count: { type: 'string', default: '10000' },
    seed: { type: 'string', default: String(randomInt(2 ** 31)) },
    at: { type: 'string' },
  },
});
const [seed, count] = [Number(values.seed), Number(values.count)];
const only = values.only;
const targets = FUZZ_TARGETS.filter(
  ({ name }) => only === undefined || only.some((part) => name.includes(part)),
);
if (targets.length === 0) {
  process.stderr.write(
    `There is no such parser. Use one of: ${FUZZ_TARGETS.map(({ name }) => name).join(', ')}\n`,
  );
  process.exit(2);
}
const one =
  values.at === undefined ? {} : { from: Number(values.at), until: Number(values.at) + 1 };
process.stdout.write(`seed ${seed}, ${count} inputs for each of ${targets.length} parsers\n`);
process.stdout.write(
  `${row(['parser', 'faces', 'inputs', 'typed', 'INTERNAL', 'hangs', 'longest ms', 'at'])}\n`,
);

const waiting = [...targets];
const results: FuzzResult[] = [];
await Promise.all(
  Array.from({ length: Math.min(THREADS, targets.length) }, async () => {
    await using thread = new FuzzThread(HANG_MS);
    for (let target = waiting.shift(); target !== undefined; target = waiting.shift()) {
      const result = await thread.run({ name: target.name, seed, count, ...one });
      results.push(result);
      report(result, target.faces);
    }
  }),
);
const bad = results.filter(isBad);
const inputs = results.reduce((sum, result) => sum + result.inputs, 0);
process.stdout.write(
  `${inputs} inputs, ${bad.length} of ${results.length} parsers outside their bounds\n`,
);
if (bad.length > 0) process.stdout.write(keep(bad));
process.exitCode = bad.length === 0 ? 0 : 1;

function isBad({ internal, hangs, longestMs }: FuzzResult): boolean {
  return internal.length > 0 || hangs.length > 0 || longestMs >= BLOCK_MS;
}

function report(result: FuzzResult, faces: string): void {
  const { name, inputs, typed, internal, hangs, longestMs } = result;
  const { longestAt } = result;
  const figures = [inputs, typed, internal.length, hangs.length, longestMs.toFixed(1), longestAt];
  const cells = [name, faces, ...figures];
  process.stdout.write(`${row(cells.map(String))}${isBad(result) ? '  <--' : ''}\n`);
  const kinds = new Map([...internal, ...hangs].map((one) => [one.problem.slice(0, 160), one]));
  for (const { index, problem } of [...kinds.values()].slice(0, 4)) {
    process.stdout.write(
      `    --only ${name} --at ${index}: ${problem.replaceAll('\n', '\n    ')}\n`,
    );
  }
}

/** Writes the inputs that exceeded a bound to files. */
function keep(broken: readonly FuzzResult[]): string {
  const folder = mkdtempSync(join(tmpdir(), 'hyperagent-fuzz-'));
  for (const { name, internal, hangs, longestMs, longestAt } of broken) {
    const indexes = [...internal.slice(0, 3), ...hangs.slice(0, 3)].map(({ index }) => index);
    if (longestMs >= BLOCK_MS) indexes.push(longestAt);
    for (const index of new Set(indexes)) {
      writeFileSync(
        join(folder, `${name}-${index}`),
        makeInput(findTarget(name), { seed, index, count }).bytes,
      );
    }
  }
  return `Their inputs are in ${folder}. Repeat them with --seed ${seed} --count ${count}.\n`;
}

function row(cells: readonly string[]): string {
  const widths = [28, 8, 8, 8, 9, 6, 11, 7];
  return cells
    .map((cell, at) => (at < 2 ? cell.padEnd(widths[at] ?? 0) : cell.padStart(widths[at] ?? 0)))
    .join(' ');
}
