import { existsSync, readFileSync } from 'node:fs';
import { SHARED_BROWSER, type TestNote } from '../../test/setup/notes.ts';
import { SUITES } from '../../test/suites.ts';
import { cpuMsOf } from './cpu-time.ts';

/** The notes of test files; empty if there are none. */
export function readNotes(file: string): TestNote[] {
  if (!existsSync(file)) return [];
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as TestNote);
}

/** One line per sampled test: how much was sampled, and the command that runs all. */
export function sampleLines(notes: readonly TestNote[]): string[] {
  return notes.flatMap((one) =>
    one.kind === 'sample' && one.taken < one.of
      ? [`sampled: ${one.name}: ${one.taken} of ${one.of} (all: ${one.command})`]
      : [],
  );
}

/** CPU seconds of each suite against its budget, and those spent around the tests. */
export function costLines(notes: readonly TestNote[]): string[] {
  const costs = notes.flatMap((one) => (one.kind === 'cost' ? [one] : []));
  const sum = (some: typeof costs): number =>
    Math.round(some.reduce((all, { cpuMs }) => all + cpuMs, 0) / 1000);
  const lines = SUITES.flatMap(({ name, budget }) => {
    const own = costs.filter(({ suite }) => suite === name);
    if (own.length === 0) return [];
    const over = sum(own) > budget ? ', OVER BUDGET' : '';
    return [`cost: ${name}: ${sum(own)} CPU s (budget ${budget}${over})`];
  });
  // The shared browser is not counted in the CPU time of this process's children.
  const waitedFor = sum(costs.filter(({ file }) => file !== SHARED_BROWSER));
  const around = Math.max(0, Math.round(cpuMsOf(process.pid) / 1000) - waitedFor);
  return [
    ...lines,
    `cost: in all ${sum(costs) + around} CPU s, ${around} of them around the tests`,
  ];
}
