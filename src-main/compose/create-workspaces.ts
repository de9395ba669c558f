import type { Message } from '#contract/entities.ts';
import type { Settings } from '#contract/settings.ts';
import type { GivenFolder } from '#contract/user-folder.ts';
import type { Clock } from '../base/clock.ts';
import type { Logger } from '../base/logger.ts';
import type { AttachedFile } from '../run/types.ts';
import { BlobStore } from '../sandbox/snapshots/blob-store.ts';
import { WorkspaceSnapshots } from '../sandbox/snapshots/workspace-snapshots.ts';
import type { SandboxProvider } from '../sandbox/types.ts';
import { UnifiedSandboxManager } from '../sandbox/unified-sandbox-manager.ts';
import { UserEdits } from '../sandbox/user-edits.ts';
import { HostWorkspace } from '../sandbox/workspace/host-workspace.ts';
import { isPlainFile } from '../sandbox/workspace/plain-file.ts';
import type { DataStores } from '../storage/open-stores.ts';
import { type CopiedFolder, UserFolders } from '../user-folder/user-folders.ts';

export interface WorkspaceParts {
  readonly stores: Pick<DataStores, 'paths' | 'proofs' | 'snapshots' | 'userEdits' | 'userFolders'>;
  readonly providers: readonly SandboxProvider[];
  readonly settings: () => Settings;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** What works on the files of tasks: their sandboxes, their snapshots, and the user's own folders in them. */
export function createWorkspaces({ stores, providers, ...common }: WorkspaceParts) {
  const { paths } = stores;
  const workspaceDir = paths.workspace;
  const sandbox = new UnifiedSandboxManager({
    ...{ ...common, providers, workspaceDir },
    proofs: stores.proofs,
  });
  const snapshots = new WorkspaceSnapshots({
    ...{ ...common, workspaceDir },
    store: stores.snapshots,
    blobs: new BlobStore(paths.snapshots),
    quiet: (threadId) => sandbox.release(threadId),
  });
  const edits = new UserEdits({
    ...{ store: stores.userEdits, snapshots },
    isThere: (threadId, path) => isPlainFile(path, new HostWorkspace(workspaceDir(threadId))),
  });
  const userFolders = new UserFolders({
    ...{ workspaceDir, clock: common.clock, dataDir: paths.dataDir },
    store: stores.userFolders,
    stagingDir: paths.transfers,
    backupsDir: paths.folderBackups,
  });

  /** Copies attached files into the workspace of a task, before its model sees them. */
  const importAttachments = async (
    threadId: string,
    files: readonly AttachedFile[],
  ): Promise<Message['attachments']> => {
    const { workspace } = sandbox.forTask(threadId, 'auto');
    const imported: Message['attachments'] = [];
    for (const { name, hostPath } of files) {
      const path = await workspace.importFile(hostPath, name);
      // Of the copy: the file itself may have changed since.
      const { size } = await workspace.read(path, 0);
      imported.push({ name, path, size });
    }
    return imported;
  };

  const copyFolderIn = async (threadId: string, folder: GivenFolder): Promise<CopiedFolder> => {
    const copied = await userFolders.copyIn(threadId, folder);
    // What the user adds is no change by a call.
    await sandbox.forTask(threadId, 'auto').workspace.changes();
    return copied;
  };

  /** Ends what runs for a task and removes its files, but not its snapshots. */
  const remove = async (threadId: string): Promise<void> => {
    await Promise.all([sandbox.removeTask(threadId), userFolders.forget(threadId)]);
    snapshots.forget(threadId);
  };

  return { sandbox, snapshots, edits, userFolders, importAttachments, copyFolderIn, remove };
}
