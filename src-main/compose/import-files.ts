import type { Message } from '#contract/entities.ts';
import type { AttachedFile } from '../run/types.ts';
import type { SandboxService } from '../sandbox/types.ts';

/** Copies attached files into a thread's workspace, before its model sees them. */
export async function importFiles(
  sandbox: SandboxService,
  threadId: string,
  files: readonly AttachedFile[],
): Promise<Message['attachments']> {
  const { workspace } = sandbox.forTask(threadId, 'auto');
  const imported: Message['attachments'] = [];
  for (const { name, hostPath } of files) {
    const path = await workspace.importFile(hostPath, name);
    // Of the copy: the file itself may have changed since.
    const { size } = await workspace.read(path, 0);
    imported.push({ name, path, size });
  }
  return imported;
}
