import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { constants, crc32, createDeflateRaw, deflateRawSync } from 'node:zlib';

/** Where the bytes go; waits while they cannot be taken. */
export type WriteBytes = (bytes: Uint8Array) => Promise<void>;

export interface ZipEntry {
  /** With `/`, relative and safe: it is written as it is. */
  readonly name: string;
  /** Milliseconds since the epoch. */
  readonly modifiedAt: number;
  /** All of it at once, or piece by piece. */
  readonly content: Buffer | AsyncIterable<Uint8Array>;
  /** The most bytes that the pieces can have, if that is known. */
  readonly mostBytes?: number;
}

/** Sizes, places and counts from here on do not fit into the fields of a plain zip file. */
const LARGE = 0xffff_ffff;
const MANY = 0xffff;
/** Deflate may make incompressible bytes a little longer. */
const NEARLY_LARGE = LARGE - 64 * 1024 * 1024;

const SIGNATURES = { local: 0x0403_4b50, after: 0x0807_4b50, central: 0x0201_4b50 } as const;
/** Names are UTF-8; with `SIZES_AFTER`, checksum and sizes follow the content. */
const UTF8 = 0x0800;
const SIZES_AFTER = 0x0008;
const METHODS = { stored: 0, deflated: 8 } as const;
/** A zip file with 64-bit sizes needs this version, any other one the lower. */
const VERSIONS = { plain: 20, large: 45 } as const;
/** Made on Unix, so that the mode below counts: a file that its owner may read and write. */
const MADE_ON_UNIX = 3 << 8;
const FILE_MODE = 0o100600;
/** The list of entries is joined in blocks of this size. */
const BLOCK_BYTES = 1024 * 1024;
/** Compressed to see whether it pays. */
const SAMPLE_BYTES = 64 * 1024;

interface Written {
  readonly name: Buffer;
  readonly flags: number;
  readonly method: number;
  readonly time: number;
  readonly crc: number;
  readonly size: number;
  readonly packedSize: number;
  readonly at: number;
}

/**
 * Writes a zip file from front to back, so that neither it nor a file in it is ever in memory as a whole. Entries
 * and files may have any size and number (ZIP64 where it is needed, and only there: old programs read the rest).
 */
export class ZipWriter {
  readonly #write: WriteBytes;
  readonly #signal: AbortSignal;
  readonly #list: Buffer[] = [];
  #block: Buffer[] = [];
  #blockBytes = 0;
  #at = 0;
  #count = 0;

  constructor(write: WriteBytes, signal: AbortSignal) {
    this.#write = write;
    this.#signal = signal;
  }

  /** Bytes written so far. */
  get bytes(): number {
    return this.#at;
  }

  /** How many entries it has. */
  get entries(): number {
    return this.#count;
  }

  /** Adds a file; resolves to its size. Throws what its content and the target throw, and the abort. */
  async add({ name, modifiedAt, content, mostBytes = 0 }: ZipEntry): Promise<number> {
    this.#signal.throwIfAborted();
    const base = { name: Buffer.from(name), time: dosTime(modifiedAt), at: this.#at };
    if (Buffer.isBuffer(content)) return await this.#addWhole(base, content);
    const isLarge = mostBytes >= NEARLY_LARGE;
    const flags = UTF8 | SIZES_AFTER;
    await this.#put(localHeader({ ...base, flags, method: METHODS.deflated, isLarge }));
    const { crc, size, packedSize } = await this.#deflate(content);
    const written = { ...base, flags, method: METHODS.deflated, crc, size, packedSize };
    await this.#put(sizesAfter(written, isLarge));
    this.#remember(written);
    return size;
  }

  /** Writes the list of entries; nothing can be added afterwards. */
  async end(): Promise<void> {
    this.#closeBlock();
    const start = this.#at;
    for (const block of this.#list) await this.#put(block);
    const size = this.#at - start;
    await this.#put(endRecords({ count: this.#count, size, start }));
  }

  async #addWhole(base: Pick<Written, 'name' | 'time' | 'at'>, content: Buffer): Promise<number> {
    const packed = deflateRawSync(content);
    const isSmaller = packed.length < content.length;
    const body = isSmaller ? packed : content;
    const written: Written = {
      ...base,
      flags: UTF8,
      method: isSmaller ? METHODS.deflated : METHODS.stored,
      crc: crc32(content),
      size: content.length,
      packedSize: body.length,
    };
    await this.#put(localHeader({ ...written, isLarge: false }));
    await this.#put(body);
    this.#remember(written);
    return content.length;
  }

  async #deflate(
    content: AsyncIterable<Uint8Array>,
  ): Promise<Pick<Written, 'crc' | 'size' | 'packedSize'>> {
    const start = this.#at;
    let crc = 0;
    let size = 0;
    const pieces = content[Symbol.asyncIterator]();
    const first = await pieces.next();
    const level = first.done === true ? 0 : levelFor(first.value);
    const counted = async function* (): AsyncGenerator<Uint8Array> {
      try {
        for (let next = first; next.done !== true; next = await pieces.next()) {
          const piece = next.value;
          crc = crc32(piece, crc);
          size += piece.length;
          yield piece;
        }
      } finally {
        await pieces.return?.();
      }
    };
    await pipeline(
      Readable.from(counted(), { objectMode: false }),
      createDeflateRaw({ level }),
      async (packed: AsyncIterable<Buffer>) => {
        for await (const piece of packed) await this.#put(piece);
      },
      { signal: this.#signal },
    );
    return { crc, size, packedSize: this.#at - start };
  }

  async #put(bytes: Uint8Array): Promise<void> {
    if (bytes.length === 0) return;
    await this.#write(bytes);
    this.#at += bytes.length;
  }

  #remember(written: Written): void {
    const entry = centralHeader(written);
    this.#block.push(entry);
    this.#blockBytes += entry.length;
    this.#count += 1;
    if (this.#blockBytes >= BLOCK_BYTES) this.#closeBlock();
  }

  #closeBlock(): void {
    this.#list.push(Buffer.concat(this.#block));
    this.#block = [];
    this.#blockBytes = 0;
  }
}

