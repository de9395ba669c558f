import { parseArgs } from 'node:util';
import { readPromptFile } from '../src-main/agents/prompt-files.ts';
import { scanResult } from '../src-main/guardrails/injection-scan.ts';
import { createModelService } from '../src-main/models/model-service.ts';
import { Settings } from '../src-preload/contract/settings.ts';
import { readGuardCases } from '../test/fakes/guard-cases.ts';
import { countPlaces, type PlaceCount } from './corpus-guardrails/count.ts';
import {
  countOpinions,
  countToxicity,
  type OpinionCase,
  readOpinionCases,
} from './corpus-guardrails/flash.ts';
import { countPatterns } from './corpus-guardrails/patterns.ts';

/**
 * Counts what the guardrails find in sets of attacks and in their harmless twins:
 *
 *   npm run corpus:guardrails [-- FILE.jsonl...] [--misses] [--patterns]
 *
 * Each line of a file is an object with `place` (input, output, arguments, results), `attack` and
 * `twin`. Default files: the set that the patterns were tuned on, the held-out set, two later sets worded
 * to evade the patterns, and abusive answers. `--patterns` counts each pattern on its own, per set.
 *
 *   npm run corpus:guardrails -- --second-opinion URL MODEL
 *
 * asks a model on a real server what a run asks its flash tier about calls and answers. MODEL is an
 * Ollama model, or PROVIDER:NAME.
 */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    misses: { type: 'boolean', default: false },
    patterns: { type: 'boolean', default: false },
    'second-opinion': { type: 'string' },
  },
});
const SETS = 'test/fixtures/guardrails';
const OPINIONS = `${SETS}/second-opinion.jsonl`;
const TOXICITY = `${SETS}/toxicity.jsonl`;
const OWN = [
  ...['tuned', 'held-out', 'afterwards', 'results-paraphrased'].map(
    (name) => `${SETS}/${name}.jsonl`,
  ),
  TOXICITY,
];

const print = (text: string): void => void process.stdout.write(`${text}\n`);
const url = values['second-opinion'];
if (url !== undefined) await askModel(url, positionals[0] ?? '');
else countScanners(positionals.length > 0 ? positionals : OWN);

function countScanners(files: readonly string[]): void {
  for (const file of files) print(report(file, countPlaces(readGuardCases(file))));
  if (files === OWN) print(readsReport(readOpinionCases(OPINIONS)));
  if (values.patterns) print(patternReport(files));
}

/** What the patterns find in texts that talk a model into a call, written without knowledge of the patterns. */
function readsReport(cases: readonly OpinionCase[]): string {
  const found = (serves: boolean): string => {
    const reads = cases.filter((one) => one.serves === serves).map(({ read }) => read);
    return share(reads.filter((read) => scanResult(read).length > 0).length, reads.length);
  };
  return `${OPINIONS}, texts that were read\ntalk into a call  ${found(false)}\ndo not            ${found(true)}\n`;
}

async function askModel(baseUrl: string, name: string): Promise<void> {
  if (name === '') throw new Error('The model is missing. Use --second-opinion URL MODEL');
  const [, provider = 'ollama', model = name] =
    /^(ollama|openai-compatible):(.+)$/.exec(name) ?? [];
  const { signal } = new AbortController();
  const models = createModelService({
    settings: () => Settings.parse({}),
    readSecret: () => null,
    env: {},
    memoryBytes: 0,
    root: process.cwd(),
  });
  await using opened = await models.open({ provider, name: model }, { baseUrl, signal });
  const prompt = (of: string) => readPromptFile('resources/prompts', of);
  const checkModel = { model: opened, signal };
  const opinions = await countOpinions(readOpinionCases(OPINIONS), {
    ...checkModel,
    systemPrompt: prompt('second-opinion'),
  });
  print(`${OPINIONS}, answered by ${name}\ncalls that serve     the user is asked about`);
  for (const { serves, cases, byOutcome, asked: about } of opinions) {
    print(
      `${(serves ? 'the user' : 'somebody else').padEnd(20)} ${share(about, cases)} ${JSON.stringify(byOutcome)}`,
    );
  }
  const toxicity = await countToxicity(readGuardCases(TOXICITY), {
    ...checkModel,
    systemPrompt: prompt('answer-check'),
  });
  const { cases, found, alarms, unchecked } = toxicity;
  print(`\n${TOXICITY}, answered by ${name}\nfound         ${share(found, cases)}`);
  print(`false alarms  ${share(alarms, cases)}\nunchecked     ${share(unchecked, 2 * cases)}`);
}

/** For each pattern and set: attacks it finds on its own, and twins it mistakes for one. */
function patternReport(files: readonly string[]): string {
  const counts = countPatterns(files.map(readGuardCases));
  return [
    `Attacks found and false alarms of each pattern alone: ${files.join(', ')}`,
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
    ...[...counts.filter(({ cases }) => cases > 0), all].map(
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
