import { mkdir, readdir, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { AppError } from '#contract/errors.ts';
import { ATTACHMENT_LIMIT_BYTES } from '#contract/requests.ts';
import { newId } from '../../base/ids.ts';

export interface StoredAttachment {
  readonly attachmentId: string;
  /** A plain file name: no folders, no control characters, at most 120 characters. */
  readonly name: string;
  readonly size: number;
}

/** An attachment with where it lies on the host until a run copies it into its workspace. */
export interface AttachedFile {
  readonly name: string;
  readonly file: string;
}

/**
 * Keeps attached files, a folder each under `dir`, between the moment they are attached and the run
 * that uses them. What no run used is gone at the next start.
 */
export class AttachmentStore {
  readonly #dir: string;

  constructor(dir: string) {
    this.#dir = dir;
  }

  /** Throws `ATTACHMENT_TOO_LARGE`; nothing is written then. */
  async add(name: string, data: Uint8Array): Promise<StoredAttachment> {
    if (data.byteLength > ATTACHMENT_LIMIT_BYTES) throw tooLarge(name, data.byteLength);
    const attachmentId = newId('att');
    const plainName = toPlainName(name);
    const folder = path.join(this.#dir, attachmentId);
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await writeFile(path.join(folder, plainName), data, { mode: 0o600 });
    return { attachmentId, name: plainName, size: data.byteLength };
  }

  /** The file behind an id. Throws `NOT_FOUND`. */
  async find(attachmentId: string): Promise<AttachedFile> {
    const isId = /^att_[0-9a-z]+$/.test(attachmentId);
    const folder = path.join(this.#dir, attachmentId);
    const [name] = isId ? await readdir(folder).catch(() => []) : [];
    if (name === undefined) {
      throw new AppError('NOT_FOUND', 'An attached file is no longer there: attach it again.', {
        details: { attachmentId },
      });
    }
    return { name, file: path.join(folder, name) };
  }

  /** Lets go of attachments that a run has copied. */
  async remove(attachmentIds: readonly string[]): Promise<void> {
    for (const id of attachmentIds) {
      await rm(path.dirname((await this.find(id)).file), { recursive: true, force: true });
    }
  }

  /** Removes what earlier processes left. Only for the one that holds the data folder. */
  async clear(): Promise<void> {
    await rm(this.#dir, { recursive: true, force: true });
  }
}

/**
 * Looks at a file of the person before it is read. Throws `ATTACHMENT_UNREADABLE` or
 * `ATTACHMENT_TOO_LARGE`.
 */
export async function checkAttachable(file: string): Promise<void> {
  let info: Awaited<ReturnType<typeof stat>>;
  try {
    info = await stat(file);
  } catch (error) {
    throw unreadable(file, 'it cannot be opened', error);
  }
  if (!info.isFile()) throw unreadable(file, 'it is not a plain file');
  if (info.size > ATTACHMENT_LIMIT_BYTES) throw tooLarge(path.basename(file), info.size);
}

function unreadable(file: string, why: string, cause?: unknown): AppError {
  return new AppError('ATTACHMENT_UNREADABLE', `${file} cannot be attached: ${why}.`, {
    details: { file },
    cause,
  });
}

function tooLarge(name: string, size: number): AppError {
  const megabytes = (bytes: number): string => (bytes / 1024 / 1024).toFixed(0);
  return new AppError(
    'ATTACHMENT_TOO_LARGE',
    `${name} is ${megabytes(size)} MB, and a file may have ${megabytes(ATTACHMENT_LIMIT_BYTES)} MB at most: attach a part of it, or compress it.`,
    { details: { name, size, limit: ATTACHMENT_LIMIT_BYTES } },
  );
}

/** The last part of `name` without what a file system, a terminal or a prompt could trip over. */
function toPlainName(name: string): string {
  const last = name.split(/[/\\]/).at(-1) ?? '';
  // Control and format characters: the latter hide text or turn its direction.
  const plain = last.replace(/[\p{Cc}\p{Cf}<>:"|?*]/gu, '');
  const extension = path.extname(plain).slice(0, 20);
  const stem = plain.slice(0, plain.length - extension.length).slice(0, 100);
  const result = `${stem}${extension}`.replace(/^\.+$/, '').trim();
  return result === '' ? 'file' : result;
}
