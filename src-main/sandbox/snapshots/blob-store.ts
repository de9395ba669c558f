import { createHash, randomUUID } from 'node:crypto';
import { existsSync, readdirSync, unlinkSync } from 'node:fs';
import { type FileHandle, mkdir, open, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { Readable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { AppError } from '#contract/errors.ts';
import { toFileError } from '../../storage/storage-error.ts';

/** First byte of a blob: what its other bytes are. */
const PLAIN = 0;
const DEFLATED = 1;
/** Bytes that are tried to see whether packing pays, and below which it never does. */
const SAMPLE_BYTES = 64 * 1024;
const SMALLEST_PACKED = 512;
const PIECE_BYTES = 256 * 1024;

/** Keeps blobs from being swept while whoever holds it has not named them in a row yet. */
export interface BlobLease extends Disposable {
  /** Stores what a file holds from its start to its end. */
  put(source: FileHandle): Promise<{ readonly sha256: string; readonly bytes: number }>;
  /** Whether the blob is there; from now on it stays. */
  keep(sha256: string): boolean;
}

/**
 * Contents by their hash, each once: `blobs/ab/<sha256>`. A blob is written aside, synced and renamed, so
 * that one under its name is whole; it is checked against its name whenever it is read.
 */
export class BlobStore {
  readonly #blobs: string;
  readonly #staging: string;
  /** Blobs that were seen on disk. */
  readonly #known = new Set<string>();
  readonly #writing = new Set<string>();
  readonly #leases = new Set<ReadonlySet<string>>();
  /** Folders with new names in them that are not synced yet. */
  readonly #unsynced = new Set<string>();
  /** What was asked for while a sweep was on: it may be in rows that the sweep did not see. */
  #askedFor: Set<string> | null = null;

  constructor(dir: string) {
    this.#blobs = path.join(dir, 'blobs');
    this.#staging = path.join(dir, 'aside');
  }

  lease(): BlobLease {
    const held = new Set<string>();
    this.#leases.add(held);
    const hold = (sha256: string): void => {
      held.add(sha256);
      this.#askedFor?.add(sha256);
    };
    return {
      put: (source) => this.#put(source, hold),
      keep: (sha256) => {
        hold(sha256);
        return this.#has(sha256);
      },
      [Symbol.dispose]: () => void this.#leases.delete(held),
    };
  }

  /** The names of what was put are on disk when it resolves. */
  async sync(): Promise<void> {
    const folders = [...this.#unsynced];
    this.#unsynced.clear();
    await Promise.all(folders.map(syncFolder));
  }

  /** The content, in pieces. Throws `STORAGE_FAILED` where it is missing or not what it was; then at the end. */
  async *read(sha256: string): AsyncGenerator<Buffer> {
    let file: FileHandle;
    try {
      file = await open(this.#placeOf(sha256));
    } catch (error) {
      throw damaged(sha256, error);
    }
    await using handle = file;
    const head = Buffer.alloc(1);
    await handle.read(head, 0, 1, 0);
    const stored = handle.createReadStream({ start: 1, autoClose: false });
    const content =
      head[0] === DEFLATED ? Readable.from(stored).compose(zlib().createInflateRaw()) : stored;
    const hash = createHash('sha256');
    try {
      for await (const piece of content) {
        hash.update(piece as Buffer);
        yield piece as Buffer;
      }
    } catch (error) {
      throw error instanceof AppError ? error : damaged(sha256, error);
    }
    if (hash.digest('hex') !== sha256) throw damaged(sha256);
  }

  /** Throws `STORAGE_FAILED` unless the blob is there and what it was. */
  async verify(sha256: string): Promise<void> {
    for await (const _piece of this.read(sha256)) {
      // Reading is checking.
    }
  }

  /**
   * Removes blobs that nobody names and what a killed process left half written. `named` gives all hashes
   * in rows; rows that are added meanwhile need a lease on what they name. How many files were removed.
   */
  async sweep(named: (add: (sha256: string) => void) => Promise<void>): Promise<number> {
    const keep = new Set<string>();
    // Those held now as well: their row may come after the ids were read, and their lease end before.
    this.#askedFor = new Set([...this.#leases].flatMap((held) => [...held]));
    let removed = 0;
    try {
      await named((sha256) => keep.add(sha256));
      for (const bucket of namesIn(this.#blobs)) {
        await nextTurn();
        for (const name of namesIn(path.join(this.#blobs, bucket))) {
          if (keep.has(name) || this.#askedFor.has(name)) continue;
          this.#known.delete(name);
          unlinkSync(path.join(this.#blobs, bucket, name));
          removed += 1;
        }
      }
      for (const name of namesIn(this.#staging)) {
        if (this.#writing.has(name)) continue;
        unlinkSync(path.join(this.#staging, name));
        removed += 1;
      }
    } finally {
      this.#askedFor = null;
    }
    return removed;
  }

  async #put(
    source: FileHandle,
    hold: (sha256: string) => void,
  ): Promise<{ sha256: string; bytes: number }> {
    const name = randomUUID();
    const staging = path.join(this.#staging, name);
    this.#writing.add(name);
    try {
      const first = await readPiece(source, 0, SAMPLE_BYTES);
      const isWhole = first.length < SAMPLE_BYTES;
      if (isWhole) {
        // Most files are small, and most of those are known: nothing is written to find that out.
        const sha256 = createHash('sha256').update(first).digest('hex');
        hold(sha256);
        if (this.#has(sha256)) return { sha256, bytes: first.length };
      }
      const packs = paysToPack(first);
      await mkdir(this.#staging, { recursive: true, mode: 0o700 });
      const written = await writeBlob({ source, first, isWhole, staging, packs });
      hold(written.sha256);
      if (!this.#has(written.sha256)) await this.#keep(staging, written.sha256);
      return written;
    } catch (error) {
      throw toFileError(error, this.#blobs);
    } finally {
      await rm(staging, { force: true });
      this.#writing.delete(name);
    }
  }

  async #keep(staging: string, sha256: string): Promise<void> {
    const place = this.#placeOf(sha256);
    const bucket = path.dirname(place);
    if ((await mkdir(bucket, { recursive: true, mode: 0o700 })) !== undefined) {
      this.#unsynced.add(this.#blobs);
    }
    await rename(staging, place);
    this.#unsynced.add(bucket);
    this.#known.add(sha256);
  }

  #has(sha256: string): boolean {
    if (this.#known.has(sha256)) return true;
    if (!existsSync(this.#placeOf(sha256))) return false;
    this.#known.add(sha256);
    return true;
  }

  #placeOf(sha256: string): string {
    return path.join(this.#blobs, sha256.slice(0, 2), sha256);
  }
}

interface Writing {
  readonly source: FileHandle;
  /** The beginning, which was read already; all of it if `isWhole`. */
  readonly first: Buffer;
  readonly isWhole: boolean;
  readonly staging: string;
  readonly packs: boolean;
}

/** Writes and syncs a blob under a name of its own. */
async function writeBlob({ source, first, isWhole, staging, packs }: Writing) {
  await using target = await open(staging, 'wx', 0o600);
  const hash = createHash('sha256').update(first);
  let bytes = first.length;
  if (isWhole) {
    const body = packs ? zlib().deflateRawSync(first, { level: 1 }) : first;
    await target.writeFile(Buffer.concat([Buffer.of(packs ? DEFLATED : PLAIN), body]));
  } else {
    const pieces = async function* (): AsyncGenerator<Buffer> {
      yield first;
      for (;;) {
        const piece = await readPiece(source, bytes, PIECE_BYTES);
        if (piece.length === 0) return;
        hash.update(piece);
        bytes += piece.length;
        yield piece;
      }
    };
    await target.writeFile(Buffer.of(packs ? DEFLATED : PLAIN));
    const content = Readable.from(pieces());
    const body = packs ? content.compose(zlib().createDeflateRaw({ level: 1 })) : content;
    for await (const piece of body) await target.writeFile(piece as Buffer);
  }
  await target.sync();
  return { sha256: hash.digest('hex'), bytes };
}

async function readPiece(source: FileHandle, at: number, most: number): Promise<Buffer> {
  const piece = Buffer.alloc(most);
  let length = 0;
  while (length < most) {
    const { bytesRead } = await source.read(piece, length, most - length, at + length);
    if (bytesRead === 0) break;
    length += bytesRead;
  }
  return piece.subarray(0, length);
}

function paysToPack(sample: Buffer): boolean {
  if (sample.length < SMALLEST_PACKED) return false;
  return zlib().deflateRawSync(sample, { level: 1 }).length < sample.length * 0.9;
}

async function syncFolder(folder: string): Promise<void> {
  // Windows opens no folders, and needs no such sync.
  if (process.platform === 'win32') return;
  try {
    await using handle = await open(folder);
    await handle.sync();
  } catch (error) {
    throw toFileError(error, folder);
  }
}

function namesIn(folder: string): string[] {
  return existsSync(folder) ? readdirSync(folder) : [];
}

function damaged(sha256: string, cause?: unknown): AppError {
  return new AppError(
    'STORAGE_FAILED',
    'A file of this snapshot is missing or damaged on the disk. Nothing was changed; choose another snapshot.',
    { details: { sha256 }, cause },
  );
}

/** Loaded when a blob is packed or unpacked, not at every start. */
function zlib(): typeof import('node:zlib') {
  return process.getBuiltinModule('node:zlib');
}
