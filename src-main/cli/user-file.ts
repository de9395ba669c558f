import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';

/** The message says why a file cannot be read, as the end of a sentence. */
export class UnreadableFile extends Error {}

/** A file over the size limit. `bytes` is its size as far as it was read. */
export class OversizedFile extends Error {
  readonly bytes: number;

  constructor(bytes: number) {
    super('it is too large');
    this.bytes = bytes;
  }
}

/**
 * Reads a regular file that the user named. Refuses pipes, devices and sockets: they may never end, or
 * block without a writer. Throws `UnreadableFile`, or `OversizedFile` past `maxBytes`.
 */
export function readUserFile(file: string, maxBytes: number): Promise<Buffer> {
  return withUserFile(file, maxBytes, (handle) => readUpTo(handle, maxBytes));
}

/** Whether `readUserFile` would begin to read; throws as it does. */
export function checkUserFile(file: string, maxBytes: number): Promise<void> {
  return withUserFile(file, maxBytes, async () => undefined);
}

async function withUserFile<Result>(
  file: string,
  maxBytes: number,
  use: (handle: FileHandle) => Promise<Result>,
): Promise<Result> {
  try {
    // Without O_NONBLOCK, opening a pipe would wait for a writer.
    await using handle = await open(file, constants.O_RDONLY | constants.O_NONBLOCK);
    const info = await handle.stat();
    if (info.isDirectory()) throw new UnreadableFile('it is a folder');
    if (!info.isFile())
      throw new UnreadableFile('it is not a regular file; save its content to a file first');
    if (info.size > maxBytes) throw new OversizedFile(info.size);
    return await use(handle);
  } catch (error) {
    if (error instanceof UnreadableFile || error instanceof OversizedFile) throw error;
    throw new UnreadableFile(reasonOf(error), { cause: error });
  }
}

/** Reads to the end: the file may have grown, and files such as those in /proc report no size. */
async function readUpTo(handle: FileHandle, maxBytes: number): Promise<Buffer> {
  const pieces: Buffer[] = [];
  let bytes = 0;
  for await (const piece of handle.createReadStream({ autoClose: false })) {
    bytes += (piece as Buffer).length;
    if (bytes > maxBytes) throw new OversizedFile(bytes);
    pieces.push(piece as Buffer);
  }
  return Buffer.concat(pieces);
}

/** Follows "cannot be read:" in a message. */
export function readFailure(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function reasonOf(error: unknown): string {
  const code = (error as NodeJS.ErrnoException).code;
  switch (code) {
    case 'ENOENT':
      return 'the file does not exist';
    case 'EACCES':
    case 'EPERM':
      return 'permission denied';
    case 'EISDIR':
      return 'it is a folder';
    case 'ENXIO':
      return 'it is not a regular file';
    default:
      return error instanceof Error ? error.message : String(error);
  }
}
