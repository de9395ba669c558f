import { AppError } from '#contract/errors.ts';
import { TASK_RESULTS_LIMIT } from '#contract/task-search.ts';
import type { KnownSecrets } from '../base/known-secrets.ts';
import type { PictureStore } from '../pictures/picture-store.ts';
import type { PolicyLimits } from '../policy/limits.ts';
import type { InlinePicture } from '../reports/export-conversation.ts';
import type { RunService } from '../run/run-service.ts';
import type { SandboxService } from '../sandbox/types.ts';
import type { EventReader, MessageReader, RunReader, ThreadReader } from '../storage/types.ts';
import { searchTasks, type TaskSearchParts } from '../task-search/task-search.ts';
import { eventPages } from './reports.ts';
import type { Requests } from './types.ts';

export interface ThreadRequestParts {
  readonly runs: Pick<
    RunService,
    'renameThread' | 'markThread' | 'setThreadLevel' | 'deleteThread'
  >;
  readonly stores: {
    readonly threads: ThreadReader;
    readonly runs: RunReader;
    readonly messages: MessageReader;
    readonly events: Pick<EventReader, 'page'>;
  };
  readonly search: Omit<TaskSearchParts, 'threads'>;
  /** What the policy of this computer holds for tasks. */
  readonly limits: Pick<PolicyLimits, 'checkLevel'>;
  /** Removed from exports. */
  readonly secrets?: KnownSecrets;
  readonly sandbox: Pick<SandboxService, 'forTask'>;
  readonly pictures: Pick<PictureStore, 'inline'>;
}

const PICTURE_LIMIT_BYTES = 16 * 1024 * 1024;

/** A picture of the task's files; null if it is gone, too large or not one. */
async function pictureOf(
  { threadId, path }: { readonly threadId: string; readonly path: string },
  { sandbox, pictures }: Pick<ThreadRequestParts, 'sandbox' | 'pictures'>,
): Promise<InlinePicture | null> {
  try {
    const { workspace } = sandbox.forTask(threadId, 'auto');
    const { data, size } = await workspace.read(path, PICTURE_LIMIT_BYTES);
    return data.length < size ? null : await pictures.inline(data);
  } catch (error) {
    if (error instanceof AppError) return null;
    throw error;
  }
}

/** Requests about tasks. Unknown ids throw `NOT_FOUND`. */
export function threadRequests(parts: ThreadRequestParts) {
  const { runs, stores, search, secrets, sandbox, pictures, limits } = parts;
  const { threads } = stores;
  return {
    'threads.list': ({ search: title }) => ({ threads: threads.list(title) }),
    'threads.search': ({ query, limit = TASK_RESULTS_LIMIT }) =>
      searchTasks({ ...search, threads }, { query, limit }),
    'threads.get': ({ threadId }) => ({
      thread: threads.get(threadId),
      messages: stores.messages.listOfThread(threadId),
      runs: stores.runs.listOfThread(threadId),
    }),
    'threads.rename': ({ threadId, title }) => ({ thread: runs.renameThread(threadId, title) }),
    'threads.mark': ({ threadId, mark, on }) => ({ thread: runs.markThread(threadId, mark, on) }),
    'threads.setLevel': ({ threadId, level }) => {
      limits.checkLevel(level);
      return { thread: runs.setThreadLevel(threadId, level) };
    },
    'threads.export': async ({ threadId, format }) => {
      const { collectConversation } = await import('../reports/collect-conversation.ts');
      const { exportConversation } = await import('../reports/export-conversation.ts');
      secrets?.recall();
      const conversation = await collectConversation({
        title: threads.get(threadId).title,
        runs: stores.runs.listOfThread(threadId),
        messages: stores.messages.listOfThread(threadId),
        eventsOf: (runId) => eventPages(stores.events, runId),
        clean: (text) => secrets?.text(text) ?? text,
      });
      const { data, ...file } = await exportConversation(conversation, format, (path) =>
        pictureOf({ threadId, path }, { sandbox, pictures }),
      );
      return { ...file, data: data.toString('base64') };
    },
    'threads.delete': async ({ threadId }) => {
      await runs.deleteThread(threadId);
      return {};
    },
  } satisfies Requests<'threads'>;
}
