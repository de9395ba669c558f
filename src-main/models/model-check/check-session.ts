import { AppError } from '#contract/errors.ts';
import type { ModelCheckItem } from '#contract/models.ts';
import type { Learnt } from '../profiles/profile-registry.ts';
import type { ChatModel, CheckProgress, ModelFacts, ModelReply, ModelRequest } from '../types.ts';
import { TokenEstimator } from '../window/token-estimate.ts';
import { CHECK_TASKS, type CheckFinding, type CheckTask } from './check-tasks.ts';

/** What a task of the check-up may use. */
export interface CheckSession {
  readonly facts: ModelFacts;
  readonly contextWindow: number | null;
  readonly estimator: TokenEstimator;
  send(request: ModelRequest): Promise<ModelReply>;
  /** Has the server forget the model, so that the next request loads it; false where it cannot. */
  unload(): Promise<boolean>;
  learn(learnt: Learnt): void;
}

export interface CheckOptions {
  readonly signal: AbortSignal;
  readonly onItem: (progress: CheckProgress) => void;
  readonly unload: () => Promise<boolean>;
  readonly learn: (learnt: Learnt) => void;
}

/** Enough for a model that thinks first; one that has gone astray must not take the whole evening. */
const LONGEST_ANSWER = 2_048;

/**
 * Sets a model its tasks, one after another. A request that fails makes its task failed; only an
 * abort, and a server that is gone, end the check. Throws the signal's reason or `MODEL_SERVER_…`.
 */
export async function checkModel(
  model: ChatModel,
  options: CheckOptions,
): Promise<ModelCheckItem[]> {
  const { signal, onItem, unload, learn } = options;
  const session: CheckSession = {
    facts: model.profile,
    get contextWindow() {
      return model.contextWindow;
    },
    estimator: new TokenEstimator(),
    send: (request) =>
      model.send(
        { temperature: 0, seed: 1, maxOutputTokens: LONGEST_ANSWER, ...request },
        { signal, onProgress: () => undefined },
      ),
    unload,
    learn,
  };
  const items: ModelCheckItem[] = [];
  for (const [index, task] of CHECK_TASKS.entries()) {
    signal.throwIfAborted();
    const item = await runTask(task, session, signal);
    items.push(item);
    onItem({ item, index, of: CHECK_TASKS.length });
  }
  return items;
}

async function runTask(
  task: CheckTask,
  session: CheckSession,
  signal: AbortSignal,
): Promise<ModelCheckItem> {
  const began = performance.now();
  const finding = await task.run(session).catch((error: unknown): CheckFinding => {
    if (signal.aborted || !(error instanceof AppError)) throw error;
    if (error.code === 'MODEL_SERVER_UNREACHABLE') throw error;
    return { outcome: 'failed', detail: error.message };
  });
  const { id, label } = task;
  return { id, label, ...finding, durationMs: Math.round(performance.now() - began) };
}
