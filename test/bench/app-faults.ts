import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { AppTemplate } from '#contract/apps.ts';
import { openApps } from '../fakes/apps/open-apps.ts';

/**
 * What the check of an app finds of faults that were planted in good apps, and whether it says something of the good
 * ones. A folder of sets may be given; by default it is `test/fakes/apps/faults`.
 */

interface FaultSet {
  readonly name: string;
  readonly template: AppTemplate;
  readonly files: Readonly<Record<string, string>>;
  readonly faults: readonly {
    readonly kind: string;
    readonly says: string;
    readonly file: string;
    readonly find: string;
    readonly replace: string;
  }[];
}

const folder = process.argv[2] ?? path.resolve(import.meta.dirname, '../fakes/apps/faults');
const sets = readdirSync(folder)
  .filter((name) => name.endsWith('.json'))
  .sort()
  .map((name) => JSON.parse(readFileSync(path.join(folder, name), 'utf8')) as FaultSet);

/** Problems that the report shows; the others are counted only. */
const SHOWN = 3;

await using bench = await openApps();
let count = 0;
const check = async ({ template }: FaultSet, files: FaultSet['files']): Promise<string[]> => {
  count += 1;
  const task = `thr_${count}`;
  await bench.make(task, template, files);
  await bench.start(task);
  const { problems } = await bench.check(task);
  await bench.apps.close(task);
  return problems.slice(0, SHOWN).map(({ kind, message, place }) => {
    const file = place === null ? '' : place.file.replace(/^app\//, '');
    return `${kind} [${file}] ${message.split('\n', 1)[0]?.slice(0, 100)}`;
  });
};

const alarms: string[] = [];
const missed: string[] = [];
const elsewhere: string[] = [];
let [faults, first] = [0, 0];
for (const set of sets) {
  for (const problem of await check(set, set.files)) alarms.push(`${set.name}: ${problem}`);
  for (const { kind, says, file, find, replace } of set.faults) {
    faults += 1;
    const source = set.files[file] ?? '';
    const problems = await check(set, { ...set.files, [file]: source.replace(find, () => replace) });
    const fault = `${set.name}, ${kind} in ${file}: ${says}`;
    if (problems.length === 0) missed.push(fault);
    else if (!problems.some((one) => one.includes(`[${file}]`))) {
      elsewhere.push(`${fault}\n      ${problems.join('\n      ')}`);
    } else if (problems[0]?.includes(`[${file}]`) === true) first += 1;
  }
}

const share = (part: number, all: number): string =>
  all === 0 ? 'none' : `${part} of ${all} (${((100 * part) / all).toFixed(1)} %)`;
const list = (title: string, lines: readonly string[]): void => {
  if (lines.length > 0) console.log(`\n${title}:\n${lines.map((line) => `  - ${line}`).join('\n')}`);
};
const found = faults - missed.length;
console.log(`good apps with a false alarm: ${share(new Set(alarms.map((one) => one.split(':')[0])).size, sets.length)}`);
console.log(`faults found: ${share(found, faults)}`);
console.log(`with the right file among the three that are shown: ${share(found - elsewhere.length, faults)}`);
console.log(`with the right file in the first one: ${share(first, faults)}`);
list('False alarms', alarms);
list('Not found', missed);
list('Found, with another file or none', elsewhere);
process.exit(0);
