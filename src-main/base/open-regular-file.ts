import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';

/**
 * Opens a file to read. Rejects for anything else that has a path: a pipe would be waited for, and a device never
 * ends. Asked of the open file, because the path may lead elsewhere a moment later. With `followsLink: false`, a link
 * rejects, too.
 */
export async function openRegularFile(
  path: string,
  { followsLink = true } = {},
): Promise<FileHandle> {
  // Windows has neither flag; there, only an administrator makes links to files.
  const noFollow = followsLink ? 0 : (constants.O_NOFOLLOW ?? 0);
  const handle = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | noFollow);
  try {
    if ((await handle.stat()).isFile()) return handle;
    throw new Error(`${path} is not a regular file`);
  } catch (error) {
    await handle.close();
    throw error;
  }
}
