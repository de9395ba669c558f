import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { HostEntry } from './host-listing.ts';

/** An entry for an archive; `data` is the content of a file. */
export interface ArchiveEntry {
  readonly path: string;
  readonly entry: HostEntry;
  readonly data: Buffer | null;
}

const TYPES = { file: 'file', folder: 'directory', link: 'symlink' } as const;

/** A tar archive of these entries. */
export async function packArchive(entries: readonly ArchiveEntry[]): Promise<Buffer<ArrayBuffer>> {
  const { pack } = await import('tar-stream');
  const archive = pack();
  const packed = collect(archive as AsyncIterable<Buffer>);
  for (const { path, entry, data } of entries) {
    const { kind, mode, modifiedAt, target } = entry;
    const header = { name: path, type: TYPES[kind], mode, mtime: modifiedAt };
    if (kind === 'file')
      archive.entry({ ...header, size: data?.length ?? 0 }, data ?? Buffer.alloc(0));
    else archive.entry(kind === 'link' ? { ...header, linkname: target } : header);
  }
  archive.finalize();
  return await packed;
}

/**
 * Passes each plain file of a tar archive to `take`, which reads all of it or throws. The archive is not
 * trusted; other entries are skipped. Throws beyond `maxBytes`.
 */
export async function unpackFiles(
  archive: ReadableStream<Uint8Array>,
  maxBytes: number,
  take: (path: string, chunks: AsyncIterable<Buffer>) => Promise<void>,
): Promise<void> {
  const { extract } = await import('tar-stream');
  const unpacking = extract();
  const flowing = pipeline(Readable.from(counted(archive, maxBytes)), unpacking);
  // It also fails the loop below, which reports the error.
  flowing.catch(() => undefined);
  for await (const entry of unpacking) {
    const { name, type } = entry.header;
    if (type === 'file') await take(name.replace(/^\.\//, ''), entry as AsyncIterable<Buffer>);
    entry.resume();
  }
  await flowing;
}

/** Names count as well: they are in memory while they are read. */
async function* counted(
  archive: AsyncIterable<Uint8Array>,
  maxBytes: number,
): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  for await (const chunk of archive) {
    bytes += chunk.length;
    if (bytes > maxBytes) throw new Error('the archive holds more than was requested');
    yield chunk;
  }
}

async function collect(stream: AsyncIterable<Buffer>): Promise<Buffer<ArrayBuffer>> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk);
  return Buffer.concat(chunks);
}
