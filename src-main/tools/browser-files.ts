import { AppError } from '#contract/errors.ts';
import type { RunEventDraft } from '#contract/events/run-event.ts';
import type { BrowserFiles } from '../browser/types.ts';
import type { Workspace } from '../sandbox/types.ts';

/** The largest file that a page is given, in bytes: it is held in memory. */
const UPLOAD_LIMIT_BYTES = 50 * 1024 * 1024;
const DOWNLOADS = 'downloads';

/** The files of the workspace for the pages of one call; `events` gets those that the pages gave. */
export function browserFiles(
  workspace: Workspace,
  { toolCallId, events }: { readonly toolCallId: string; readonly events: RunEventDraft[] },
): BrowserFiles {
  return {
    read: async (path) => {
      const { data, size } = await workspace.withoutLinks().read(path, UPLOAD_LIMIT_BYTES);
      if (size <= data.byteLength) return data;
      throw new AppError(
        'FILE_TOO_LARGE',
        `${path} has ${size} bytes; a page is given files of ${UPLOAD_LIMIT_BYTES} bytes at most.`,
      );
    },
    add: async (name, hostPath) => {
      const path = await workspace.importFile(hostPath, name, DOWNLOADS);
      const { size } = await workspace.withoutLinks().read(path, 0);
      events.push({
        ...{ type: 'workspace_update', operation: 'create', path, size, origin: toolCallId },
      });
      return path;
    },
  };
}
