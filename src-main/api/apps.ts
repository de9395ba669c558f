import { APP_ZIP_BYTES, type AppPart } from '#contract/apps.ts';
import { AppError } from '#contract/errors.ts';
import type { AppStates } from '../apps/app-states.ts';
import type { AppService } from '../apps/types.ts';
import type { ThreadReader } from '../storage/types.ts';
import type { Requests } from './types.ts';

export interface AppRequestParts {
  readonly apps: AppService;
  readonly states: Pick<AppStates, 'list' | 'picture'>;
  readonly threads: Pick<ThreadReader, 'get'>;
  /** Apps run in another process: this one only reads stored data, or answers questions. */
  readonly isElsewhere: boolean;
}

const ELSEWHERE =
  'The app of this task belongs to the HyperAgent that is open on this data folder. Use it there.';

/** Requests about the apps of tasks. A task that does not exist throws `NOT_FOUND`. */
export function appRequests({ apps, states, threads, isElsewhere }: AppRequestParts) {
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
    'apps.build': ({ threadId }, { closed }) => apps.build(own(threadId), closed),
    'apps.cancelBuild': ({ threadId }) => apps.cancelBuild(own(threadId)),
    'apps.zip': async ({ threadId, part }, { closed: signal }) => {
      const pieces: Uint8Array[] = [];
      let bytes = 0;
      const write = async (piece: Uint8Array): Promise<void> => {
        bytes += piece.length;
        if (bytes > APP_ZIP_BYTES) throw tooLarge(threadId, part);
        pieces.push(piece);
      };
      const { id } = threads.get(threadId);
      const { fileName, leftOut } = await apps.zip(id, part, { write, signal });
      return { fileName, leftOut: [...leftOut], data: Buffer.concat(pieces).toString('base64') };
    },
    'apps.states': async ({ threadId }) => ({
      states: await states.list(threads.get(threadId).id),
    }),
    'apps.picture': ({ threadId, snapshotId }) => {
      const jpeg = states.picture(threads.get(threadId).id, snapshotId);
      return { data: Buffer.from(jpeg).toString('base64') };
    },
    'apps.use': ({ threadId }) => {
      apps.use(threads.get(threadId).id);
      return {};
    },
  } satisfies Requests<'apps'>;
}

function tooLarge(threadId: string, part: AppPart): AppError {
  const limit = `${APP_ZIP_BYTES / 1024 / 1024} MB`;
  const command = part === 'build' ? 'build' : 'zip';
  return new AppError(
    'FILE_TOO_LARGE',
    `The zip file is larger than ${limit}. Use: hyperagent apps ${command} ${threadId} --out app.zip`,
  );
}
