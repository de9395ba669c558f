import { AppError } from '#contract/errors.ts';
import type { BrowserService } from '../browser/types.ts';
import type { ThreadReader } from '../storage/types.ts';
import type { Requests } from './types.ts';

export interface BrowserRequestParts {
  readonly browsers: BrowserService;
  readonly threads: Pick<ThreadReader, 'get'>;
  /** Browsers belong to another process: this one only reads stored data, or answers questions. */
  readonly isElsewhere: boolean;
}

const ELSEWHERE =
  'The browser of this task belongs to the app that is open on this data folder. Use it there.';

/** The service, for a task that exists and whose browser runs here. Throws `NOT_FOUND`, `CONFLICT`. */
export function browserOf(
  { browsers, threads, isElsewhere }: BrowserRequestParts,
  threadId: string,
): BrowserService {
  threads.get(threadId);
  if (isElsewhere) throw new AppError('CONFLICT', ELSEWHERE);
  return browsers;
}

/** Requests about the browsers of tasks. A task that does not exist throws `NOT_FOUND`. */
export function browserRequests(parts: BrowserRequestParts) {
  const { browsers, threads, isElsewhere } = parts;
  const of = (threadId: string): BrowserService => browserOf(parts, threadId);
  return {
    'browser.state': ({ threadId }) => {
      const state = browsers.state(threads.get(threadId).id);
      return isElsewhere ? { ...state, problem: ELSEWHERE } : state;
    },
    'browser.watch': ({ threadId }, caller) => {
      const service = of(threadId);
      service.watch(threadId, caller);
      return service.state(threadId);
    },
    // A window also leaves a task that was deleted meanwhile.
    'browser.unwatch': ({ threadId }, caller) => {
      browsers.unwatch(threadId, caller);
      return {};
    },
    'browser.drawn': ({ threadId, number }, caller) => {
      browsers.drawn(threadId, number, caller);
      return {};
    },
    'browser.control': ({ threadId, action, showTyped = false }) =>
      action === 'take'
        ? of(threadId).take(threadId)
        : of(threadId).handBack(threadId, { showTyped }),
    'browser.input': async ({ threadId, inputs }) => {
      await of(threadId).input(threadId, inputs);
      return {};
    },
    'browser.selection': ({ threadId }) => of(threadId).selection(threadId),
    'browser.giveFiles': ({ threadId, chooserId, files }) => {
      const bytes = files.map(({ data, ...file }) => ({
        ...file,
        bytes: Buffer.from(data, 'base64'),
      }));
      return of(threadId).giveFiles(threadId, { chooserId, files: bytes });
    },
    'browser.go': ({ threadId, to }) => of(threadId).go(threadId, to),
    'browser.close': ({ threadId }) => of(threadId).close(threadId),
  } satisfies Requests<'browser'>;
}
