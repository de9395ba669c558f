import { AppError } from '#contract/errors.ts';
import type { ModelCheckItem } from '#contract/models.ts';
import type { Learnt } from '../profiles/profile-registry.ts';
import type { ChatModel, CheckProgress, ModelFacts, ModelReply, ModelRequest } from '../types.ts';
import { TokenEstimator } from '../window/token-estimate.ts';
import { CHECK_TASKS, type CheckFinding, type CheckTask } from './check-tasks.ts';

/** What a task of the model check may use. */
export interface CheckSession {
  readonly facts: ModelFacts;
  readonly contextWindow: number | null;
  readonly estimator: TokenEstimator;
  send(request: ModelRequest): Promise<ModelReply>;
  /** Unloads the model, so that the next request loads it again; false if the server cannot. */
  unload(): Promise<boolean>;
  learn(learnt: Learnt): void;
}

export interface CheckOptions {
  readonly signal: AbortSignal;
  readonly onItem: (progress: CheckProgress) => void;
  readonly unload: () => Promise<boolean>;
  readonly learn: (learnt: Learnt) => void;
}

/** Enough for a model that thinks first; stops a model that is stuck in a loop. */
const MAX_ANSWER_TOKENS = 2_048;

/**
 * Runs the tasks of the check, one after another. A failed request fails its task; only an abort or an
 * unreachable server ends the check. Throws the signal's reason or `MODEL_SERVER_…`.
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
        { temperature: 0, seed: 1, maxOutputTokens: MAX_ANSWER_TOKENS, ...request },
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
