import { type AppOptions, AppUnderEval } from './app-under-eval.ts';
import type { AppTask, EvalSet, EvalTask, SetResult, TaskResult } from './types.ts';

export interface EvaluateOptions extends AppOptions {
  /** Called after each task. */
  readonly onResult?: (result: TaskResult) => void;
}

/** Runs the sets, one task at a time. A task that throws counts as failed, and the others continue. */
export async function evaluate(
  sets: readonly EvalSet[],
  options: EvaluateOptions,
): Promise<SetResult[]> {
  await using app = await AppUnderEval.open(options);
  const results: SetResult[] = [];
  for (const set of sets) results.push(await evaluateSet(set, app, options));
  return results;
}

async function evaluateSet(
  set: EvalSet,
  app: AppUnderEval,
  { onResult }: EvaluateOptions,
): Promise<SetResult> {
  const missing = set.missing?.(app.parts) ?? null;
  if (missing !== null) return { set: set.name, skipped: `missing: ${missing}`, tasks: [] };
  let before: Record<string, unknown> = {};
  try {
    await using around = await set.prepare?.();
    before = app.settings({ ...around?.settings, ...set.settings?.(app.model) });
    const results: TaskResult[] = [];
    for (const task of await set.tasks()) {
      // Skipped: a model cannot choose a tool that is missing, so the task says nothing about the model.
      if ('prompt' in task && task.tools?.some((tool) => !app.parts.tools.has(tool))) continue;
      const result = { set: set.name, ...(await evaluateTask(task, app)) };
      results.push(result);
      onResult?.(result);
    }
    return { set: set.name, skipped: null, tasks: results };
  } catch (error) {
    return {
      set: set.name,
      skipped: `its tasks could not be prepared: ${messageOf(error)}`,
      tasks: [],
    };
  } finally {
    app.settings(before);
  }
}

async function evaluateTask(task: EvalTask, app: AppUnderEval): Promise<Omit<TaskResult, 'set'>> {
  const { name } = task;
  const startedAt = performance.now();
  const seconds = (): number => (performance.now() - startedAt) / 1000;
  try {
    if ('decide' in task) {
      return { task: name, ...verdict(task.decide()), requests: 0, tokens: 0, seconds: seconds() };
    }
    const { outcome, cost } = await app.run(task);
    try {
      return { task: name, ...verdict(await judge(task, outcome)), ...cost };
    } finally {
      if (outcome.appUrl !== null) await app.stopAppOf(outcome);
    }
  } catch (error) {
    const why = `threw: ${messageOf(error)}`;
    return { task: name, pass: false, why, requests: 0, tokens: 0, seconds: seconds() };
  }
}

/** Adds the error of a failed run, which explains why the check failed. */
async function judge(
  task: AppTask,
  outcome: Parameters<AppTask['check']>[0],
): Promise<string | null> {
  const why = await task.check(outcome);
  const { error, status } = outcome.run;
  if (why === null || error === null || error.code === 'CANCELLED') return why;
  return `${why} (the run ${status}: ${error.code}, ${error.message})`;
}

function verdict(why: string | null): { pass: boolean; why: string } {
  return { pass: why === null, why: why ?? '' };
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
