import { AppError } from '#contract/errors.ts';
import { isAbortError } from '#main/base/abort.ts';
import type { ActingRun, BrowserService } from '#main/browser/types.ts';
import { ActionFailed, TaskPage, ViewLacks } from './task-page.ts';
import type { Reward, TaskServer } from './task-server.ts';
import type { Task } from './tasks.ts';

/** One episode: passed, or why not. */
export interface Episode {
  readonly seed: number;
  readonly passed: boolean;
  readonly reason: string;
  readonly actions: number;
  readonly ms: number;
}

export interface EpisodeParts {
  readonly browsers: BrowserService;
  readonly server: TaskServer;
  readonly run: ActingRun;
  readonly threadId: string;
  /** Called with each action and what it answered. */
  readonly onText?: (text: string) => void;
}

/** A reward below it is not what was asked: drawings and waits are rewarded by how near they come. */
const FULL_REWARD = 0.8;
/** How long the page may take to report its result, in ms. */
const REPORT_MS = 3_000;

export function isFull({ reward }: Reward): boolean {
  return reward >= FULL_REWARD;
}

/** Plays a task once in the task's browser. */
export async function runEpisode(task: Task, seed: number, parts: EpisodeParts): Promise<Episode> {
  const { browsers, server, run, threadId } = parts;
  const began = performance.now();
  const page = new TaskPage(browsers.forTask(threadId), run, parts.onText);
  const { url, episode } = server.address(task.name, seed);
  const done = (passed: boolean, reason: string): Episode => {
    const { actions } = page;
    return { seed, passed, reason, actions, ms: performance.now() - began };
  };
  if (task.oracle === null) return done(false, task.why ?? 'oracle missing');
  let problem: string | null = null;
  try {
    await page.open(url);
    await task.oracle(page);
  } catch (error) {
    problem = problemOf(error);
  }
  const result = await resultOf(server, episode, problem === null ? REPORT_MS : 0);
  if (result === null) return done(false, problem ?? 'the page reports no end');
  if (isFull(result)) return done(true, '');
  return done(false, problem ?? `reward ${result.reward}: "${page.query}"`);
}

/** What went wrong, apart from mistakes in this program, which are thrown on. */
function problemOf(error: unknown): string {
  if (error instanceof ViewLacks) return `view lacks: ${error.message}`;
  if (error instanceof ActionFailed) return `action failed: ${error.message}`;
  if (error instanceof AppError) return `${error.code}: ${error.message}`;
  if (isAbortError(error)) return 'took longer than the limit of a run';
  throw error;
}

async function resultOf(
  server: TaskServer,
  episode: string,
  waitMs: number,
): Promise<Reward | null> {
  const end = performance.now() + waitMs;
  for (;;) {
    const result = server.rewardOf(episode);
    if (result !== null || performance.now() >= end) return result;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
