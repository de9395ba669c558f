import type { WorkspaceFiles } from '../sandbox/types.ts';
import { PICTURE_LIMITS } from './types.ts';

/** The bytes of a file of the workspace, one more than a picture may have: the decoder refuses those. */
export async function readPicture(
  path: string,
  files: Pick<WorkspaceFiles, 'read'>,
): Promise<Buffer> {
  return (await files.read(path, PICTURE_LIMITS.bytes + 1)).data;
}
