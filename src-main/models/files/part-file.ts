import { constants } from 'node:fs';
import {
  type FileHandle,
  link,
  lstat,
  mkdir,
  open,
  readdir,
  rename,
  rm,
  statfs,
} from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { AppError } from '#contract/errors.ts';
import { Sha256 } from '#contract/local-models.ts';
import { openRegularFile } from '../../base/open-regular-file.ts';

/** What a download remembers between two starts of the app, beside what it has so far. */
export const PartRecord = z.strictObject({
  id: z.string().regex(/^[A-Za-z0-9_-]{1,64}$/),
  file: z.string().regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,154}\.gguf$/),
  url: z.url({ protocol: /^https?$/ }),
  sha256: Sha256.nullable(),
  bytes: z.int().positive().nullable(),
  licence: z.string().max(200).nullable(),
  byUser: z.boolean(),
  /** Names the version of the file that the part belongs to (`ETag`); null if the server sent none. */
  etag: z.string().max(500).nullable(),
});
export type PartRecord = z.infer<typeof PartRecord>;

const LONGEST_RECORD = 16_384;
/** Left free on the disk: the database and running tasks need space too. */
export const RESERVED_BYTES = 500e6;

/** What a download needs of the disk; tests put a full one in its place. */
export interface PartDisk {
  /** Opens the part to read and write, without following a link. */
  open(path: string): Promise<FileHandle>;
  freeBytes(folder: string): Promise<number>;
}

export const systemDisk: PartDisk = {
  open: (path) =>
    open(path, constants.O_RDWR | constants.O_CREAT | (constants.O_NOFOLLOW ?? 0), 0o600),
  freeBytes: async (folder) => {
    const { bavail, bsize } = await statfs(folder);
    return bavail * bsize;
  },
};

/** The files of one download: `NAME.gguf.part`, and beside it what it remembers. Only `finish` makes a model of it. */
export class PartFile {
  readonly folder: string;
  readonly path: string;
  readonly target: string;
  readonly #record: string;

  constructor(folder: string, file: string) {
    this.folder = folder;
    this.target = join(folder, file);
    this.path = `${this.target}.part`;
    this.#record = `${this.path}.json`;
  }

  async save(record: PartRecord): Promise<void> {
    await mkdir(this.folder, { recursive: true, mode: 0o700 });
    const fresh = `${this.#record}.new`;
    const handle = await open(fresh, 'w', 0o600);
    try {
      await handle.writeFile(JSON.stringify(record));
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(fresh, this.#record);
  }

  /** Gives the complete and checked part its real name. Throws `CONFLICT` if another file has it meanwhile. */
  async finish(): Promise<void> {
    try {
      // Unlike `rename`, it replaces nothing.
      await link(this.path, this.target);
    } catch (error) {
      if (await this.#isTaken()) {
        throw new AppError(
          'CONFLICT',
          `${this.target} is there meanwhile. Move that file, then resume; what has arrived is kept.`,
          { cause: error },
        );
      }
      // A file system without links, or one that linked it before the app ended.
      await rename(this.path, this.target);
    }
    await this.remove();
  }

  /** Whether the target is there, and another file than the part. */
  async #isTaken(): Promise<boolean> {
    const target = await lstat(this.target, { bigint: true }).catch(() => null);
    if (target === null) return false;
    const part = await lstat(this.path, { bigint: true });
    return target.ino !== part.ino || target.dev !== part.dev;
  }

  async remove(): Promise<void> {
    await rm(this.path, { force: true });
    await rm(this.#record, { force: true });
  }
}

/** The records of unfinished downloads in a folder. Those that do not parse are skipped: they are not ours. */
export async function readPartRecords(folder: string): Promise<PartRecord[]> {
  const names = await readdir(folder).catch(() => []);
  const records = await Promise.all(
    names.filter((name) => name.endsWith('.gguf.part.json')).map((name) => readOne(folder, name)),
  );
  return records.flatMap((record) => record ?? []);
}

async function readOne(folder: string, name: string): Promise<PartRecord | null> {
  try {
    await using file = await openRegularFile(join(folder, name));
    if ((await file.stat()).size > LONGEST_RECORD) return null;
    const record = PartRecord.parse(JSON.parse(await file.readFile('utf8')));
    return `${record.file}.part.json` === name ? record : null;
  } catch {
    // Written by another program, or cut off: the part beside it cannot be resumed.
    return null;
  }
}