/** Media and archives do not get smaller: they are copied, which takes a tenth of the time. */
function levelFor(sample: Uint8Array): number {
  const part = sample.subarray(0, SAMPLE_BYTES);
  const packed = deflateRawSync(part, { level: constants.Z_BEST_SPEED });
  const pays = packed.length < part.length * 0.95;
  return pays ? constants.Z_DEFAULT_COMPRESSION : constants.Z_NO_COMPRESSION;
}

/** A field of `bytes` bytes, least significant first. */
type Field = readonly [value: number, bytes: 2 | 4 | 8];

function fields(list: readonly Field[]): Buffer {
  const buffer = Buffer.alloc(list.reduce((sum, [, bytes]) => sum + bytes, 0));
  let at = 0;
  for (const [value, bytes] of list) {
    if (bytes === 8) buffer.writeBigUInt64LE(BigInt(value), at);
    else buffer.writeUIntLE(value, at, bytes);
    at += bytes;
  }
  return buffer;
}

function isLargeEntry({ size, packedSize }: Pick<Written, 'size' | 'packedSize'>): boolean {
  return size >= LARGE || packedSize >= LARGE;
}

function localHeader({
  name,
  flags,
  method,
  time,
  crc = 0,
  size = 0,
  packedSize = 0,
  isLarge,
}: Partial<Written> &
  Pick<Written, 'name' | 'flags' | 'method' | 'time'> & {
    readonly isLarge: boolean;
  }): Buffer {
  // The sizes themselves follow the content.
  const extra = isLarge
    ? fields([
        [1, 2],
        [16, 2],
        [0, 8],
        [0, 8],
      ])
    : Buffer.alloc(0);
  return Buffer.concat([
    fields([
      [SIGNATURES.local, 4],
      [isLarge ? VERSIONS.large : VERSIONS.plain, 2],
      [flags, 2],
      [method, 2],
      [time, 4],
      [crc, 4],
      [isLarge ? LARGE : packedSize, 4],
      [isLarge ? LARGE : size, 4],
      [name.length, 2],
      [extra.length, 2],
    ]),
    name,
    extra,
  ]);
}

function sizesAfter(written: Written, isLarge: boolean): Buffer {
  const bytes = isLarge || isLargeEntry(written) ? 8 : 4;
  return fields([
    [SIGNATURES.after, 4],
    [written.crc, 4],
    [written.packedSize, bytes],
    [written.size, bytes],
  ]);
}

function centralHeader(written: Written): Buffer {
  const { name, flags, method, time, crc, size, packedSize, at } = written;
  const large = [size, packedSize, at].filter((value) => value >= LARGE);
  const extra =
    large.length === 0
      ? Buffer.alloc(0)
      : fields([[1, 2], [large.length * 8, 2], ...large.map((value): Field => [value, 8])]);
  const version = large.length === 0 ? VERSIONS.plain : VERSIONS.large;
  return Buffer.concat([
    fields([
      [SIGNATURES.central, 4],
      [MADE_ON_UNIX | version, 2],
      [version, 2],
      [flags, 2],
      [method, 2],
      [time, 4],
      [crc, 4],
      [Math.min(packedSize, LARGE), 4],
      [Math.min(size, LARGE), 4],
      [name.length, 2],
      [extra.length, 2],
      // No comment, on the first disk, no attributes of another kind.
      [0, 2],
      [0, 2],
      [0, 2],
      [FILE_MODE * 0x1_0000, 4],
      [Math.min(at, LARGE), 4],
    ]),
    name,
    extra,
  ]);
}

function endRecords(list: {
  readonly count: number;
  readonly size: number;
  readonly start: number;
}): Buffer {
  const { count, size, start } = list;
  const isLarge = count >= MANY || size >= LARGE || start >= LARGE;
  const end = fields([
    [0x0605_4b50, 4],
    [0, 2],
    [0, 2],
    [Math.min(count, MANY), 2],
    [Math.min(count, MANY), 2],
    [Math.min(size, LARGE), 4],
    [Math.min(start, LARGE), 4],
    [0, 2],
  ]);
  if (!isLarge) return end;
  const large = fields([
    [0x0606_4b50, 4],
    [44, 8],
    [MADE_ON_UNIX | VERSIONS.large, 2],
    [VERSIONS.large, 2],
    [0, 4],
    [0, 4],
    [count, 8],
    [count, 8],
    [size, 8],
    [start, 8],
  ]);
  const where = fields([
    [0x0706_4b50, 4],
    [0, 4],
    [start + size, 8],
    [1, 4],
  ]);
  return Buffer.concat([large, where, end]);
}

/** Local time in steps of two seconds, from 1980 to 2107. */
function dosTime(at: number): number {
  const date = new Date(at);
  const year = Math.min(Math.max(date.getFullYear() || 1980, 1980), 2107) - 1980;
  const day = (year << 9) | ((date.getMonth() + 1 || 1) << 5) | (date.getDate() || 1);
  const time = (date.getHours() << 11) | (date.getMinutes() << 5) | (date.getSeconds() >> 1);
  return day * 0x1_0000 + time;
}
