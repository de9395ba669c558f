import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { AppError } from '#contract/errors.ts';
import { ATTACHMENT_LIMIT_BYTES } from '#contract/limits.ts';
import type { Clock } from '../base/clock.ts';
import { newId } from '../base/ids.ts';
import { toFileError } from './storage-error.ts';

/** An attached file: `hostPath` is the app's copy or the user's own file, `name` is the user's name for it. */
export interface StoredAttachment {
  readonly name: string;
  readonly hostPath: string;
}

/**
 * Uploaded files that no run uses yet. They belong to this process: no window remembers those of an earlier
 * one.
 */
export class AttachmentStore {
  readonly #dir: string;
  readonly #clock: Clock;
  readonly #stored = new Map<string, StoredAttachment>();

  constructor(dir: string, clock: Clock) {
    this.#dir = dir;
    this.#clock = clock;
  }

  /** Throws `ATTACHMENT_TOO_LARGE`, `DISK_FULL`. */
  async add(
    name: string,
    data: Uint8Array,
  ): Promise<{ attachmentId: string; name: string; size: number }> {
    const size = data.byteLength;
    if (size > ATTACHMENT_LIMIT_BYTES) throw tooLarge(name, size);
    const attachmentId = newId('att', this.#clock.now());
    // The user's name for it never becomes part of a path.
    const hostPath = join(this.#dir, attachmentId);
    // Registered before it is written: `sweep` deletes unknown files.
    this.#stored.set(attachmentId, { name, hostPath });
    try {
      await mkdir(this.#dir, { recursive: true, mode: 0o700 });
      await writeFile(hostPath, data, { mode: 0o600 });
    } catch (error) {
      this.#stored.delete(attachmentId);
      await rm(hostPath, { force: true });
      throw toFileError(error, this.#dir);
    }
    return { attachmentId, name, size };
  }

  /** A file of this computer, which is not copied here and never removed. Returns its id. */
  addFile(name: string, hostPath: string): string {
    const attachmentId = newId('att', this.#clock.now());
    this.#stored.set(attachmentId, { name, hostPath });
    return attachmentId;
  }

  /** In the given order. Throws `NOT_FOUND` for a file that was already used or never existed. */
  find(attachmentIds: readonly string[]): StoredAttachment[] {
    return attachmentIds.map((attachmentId) => {
      const attachment = this.#stored.get(attachmentId);
      if (attachment !== undefined) return attachment;
      throw new AppError('NOT_FOUND', 'An attached file is no longer there. Attach it again.', {
        details: { attachmentId },
      });
    });
  }

  /** Removes files that were used or are no longer wanted. */
  async remove(attachmentIds: readonly string[]): Promise<void> {
    for (const attachmentId of attachmentIds) {
      if (this.#stored.delete(attachmentId))
        await rm(join(this.#dir, attachmentId), { force: true });
    }
  }

  /** Removes what an earlier process left behind. */
  async sweep(): Promise<void> {
    const files = await readdir(this.#dir).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return [];
      throw toFileError(error, this.#dir);
    });
    for (const file of files) {
      if (this.#stored.has(file)) continue;
      await rm(join(this.#dir, file), { recursive: true, force: true });
    }
  }
}

function tooLarge(name: string, size: number): AppError {
  const megabytes = (bytes: number): string => `${Math.ceil(bytes / 1024 / 1024)} MB`;
  return new AppError(
    'ATTACHMENT_TOO_LARGE',
    `"${name}" is ${megabytes(size)}; attachments can be up to ${megabytes(ATTACHMENT_LIMIT_BYTES)}. Attach a part of it, or all of it with the CLI: hyperagent run --attach FILE.`,
    { details: { name, size, limit: ATTACHMENT_LIMIT_BYTES } },
  );
}
