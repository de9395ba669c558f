import path from 'node:path';
import { browserForTests } from '../../test/fakes/browser/open-browsers.ts';
import { type Answerer, AppUnderEval } from '../eval/app-under-eval.ts';
import type { Outcome } from '../eval/types.ts';
import type { TaskResult } from './report.ts';
import { type Episode, isFull } from './run-task.ts';
import { type Reward, serveTasks } from './task-server.ts';
import { taskOf } from './tasks.ts';

export interface ModelPlay {
  /** The folder with the task pages. */
  readonly dir: string;
  readonly names: readonly string[];
  readonly seeds: number;
  readonly answerer: Answerer;
  /** Time limit of one episode. */
  readonly timeoutSeconds: number;
  readonly onResult?: (result: TaskResult) => void;
}

/** Where the tasks are served: the app may reach it as a program of this computer that the user allowed. */
const SITE = '127.0.0.1';

/**
 * Plays the tasks by a model, through the whole app with its own data folder: each episode is a task of its own, in
 * which everything is approved. It ends with the reward of the page.
 */
export async function playByModel(play: ModelPlay): Promise<TaskResult[]> {
  const { dir, names, seeds, answerer, timeoutSeconds, onResult } = play;
  const browser = await browserForTests();
  if (browser === null) throw new Error('There is no Chrome, Edge or Chromium on this computer.');
  process.env.PATH = `${path.dirname(browser)}${path.delimiter}${process.env.PATH}`;
  await using server = await serveTasks(dir, SITE);
  await using app = await AppUnderEval.open({ answerer, timeoutSeconds });
  app.settings({ egress: 'open', egressPrivateHosts: [`${SITE}:*`] });
  const results: TaskResult[] = [];
  for (const name of names) {
    const episodes: Episode[] = [];
    for (let seed = 1; seed <= seeds; seed += 1) {
      const { url, episode } = server.address(name, seed);
      const { outcome, cost } = await app.run({
        name,
        prompt: `Open ${url} in the browser and do what the page asks for.`,
        network: 'open',
        until: () => server.rewardOf(episode) !== null,
        check: () => null,
        script: [],
      });
      const reward = server.rewardOf(episode);
      episodes.push({ seed, ...judged(outcome, reward), ms: cost.seconds * 1_000 });
    }
    const result = { task: taskOf(name), episodes };
    results.push(result);
    onResult?.(result);
  }
  return results;
}

function judged(
  { run, events, answer }: Outcome,
  reward: Reward | null,
): Pick<Episode, 'passed' | 'reason' | 'actions'> {
  const actions = new Set(
    events.flatMap((event) => (event.type === 'browser_action' ? event.actionId : [])),
  ).size;
  if (reward !== null && isFull(reward)) return { passed: true, reason: '', actions };
  if (reward !== null) return { passed: false, reason: `reward ${reward.reward}`, actions };
  const { status, error } = run;
  const said = error === null ? answer.replace(/\s+/g, ' ').slice(0, 100) : error.message;
  return { passed: false, reason: `no reward; the run ${status}: ${said}`, actions };
}
