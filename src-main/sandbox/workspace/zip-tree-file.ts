import type { FileHandle } from 'node:fs/promises';
import type { ZipWriter } from '../../base/zip-writer.ts';
import type { TreeEntry } from './hostile-tree.ts';

/** Files up to this size are compressed in one piece. */
const WHOLE_BYTES = 64 * 1024;
const PIECE_BYTES = 256 * 1024;

/** Adds a file of a tree to a zip file, and closes it. Returns whether all of it could be read. */
export async function zipTreeFile(
  zip: ZipWriter,
  { info, handle }: Extract<TreeEntry, { kind: 'file' }>,
  name: string,
): Promise<boolean> {
  await using file = handle;
  const pieces = piecesOf(file, info.size);
  const size = await zip.add({
    name,
    modifiedAt: info.mtimeMs,
    mostBytes: info.size,
    content: info.size <= WHOLE_BYTES ? await whole(pieces) : pieces,
  });
  return size >= info.size;
}

/**
 * A file as it is now, up to the size that it had: one that grows while it is read is not read forever. It ends where
 * the disk fails, because what was written of it cannot be taken back.
 */
async function* piecesOf(file: FileHandle, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < size; ) {
    const piece = Buffer.allocUnsafe(Math.min(PIECE_BYTES, size - at));
    const { bytesRead } = await file
      .read(piece, 0, piece.length, at)
      .catch(() => ({ bytesRead: 0 }));
    if (bytesRead === 0) return;
    at += bytesRead;
    yield piece.subarray(0, bytesRead);
  }
}

async function whole(pieces: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const all: Uint8Array[] = [];
  for await (const piece of pieces) all.push(piece);
  return Buffer.concat(all);
}
