import { AppError } from '#contract/errors.ts';
import type { AppService } from '../apps/types.ts';
import type { ThreadReader } from '../storage/types.ts';
import type { Requests } from './types.ts';

export interface AppRequestParts {
  readonly apps: AppService;
  readonly threads: Pick<ThreadReader, 'get'>;
  /** Apps run in another process: this one only reads stored data, or answers questions. */
  readonly isElsewhere: boolean;
}

const ELSEWHERE =
  'The app of this task belongs to the HyperAgent that is open on this data folder. Use it there.';

/** Requests about the apps of tasks. A task that does not exist throws `NOT_FOUND`. */
export function appRequests({ apps, threads, isElsewhere }: AppRequestParts) {
  const own = (threadId: string): string => {
    threads.get(threadId);
    if (!isElsewhere) return threadId;
    throw new AppError('CONFLICT', ELSEWHERE);
  };
  return {
    'apps.state': ({ threadId }) => {
      const app = apps.state(threads.get(threadId).id);
      return isElsewhere ? { ...app, comesBack: false, problem: ELSEWHERE } : app;
    },
    // Not tied to the window: a user who closes it still wants the server.
    'apps.start': ({ threadId }) => apps.start(own(threadId), null, new AbortController().signal),
    'apps.stop': ({ threadId }) => apps.stop(own(threadId)),
    'apps.show': ({ threadId, port }) => apps.show(own(threadId), port),
    'apps.log': ({ threadId }) => ({ text: apps.log(threads.get(threadId).id) }),
    'apps.use': ({ threadId }) => {
      apps.use(threads.get(threadId).id);
      return {};
    },
  } satisfies Requests<'apps'>;
}
