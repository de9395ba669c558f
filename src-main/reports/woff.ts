import { inflateSync } from 'node:zlib';

const WOFF_HEADER = 44;
const WOFF_ENTRY = 20;
const SFNT_HEADER = 12;
const SFNT_ENTRY = 16;

/**
 * Unpacks a WOFF font (W3C, WOFF File Format 1.0) to a plain font; other fonts stay unchanged. PDFKit can
 * read WOFF itself, but its JavaScript inflater takes seconds.
 */
export function unpackWoff(data: Buffer): Buffer {
  if (data.toString('latin1', 0, 4) !== 'wOFF') return data;
  const count = data.readUInt16BE(12);
  const tables = Array.from({ length: count }, (_, at) => {
    const entry = WOFF_HEADER + at * WOFF_ENTRY;
    const [offset, packed, length] = [4, 8, 12].map((field) => data.readUInt32BE(entry + field));
    const stored = data.subarray(offset, (offset ?? 0) + (packed ?? 0));
    return {
      tag: data.subarray(entry, entry + 4),
      checksum: data.subarray(entry + 16, entry + 20),
      data: packed === length ? stored : inflateSync(stored),
    };
  });
  const header = Buffer.alloc(SFNT_HEADER + count * SFNT_ENTRY);
  data.copy(header, 0, 4, 8);
  header.writeUInt16BE(count, 4);
  const pieces: Uint8Array[] = [header];
  let offset = header.length;
  for (const [at, table] of tables.entries()) {
    const entry = SFNT_HEADER + at * SFNT_ENTRY;
    table.tag.copy(header, entry);
    table.checksum.copy(header, entry + 4);
    header.writeUInt32BE(offset, entry + 8);
    header.writeUInt32BE(table.data.length, entry + 12);
    // Each table begins at a multiple of four.
    const padding = Buffer.alloc(-table.data.length & 3);
    pieces.push(table.data, padding);
    offset += table.data.length + padding.length;
  }
  return Buffer.concat(pieces);
}
