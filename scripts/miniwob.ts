import { existsSync, readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { modelOverrides } from '../src-main/cli/model-overrides.ts';
import { parseHttpUrl, parseModel, parseSeconds } from '../src-main/cli/option-parsers.ts';
import { defined } from '../src-preload/contract/defined.ts';
import { openBrowsers } from '../test/fakes/browser/open-browsers.ts';
import { playByModel } from './miniwob/by-model.ts';
import { renderReport, type TaskResult } from './miniwob/report.ts';
import { runEpisode } from './miniwob/run-task.ts';
import { serveTasks } from './miniwob/task-server.ts';
import { taskOf } from './miniwob/tasks.ts';

/**
 * Plays the tasks of MiniWoB++ in the app's browser, each by an oracle that reads only what a model would read and
 * acts only by the browser's actions; or by a model, through the whole app:
 *
 *   npm run miniwob -- [TASK...] [--tasks FOLDER] [--seeds N] [--tokens N] [--show]
 *   npm run miniwob -- [TASK...] [--tasks FOLDER] [--seeds N] --model PROVIDER:NAME [--base-url URL]
 *                      [--api-key-env VAR] [--timeout SECONDS]
 *
 * TASK is a name or the beginning of one, such as `email`. FOLDER holds a checkout of the repository; the
 * environment variable MINIWOB_TASKS names it as well. `--tokens` is what a view may take, `--show` prints what each
 * action answered. The pages are on loopback. Exits with 1 where the oracle of a task with accessible targets does
 * not pass it.
 */
const USAGE =
  'usage: npm run miniwob -- [TASK...] [--tasks FOLDER] [--seeds N] [--tokens N] [--show]\n' +
  '                          [--model PROVIDER:NAME [--base-url URL] [--api-key-env VAR] [--timeout SECONDS]]\n';
const SECONDS_PER_EPISODE = 600;
const HOW_TO_GET =
  'There are no task pages here. Clone https://github.com/Farama-Foundation/miniwob-plusplus, and name the folder ' +
  'by --tasks or MINIWOB_TASKS.\n';
/** The site that the tasks are served as. */
const SITE = 'tasks.test';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    tasks: { type: 'string' },
    seeds: { type: 'string', default: '5' },
    tokens: { type: 'string', default: '2000' },
    show: { type: 'boolean', default: false },
    model: { type: 'string' },
    'base-url': { type: 'string' },
    'api-key-env': { type: 'string' },
    timeout: { type: 'string' },
  },
});
const seeds = Number(values.seeds);
const viewTokens = Number(values.tokens);
const folder = taskFolder(values.tasks ?? process.env.MINIWOB_TASKS);
if (!Number.isInteger(seeds) || seeds < 1 || !Number.isInteger(viewTokens)) {
  process.stderr.write(USAGE);
  process.exitCode = 2;
} else if (folder === null) {
  process.stderr.write(HOW_TO_GET);
  process.exitCode = 2;
} else if (values.model !== undefined) {
  process.exitCode = await playModel(values.model, folder);
} else {
  process.exitCode = await playAll(folder, namesIn(folder));
}

/** The folder with `core` and `miniwob` in a checkout; null where there is none. */
function taskFolder(named: string | undefined): string | null {
  if (named === undefined) return null;
  const candidates = ['', 'html', 'miniwob/html'].map((part) => join(resolve(named), part));
  return candidates.find((dir) => existsSync(join(dir, 'core', 'core.js'))) ?? null;
}

function namesIn(dir: string): string[] {
  const all = readdirSync(join(dir, 'miniwob'))
    .filter((file) => file.endsWith('.html'))
    .map((file) => file.slice(0, -'.html'.length));
  if (positionals.length === 0) return all;
  const exact = all.filter((name) => positionals.includes(name));
  const isWanted = (name: string): boolean =>
    positionals.some((word) => (all.includes(word) ? name === word : name.startsWith(word)));
  return exact.length === positionals.length ? exact : all.filter(isWanted);
}

async function playModel(model: string, dir: string): Promise<number> {
  try {
    const baseUrl = values['base-url'];
    const flags = defined({
      baseUrl: baseUrl === undefined ? undefined : parseHttpUrl(baseUrl),
      apiKeyEnv: values['api-key-env'],
    });
    const results = await playByModel({
      ...{ dir, names: namesIn(dir), seeds },
      answerer: { kind: 'model', ref: parseModel(model), overrides: modelOverrides(flags) },
      timeoutSeconds:
        values.timeout === undefined ? SECONDS_PER_EPISODE : parseSeconds(values.timeout),
      onResult: sayResult,
    });
    process.stdout.write(`${model}\n\n${renderReport(results)}`);
    return 0;
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n${USAGE}`);
    return 2;
  }
}

function sayResult({ task, episodes }: TaskResult): void {
  const passed = episodes.filter((episode) => episode.passed).length;
  process.stderr.write(`${task.name}: ${passed} of ${seeds}\n`);
}

async function playAll(dir: string, names: readonly string[]): Promise<number> {
  await using server = await serveTasks(dir, SITE);
  await using opened = await openBrowsers({ sites: [SITE], viewTokens });
  const results: TaskResult[] = [];
  for (const name of names) {
    const task = taskOf(name);
    const episodes = [];
    for (let seed = 1; seed <= seeds; seed += 1) {
      const parts = { server, browsers: opened.browsers, run: opened.run(), threadId: 'thr_1' };
      const onText = values.show ? (text: string) => process.stdout.write(`${text}\n`) : undefined;
      episodes.push(await runEpisode(task, seed, { ...parts, ...(onText && { onText }) }));
    }
    const result = { task, episodes };
    results.push(result);
    sayResult(result);
  }
  process.stdout.write(renderReport(results));
  const isWhole = ({ task, episodes }: TaskResult): boolean =>
    task.group !== 'accessible' || episodes.every(({ passed }) => passed);
  return results.every(isWhole) ? 0 : 1;
}
