import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { AppTemplate } from '#contract/apps.ts';
import { openApps } from '../fakes/apps/open-apps.ts';

/**
 * What the check of an app finds of faults that were planted in good apps, and whether it says something of the good
 * ones; all sets of `test/fakes/apps/faults`, or one of them. Faults of accessibility are planted in apps of the others:
 *
 *   npm run bench app-faults [SET]
 */
const FOLDER = path.resolve(import.meta.dirname, '../fakes/apps/faults');
/** Problems that the report shows; the others are counted only. */
const SHOWN = 3;

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

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

const share = (part: number, all: number): string =>
  `${part} of ${all} (${((100 * part) / Math.max(all, 1)).toFixed(1)} %)`;

await using bench = await openApps();
let count = 0;

/** What the report of a check shows of an app. */
async function check({ template }: FaultSet, files: FaultSet['files']): Promise<string[]> {
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
}

const read = (file: string): unknown => JSON.parse(readFileSync(path.join(FOLDER, file), 'utf8'));

/** The apps of a set, each with its faults. */
function setsOf(name: string): FaultSet[] {
  if (!name.endsWith('.json')) {
    const files = readdirSync(path.join(FOLDER, name)).sort();
    return files.map((file) => read(path.join(name, file)) as FaultSet);
  }
  const planted = read(name) as (Pick<FaultSet, 'faults'> & { readonly app: string })[];
  return planted.map(({ app, faults }) => ({
    ...(read(`${app}.json`) as FaultSet),
    faults: faults.map((fault) => ({ ...fault, kind: 'accessibility' })),
  }));
}

async function measure(name: string): Promise<void> {
  const sets = setsOf(name);
  const alarms: string[] = [];
  const missed: string[] = [];
  const elsewhere: string[] = [];
  let [loud, faults] = [0, 0];
  for (const set of sets) {
    const said = await check(set, set.files);
    if (said.length > 0) loud += 1;
    alarms.push(...said.map((problem) => `${set.name}: ${problem}`));
    for (const { kind, says, file, find, replace } of set.faults) {
      faults += 1;
      const source = (set.files[file] ?? '').replace(find, () => replace);
      const problems = await check(set, { ...set.files, [file]: source });
      const fault = `${set.name}, ${kind} in ${file}: ${says}`;
      if (problems.length === 0) missed.push(fault);
      else if (!problems.some((one) => one.includes(`[${file}]`))) {
        elsewhere.push([fault, ...problems].join('\n      '));
      }
    }
  }
  const found = faults - missed.length;
  say(`${name}: good apps with a false alarm: ${share(loud, sets.length)}`);
  say(`${name}: faults found: ${share(found, faults)}`);
  say(`${name}: with the right file in the report: ${share(found - elsewhere.length, faults)}`);
  for (const [title, lines] of [
    ['False alarms', alarms],
    ['Not found', missed],
    ['Found, with another file or none', elsewhere],
  ] as const) {
    if (lines.length > 0) say([`  ${title}:`, ...lines].join('\n    - '));
  }
}

const wanted = process.argv[2];
for (const name of readdirSync(FOLDER).sort()) {
  if (wanted === undefined || wanted === name.replace('.json', '')) await measure(name);
}
