import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { modelOverrides } from '../src-main/cli/model-overrides.ts';
import { parseHttpUrl, parseModel, parseSeconds } from '../src-main/cli/option-parsers.ts';
import { dataDirFor } from '../src-main/data-dir.ts';
import { VERSION } from '../src-main/version.ts';
import { defined } from '../src-preload/contract/defined.ts';
import type { Answerer } from './eval/app-under-eval.ts';
import { evaluate } from './eval/evaluate.ts';
import { compareTable, evalTable } from './eval/report.ts';
import { keepResults, readResults, toLines } from './eval/results.ts';
import { SCRIPTED } from './eval/scripted.ts';
import { SETS } from './eval/sets/all.ts';
import type { EvalSet } from './eval/types.ts';

/**
 * Evaluates a model on sets of tasks, through the app's own core, and prints the results:
 *
 *   npm run eval -- --model PROVIDER:NAME|scripted [--base-url URL] [--api-key-env VAR] [--set NAME]...
 *                   [--timeout SECONDS] [--json FILE] [--results DIR] [--compare]
 *   npm run eval -- --compare [--results DIR]
 *
 * Results are stored as lines in the data folder, or in DIR; `--compare` prints those of all models side
 * by side. Exits with 1 if the scripted model failed a task, which is a bug in the app, and with 2 for
 * invalid options.
 */
const SECONDS_PER_TASK = 1800;

try {
  process.exitCode = await main();
} catch (error) {
  process.stderr.write(`${(error as Error).message}\n`);
  process.exitCode = 2;
}

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      model: { type: 'string' },
      'base-url': { type: 'string' },
      'api-key-env': { type: 'string' },
      set: { type: 'string', multiple: true },
      timeout: { type: 'string' },
      json: { type: 'string' },
      results: { type: 'string' },
      compare: { type: 'boolean', default: false },
    },
  });
  const dir = values.results ?? dataDirFor(undefined, process.env);
  if (values.model === undefined) {
    if (!values.compare)
      throw new Error('The model is missing. Use --model PROVIDER:NAME or --model scripted.');
    print(compareTable(readResults(dir)));
    return 0;
  }
  const sets = chosenSets(values.set);
  const timeoutSeconds =
    values.timeout === undefined ? SECONDS_PER_TASK : parseSeconds(values.timeout);
  const baseUrl = values['base-url'];
  const flags = defined({
    baseUrl: baseUrl === undefined ? undefined : parseHttpUrl(baseUrl),
    apiKeyEnv: values['api-key-env'],
  });
  const answerer = answererFor(values.model, flags);
  const date = new Date().toISOString();
  const results = await evaluate(sets, {
    answerer,
    timeoutSeconds,
    onResult: ({ set, task, pass, seconds }) => {
      process.stderr.write(
        `${pass ? 'ok  ' : 'FAIL'}  ${set} / ${task} (${seconds.toFixed(1)} s)\n`,
      );
    },
  });
  const lines = toLines(results, { date, version: VERSION, model: values.model });
  print(evalTable(values.model, results));
  print(`saved to ${keepResults(dir, lines)}`);
  if (values.json !== undefined) {
    const report = { date, version: VERSION, model: values.model, sets: results };
    writeFileSync(values.json, `${JSON.stringify(report, null, 2)}\n`);
  }
  if (values.compare) print(`\n${compareTable(readResults(dir))}`);
  const hasFailed = lines.some(({ pass }) => !pass);
  return answerer.kind === 'scripted' && hasFailed ? 1 : 0;
}

function chosenSets(names: readonly string[] | undefined): readonly EvalSet[] {
  if (names === undefined) return SETS;
  return names.map((name) => {
    const found = SETS.find((set) => set.name === name);
    if (found !== undefined) return found;
    throw new Error(
      `There is no set "${name}". Use one of: ${SETS.map((set) => set.name).join(', ')}.`,
    );
  });
}

function answererFor(model: string, flags: { baseUrl?: string; apiKeyEnv?: string }): Answerer {
  if (model === SCRIPTED) return { kind: 'scripted' };
  return { kind: 'model', ref: parseModel(model), overrides: modelOverrides(flags) };
}

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}
