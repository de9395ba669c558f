import { createHash, randomUUID } from 'node:crypto';
import { existsSync, readdirSync, unlinkSync } from 'node:fs';
import { type FileHandle, mkdir, open, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { Readable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { AppError } from '#contract/errors.ts';
import { toFileError } from '../../storage/storage-error.ts';

/** First byte of a blob: how its other bytes are stored. */
const PLAIN = 0;
const DEFLATED = 1;
/** Bytes compressed to see whether it pays, and the size below which it never does. */
const SAMPLE_BYTES = 64 * 1024;
const SMALLEST_PACKED = 512;
const PIECE_BYTES = 256 * 1024;

/** Protects blobs from sweeping until a row names them. */
export interface BlobLease extends Disposable {
  /** Stores the whole content of a file. */
  put(source: FileHandle): Promise<{ readonly sha256: string; readonly bytes: number }>;
  /** Whether the blob exists; protects it from now on. */
  keep(sha256: string): boolean;
}

/**
 * Stores contents by their hash, each once: `blobs/ab/<sha256>`. A blob is written to a staging folder, synced
 * and renamed, so that any blob under its name is complete; its hash is checked whenever it is read.
 */
export class BlobStore {
  readonly #blobs: string;
  readonly #staging: string;
  /** Blobs known to exist on disk. */
  readonly #known = new Set<string>();
  readonly #writing = new Set<string>();
  readonly #leases = new Set<ReadonlySet<string>>();
  /** Folders with new names that are not synced yet. */
  readonly #unsynced = new Set<string>();
  /** Blobs requested during a sweep: rows that the sweep did not read may name them. */
  #requested: Set<string> | null = null;

  constructor(dir: string) {
    this.#blobs = path.join(dir, 'blobs');
    this.#staging = path.join(dir, 'aside');
  }

  lease(): BlobLease {
    const leased = new Set<string>();
    this.#leases.add(leased);
    const hold = (sha256: string): void => {
      leased.add(sha256);
      this.#requested?.add(sha256);
    };
    return {
      put: (source) => this.#put(source, hold),
      keep: (sha256) => {
        hold(sha256);
        return this.#has(sha256);
      },
      [Symbol.dispose]: () => void this.#leases.delete(leased),
    };
  }

  /** Resolves when the names of all new blobs are on disk. */
  async sync(): Promise<void> {
    const folders = [...this.#unsynced];
    this.#unsynced.clear();
    await Promise.all(folders.map(syncFolder));
  }

  /** The content, in pieces. Throws `STORAGE_FAILED` if it is missing, or at the end if it is damaged. */
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

  /** Throws `STORAGE_FAILED` unless the blob exists and is intact. */
  async verify(sha256: string): Promise<void> {
    for await (const _piece of this.read(sha256)) {
      // Reading checks the hash.
    }
  }

  /**
   * Removes blobs that no row names and files that a killed process left half written. `named` reports all
   * hashes in rows; rows that are added meanwhile need a lease on their blobs. Returns the number of files
   * removed.
   */
  async sweep(named: (add: (sha256: string) => void) => Promise<void>): Promise<number> {
    const keep = new Set<string>();
    // Includes currently leased ones: their row may be added after the ids were read, and their lease end before.
    this.#requested = new Set([...this.#leases].flatMap((leased) => [...leased]));
    let removed = 0;
    try {
      await named((sha256) => keep.add(sha256));
      for (const bucket of namesIn(this.#blobs)) {
        await nextTurn();
        for (const name of namesIn(path.join(this.#blobs, bucket))) {
          if (keep.has(name) || this.#requested.has(name)) continue;
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
      this.#requested = null;
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
        // Most files are small, and most of those are known, so nothing is written to find out.
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
  /** The beginning, already read; everything if `isWhole`. */
  readonly first: Buffer;
  readonly isWhole: boolean;
  readonly staging: string;
  readonly packs: boolean;
}

/** Writes and syncs a blob under a temporary name. */
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
  // Windows cannot open folders, and needs no such sync.
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

/** Loaded on first use, not at every start. */
function zlib(): typeof import('node:zlib') {
  return process.getBuiltinModule('node:zlib');
}
