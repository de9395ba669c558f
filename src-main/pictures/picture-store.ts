import { createHash, randomBytes } from 'node:crypto';
import { copyFile, mkdir, open, readdir, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { PictureRef } from '../models/pictures/picture-ref.ts';
import type { PictureSize } from '../models/pictures/picture-rules.ts';
import type { ImagePart } from '../models/types.ts';
import { toFileError } from '../storage/storage-error.ts';
import type { PictureDecoder } from './picture-decoder.ts';
import type { DecodedPicture } from './types.ts';

/** The largest size that any model's rules ask for. */
const KEPT = { width: 2_048, height: 2_048 };
/** Twice the size in which the window shows it, for sharp screens. */
const PREVIEW_EDGE = 160;

/** What a window shows of a picture before it is sent. */
export interface PicturePreview extends PictureSize {
  /** A small PNG as a `data:` URL. */
  readonly preview: string;
}

/** The pictures of tasks: `dir/TASK/HASH` is one as it was decoded, with smaller copies beside it. */
export class PictureStore {
  readonly #dir: string;
  readonly #decoder: PictureDecoder;

  constructor(dir: string, decoder: PictureDecoder) {
    this.#dir = dir;
    this.#decoder = decoder;
  }

  /** What a file shows. Throws `PICTURE_UNREADABLE`, `PICTURE_TOO_LARGE`. */
  async preview(bytes: Uint8Array, signal?: AbortSignal): Promise<PicturePreview> {
    const within = { width: PREVIEW_EDGE, height: PREVIEW_EDGE };
    const job = { within, previewEdge: PREVIEW_EDGE };
    const { original, preview } = await this.#decoder.decode(bytes, job, signal);
    const data = Buffer.from(preview ?? []).toString('base64');
    return { ...original, preview: `data:image/png;base64,${data}` };
  }

  /**
   * A picture to put into a file that is shared: decoded and written again, without metadata. Throws
   * `PICTURE_UNREADABLE`, `PICTURE_TOO_LARGE`.
   */
  async inline(bytes: Uint8Array): Promise<Pick<DecodedPicture, 'data' | 'mimeType'>> {
    return await this.#decoder.decode(bytes, { within: KEPT });
  }

  /**
   * Decodes a file and keeps its picture with the task; it is on disk when this resolves. Throws
   * `PICTURE_UNREADABLE`, `PICTURE_TOO_LARGE`, `DISK_FULL`.
   */
  async add(
    threadId: string,
    { name, bytes }: { readonly name: string; readonly bytes: Uint8Array },
    signal?: AbortSignal,
  ): Promise<PictureRef> {
    const picture = await this.#decoder.decode(bytes, { within: KEPT }, signal);
    const { data, mimeType, width, height } = picture;
    const sha256 = sha256Of(data);
    await this.#write(threadId, sha256, data);
    return { name, sha256, mimeType, width, height };
  }

  /** A picture in this size: the same bytes each time. Null where it is no longer kept as it was. */
  async load(
    threadId: string,
    picture: PictureRef,
    { size, signal }: { readonly size: PictureSize; readonly signal: AbortSignal },
  ): Promise<ImagePart | null> {
    const { sha256, mimeType, width, height } = picture;
    const kept = await this.#read(threadId, sha256);
    if (kept === null || sha256Of(kept) !== sha256) return null;
    if (size.width >= width && size.height >= height) return partOf(mimeType, kept);
    const smaller = `${sha256}-${size.width}x${size.height}`;
    const known = await this.#read(threadId, smaller);
    if (known !== null) return partOf(typeOf(known), known);
    const made = await this.#decoder.decode(kept, { within: size }, signal);
    await this.#write(threadId, smaller, made.data);
    return partOf(made.mimeType, made.data);
  }

  /** Copies the pictures of one task to another. */
  async copyTask(from: string, to: string): Promise<void> {
    const source = this.#folder(from);
    const all = await readdir(source).catch(ifThere<string[]>([]));
    // One that is being written is not referred to yet, and may be gone in a moment.
    const files = all.filter((file) => !file.endsWith('.part'));
    if (files.length === 0) return;
    try {
      await mkdir(this.#folder(to), { recursive: true, mode: 0o700 });
      for (const file of files) await copyFile(join(source, file), join(this.#folder(to), file));
    } catch (error) {
      throw toFileError(error, this.#dir);
    }
  }

  async removeTask(threadId: string): Promise<void> {
    await rm(this.#folder(threadId), { recursive: true, force: true });
  }

  #folder(threadId: string): string {
    if (!/^[\w-]+$/.test(threadId)) throw new Error(`${threadId} is not the id of a task`);
    return join(this.#dir, threadId);
  }

  async #read(threadId: string, file: string): Promise<Buffer | null> {
    return await readFile(join(this.#folder(threadId), file)).catch(ifThere(null));
  }

  /** Whole or not at all, and on disk: the journal will refer to it. */
  async #write(threadId: string, file: string, data: Uint8Array): Promise<void> {
    const folder = this.#folder(threadId);
    const part = join(folder, `${file}.${randomBytes(4).toString('hex')}.part`);
    try {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      const handle = await open(part, 'wx', 0o600);
      try {
        await handle.writeFile(data);
        await handle.sync();
      } finally {
        await handle.close();
      }
      await rename(part, join(folder, file));
    } catch (error) {
      await rm(part, { force: true });
      throw toFileError(error, this.#dir);
    }
  }
}

function sha256Of(data: Uint8Array): string {
  return createHash('sha256').update(data).digest('hex');
}

function ifThere<Missing>(missing: Missing): (error: NodeJS.ErrnoException) => Missing {
  return (error) => {
    if (error.code === 'ENOENT') return missing;
    throw error;
  };
}

function partOf(mimeType: string, data: Uint8Array): ImagePart {
  return { mimeType, data: Buffer.from(data).toString('base64') };
}

function typeOf(data: Uint8Array): PictureRef['mimeType'] {
  return data[0] === 0x89 ? 'image/png' : 'image/jpeg';
}
