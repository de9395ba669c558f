import type { Logger } from '../base/logger.ts';
import type { InterruptStore } from '../storage/types.ts';
import type { RunService } from './run-service.ts';

const POLL_MS = 500;

/**
 * Calls `onChange` when another process wrote to the database: a CLI command that answers a question. A poll
 * costs microseconds while nothing has changed.
 */
export function watchAnswers({
  dataVersion,
  onChange,
}: {
  readonly dataVersion: () => number;
  readonly onChange: () => void;
}): Disposable {
  let seen = dataVersion();
  const timer = setInterval(() => {
    const now = dataVersion();
    if (now === seen) return;
    seen = now;
    onChange();
  }, POLL_MS);
  timer.unref();
  return { [Symbol.dispose]: () => clearInterval(timer) };
}

/** Resumes every parked run whose questions have all been answered. */
export function resumeAnswered({
  runs,
  interrupts,
  logger,
}: {
  readonly runs: Pick<RunService, 'list' | 'isActive' | 'resume'>;
  readonly interrupts: Pick<InterruptStore<unknown>, 'openOf'>;
  readonly logger: Logger;
}): void {
  for (const run of runs.list()) {
    if (run.status !== 'waiting' || runs.isActive(run.id)) continue;
    if (interrupts.openOf(run.id).length > 0) continue;
    try {
      runs.resume(run.id);
    } catch (error) {
      logger.warn('An answered run could not be resumed', { runId: run.id, error });
    }
  }
}
