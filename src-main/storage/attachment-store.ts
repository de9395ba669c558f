import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { AppError } from '#contract/errors.ts';
import { ATTACHMENT_LIMIT_BYTES } from '#contract/limits.ts';
import type { Clock } from '../base/clock.ts';
import { newId } from '../base/ids.ts';
import { toFileError } from './storage-error.ts';

/** A file that was taken in: `hostPath` is ours, `name` is what the person called it. */
export interface TakenAttachment {
  readonly name: string;
  readonly hostPath: string;
}

/**
 * Files between being given to the app and being used by a run. They belong to this process: what a
 * process left behind, no window remembers.
 */
export class AttachmentStore {
  readonly #dir: string;
  readonly #clock: Clock;
  readonly #taken = new Map<string, TakenAttachment>();

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
    // The person's name for it never becomes part of a path.
    const hostPath = join(this.#dir, attachmentId);
    // Known before it is there: what nobody knows is swept away.
    this.#taken.set(attachmentId, { name, hostPath });
    try {
      await mkdir(this.#dir, { recursive: true, mode: 0o700 });
      await writeFile(hostPath, data, { mode: 0o600 });
    } catch (error) {
      this.#taken.delete(attachmentId);
      await rm(hostPath, { force: true });
      throw toFileError(error, this.#dir);
    }
    return { attachmentId, name, size };
  }

  /** In the order asked for. Throws `NOT_FOUND` for one that was used or never was. */
  find(attachmentIds: readonly string[]): TakenAttachment[] {
    return attachmentIds.map((attachmentId) => {
      const taken = this.#taken.get(attachmentId);
      if (taken !== undefined) return taken;
      throw new AppError('NOT_FOUND', 'An attached file is not there any more. Attach it again.', {
        details: { attachmentId },
      });
    });
  }

  /** They are used, or not wanted any more. */
  async remove(attachmentIds: readonly string[]): Promise<void> {
    for (const attachmentId of attachmentIds) {
      if (this.#taken.delete(attachmentId))
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
      if (!this.#taken.has(file)) await rm(join(this.#dir, file), { recursive: true, force: true });
    }
  }
}

function tooLarge(name: string, size: number): AppError {
  const megabytes = (bytes: number): string => `${Math.ceil(bytes / 1024 / 1024)} MB`;
  return new AppError(
    'ATTACHMENT_TOO_LARGE',
    `"${name}" has ${megabytes(size)}; attachments may have ${megabytes(ATTACHMENT_LIMIT_BYTES)}. Attach a smaller part of it.`,
    { details: { name, size, limit: ATTACHMENT_LIMIT_BYTES } },
  );
}
