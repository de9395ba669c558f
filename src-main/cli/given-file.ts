import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';

/** Why a file that was given cannot be read, as the end of a sentence. */
export class UnreadableFile extends Error {}

/** A file that holds more than is taken; `bytes` is what is known of its size. */
export class OversizedFile extends Error {
  readonly bytes: number;

  constructor(bytes: number) {
    super('it is too large');
    this.bytes = bytes;
  }
}

/**
 * All bytes of a plain file that the user named. A pipe, a device or a socket is refused: it may have no
 * end, or nobody at its other one. Throws `UnreadableFile`, or `OversizedFile` past `maxBytes`.
 */
export async function readGivenFile(file: string, maxBytes: number): Promise<Buffer> {
  try {
    // A pipe is opened without waiting for whoever writes into it.
    await using handle = await open(file, constants.O_RDONLY | constants.O_NONBLOCK);
    const info = await handle.stat();
    if (info.isDirectory()) throw new UnreadableFile('it is a folder');
    if (!info.isFile()) throw new UnreadableFile('it is no plain file; save what it gives as one');
    if (info.size > maxBytes) throw new OversizedFile(info.size);
    return await readUpTo(handle, maxBytes);
  } catch (error) {
    if (error instanceof UnreadableFile || error instanceof OversizedFile) throw error;
    throw new UnreadableFile(reasonOf(error), { cause: error });
  }
}

/** To its end: it may have grown, or be a file of the system, which has no size. */
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

/** Said after "cannot be read:". */
export function whyUnread(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function reasonOf(error: unknown): string {
  const code = (error as NodeJS.ErrnoException).code;
  switch (code) {
    case 'ENOENT':
      return 'there is no such file';
    case 'EACCES':
    case 'EPERM':
      return 'it may not be read';
    case 'EISDIR':
      return 'it is a folder';
    case 'ENXIO':
      return 'it is no plain file';
    default:
      return error instanceof Error ? error.message : String(error);
  }
}
