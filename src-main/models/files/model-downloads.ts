import { existsSync } from 'node:fs';
import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { AppError } from '#contract/errors.ts';
import type { ModelDownload } from '#contract/local-models.ts';
import type { Clock } from '../../base/clock.ts';
import { newId } from '../../base/ids.ts';
import type { AppEgress } from '../../egress/app-egress.ts';
import { targetOfUrl } from '../../egress/target.ts';
import { fetchPart, hashPart, isCut, type Transfer } from './download-transfer.ts';
import type { WantedFile } from './model-reference.ts';
import {
  type PartDisk,
  PartFile,
  type PartRecord,
  readPartRecords,
  systemDisk,
} from './part-file.ts';

export interface ModelDownloadsParts {
  /** The app's folder of models; created with the first download. */
  readonly folder: string;
  readonly egress: Pick<AppEgress, 'appClient'>;
  readonly clock: Clock;
  /** Called when a download changed, at most a few times a second while it runs. */
  readonly onChange: (download: ModelDownload) => void;
  /** Called with the file once it is complete and checked. */
  readonly onCompleted: (path: string) => void;
  readonly disk?: PartDisk;
  /** Before a cut download goes on by itself, in ms. */
  readonly pauseMs?: number;
  readonly stalledAfterMs?: number;
}

interface Entry {
  record: PartRecord;
  download: ModelDownload;
  /** Null unless it runs. */
  controller: AbortController | null;
  ended: Promise<void>;
  shownAt: number;
}

const SHOW_EVERY_MS = 200;
const PAUSE_MS = 2_000;
/** Cuts in a row without a new byte, after which the user has to resume. */
const CUTS_WITHOUT_PROGRESS = 3;

/**
 * Downloads of model files into the app's folder. Bytes are written to a `.part` file, which becomes a model only
 * after its size and hash were checked; without a hash, its size and its first bytes. Downloads of an earlier
 * start are listed as paused.
 */
export class ModelDownloads implements AsyncDisposable {
  readonly #parts: ModelDownloadsParts;
  readonly #entries = new Map<string, Entry>();
  #known: Promise<void> | null = null;

  constructor(parts: ModelDownloadsParts) {
    this.#parts = parts;
  }

  /** Newest first. */
  async list(): Promise<ModelDownload[]> {
    await this.#readEarlier();
    return [...this.#entries.values()].map(({ download }) => download).reverse();
  }

  /** Starts a download, or resumes the unfinished one of the same address. Throws `CONFLICT` if the file is there. */
  async start(wanted: WantedFile): Promise<ModelDownload> {
    await this.#readEarlier();
    const same = [...this.#entries.values()].find(
      ({ record, download }) => record.url === wanted.url && download.status !== 'completed',
    );
    // A pinned hash is never taken from what is on the disk.
    if (same !== undefined && same.record.byUser === wanted.byUser) {
      return this.#run(same, { ...same.record, sha256: wanted.sha256 ?? same.record.sha256 });
    }
    const file = this.#freeName(wanted);
    const id = newId('dl');
    const record: PartRecord = { ...wanted, id, file, etag: null };
    const entry: Entry = {
      ...{ record, download: shown(record, 0), controller: null },
      ...{ ended: Promise.resolve(), shownAt: 0 },
    };
    this.#entries.set(id, entry);
    return this.#run(entry, record);
  }

  /** Goes on where the download stopped. Throws `NOT_FOUND`. */
  async resume(id: string): Promise<ModelDownload> {
    const entry = await this.#entry(id);
    if (entry.download.status === 'completed') return entry.download;
    return this.#run(entry, entry.record);
  }

  /** Stops the download and keeps what has arrived. Throws `NOT_FOUND`. */
  async pause(id: string): Promise<ModelDownload> {
    const entry = await this.#entry(id);
    entry.controller?.abort();
    await entry.ended;
    return entry.download;
  }

  /** Stops the download and deletes what has arrived; a completed file stays. Throws `NOT_FOUND`. */
  async remove(id: string): Promise<void> {
    const entry = await this.#entry(id);
    entry.controller?.abort();
    await entry.ended;
    this.#entries.delete(id);
    if (entry.download.status !== 'completed') await this.#part(entry).remove();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const entries = [...this.#entries.values()];
    for (const { controller } of entries) controller?.abort();
    await Promise.all(entries.map(({ ended }) => ended));
  }

  #part({ record }: Entry): PartFile {
    return new PartFile(this.#parts.folder, record.file);
  }

  async #entry(id: string): Promise<Entry> {
    await this.#readEarlier();
    const entry = this.#entries.get(id);
    if (entry !== undefined) return entry;
    throw new AppError('NOT_FOUND', 'There is no such download. Start it again.');
  }

  #readEarlier(): Promise<void> {
    this.#known ??= (async () => {
      const { folder } = this.#parts;
      for (const record of await readPartRecords(folder)) {
        const part = new PartFile(folder, record.file);
        // Whatever else has its name is refused when the download goes on, and hides no other one.
        const status = await lstat(part.path).catch(() => null);
        const size = status?.isFile() === true ? status.size : 0;
        const download = { ...shown(record, size), status: 'paused' as const };
        const ended = Promise.resolve();
        this.#entries.set(record.id, { record, download, controller: null, ended, shownAt: 0 });
      }
    })();
    return this.#known;
  }

  /** A name that no file and no other download has. */
  #freeName({ file, byUser }: WantedFile): string {
    const isTaken = (name: string): boolean =>
      existsSync(join(this.#parts.folder, name)) ||
      [...this.#entries.values()].some(
        // Some file systems take names that differ in case for one.
        ({ record, download }) =>
          record.file.toLowerCase() === name.toLowerCase() && download.status !== 'completed',
      );
    if (!isTaken(file)) return file;
    if (!byUser) {
      throw new AppError('CONFLICT', `${file} is already in the folder of models. Use that one.`);
    }
    const stem = file.replace(/\.gguf$/, '');
    let number = 2;
    while (isTaken(`${stem}-${number}.gguf`)) number += 1;
    return `${stem}-${number}.gguf`;
  }

  #run(entry: Entry, record: PartRecord): ModelDownload {
    if (entry.controller !== null) return entry.download;
    const controller = new AbortController();
    entry.record = record;
    entry.controller = controller;
    this.#show(entry, { status: 'running', problem: null, sha256: record.sha256 });
    entry.ended = this.#follow(entry, controller.signal).finally(() => {
      entry.controller = null;
    });
    return entry.download;
  }

  async #follow(entry: Entry, signal: AbortSignal): Promise<void> {
    try {
      const part = this.#part(entry);
      await this.#transfer(entry, part, signal);
      this.#show(entry, { status: 'checking', completedBytes: 0 });
      const { disk = systemDisk } = this.#parts;
      const sha256 = await hashPart({ part, disk, signal }, (done) =>
        this.#progress(entry, done, entry.record.bytes),
      ).catch(async (error: unknown) => {
        // It is not a model file. One that could not be read may still be complete.
        if (error instanceof AppError && error.code === 'FETCH_FAILED') await part.remove();
        throw error;
      });
      if (entry.record.sha256 !== null && entry.record.sha256 !== sha256) {
        await part.remove();
        throw wrongHash(entry.record, sha256);
      }
      await part.finish();
      this.#show(entry, { status: 'completed', sha256, completedBytes: entry.record.bytes ?? 0 });
      this.#parts.onCompleted(part.target);
    } catch (error) {
      if (signal.aborted) {
        this.#show(entry, { status: 'paused', completedBytes: this.#arrived(entry) });
        return;
      }
      const problem = error instanceof Error ? error.message : String(error);
      this.#show(entry, { status: 'failed', problem, completedBytes: this.#arrived(entry) });
    }
  }

  /** Fetches until the part is complete, again after a cut as long as something arrives. */
  async #transfer(entry: Entry, part: PartFile, signal: AbortSignal): Promise<void> {
    const { disk = systemDisk, egress, pauseMs = PAUSE_MS, stalledAfterMs } = this.#parts;
    const { url, byUser } = entry.record;
    const target = targetOfUrl(new URL(url));
    const egressClient = egress.appClient('app', [target], { byUser });
    let cuts = 0;
    let most = entry.download.completedBytes;
    for (;;) {
      const before = most;
      const transfer: Transfer = {
        ...{ part, disk, egressClient, signal },
        record: entry.record,
        ...(stalledAfterMs === undefined ? {} : { stalledAfterMs }),
        onProgress: (done, total) => {
          most = Math.max(most, done);
          this.#progress(entry, done, total);
        },
      };
      try {
        await fetchPart(transfer);
        entry.record = transfer.record;
        return;
      } catch (error) {
        entry.record = transfer.record;
        cuts = most > before ? 1 : cuts + 1;
        if (!isCut(error) || cuts >= CUTS_WITHOUT_PROGRESS) throw error;
        await sleep(pauseMs, undefined, { signal });
      }
    }
  }

  #arrived({ record, download }: Entry): number {
    if (download.status !== 'checking') return download.completedBytes;
    return existsSync(`${join(this.#parts.folder, record.file)}.part`) ? (record.bytes ?? 0) : 0;
  }

  #progress(entry: Entry, completedBytes: number, totalBytes: number | null): void {
    entry.download = { ...entry.download, completedBytes, totalBytes };
    const now = this.#parts.clock.monotonic();
    if (now - entry.shownAt < SHOW_EVERY_MS) return;
    entry.shownAt = now;
    this.#parts.onChange(entry.download);
  }

  #show(entry: Entry, changes: Partial<ModelDownload>): void {
    entry.download = { ...entry.download, totalBytes: entry.record.bytes, ...changes };
    this.#parts.onChange(entry.download);
  }
}

function shown(record: PartRecord, completedBytes: number): ModelDownload {
  const { id, file, url, sha256, licence, bytes } = record;
  return {
    ...{ id, file, url, status: 'running', completedBytes, totalBytes: bytes },
    ...{ sha256, licence, problem: null },
  };
}

function wrongHash({ file, sha256, byUser }: PartRecord, found: string): AppError {
  const next = byUser ? 'Check the hash that you entered, and the address.' : 'Try again later.';
  return new AppError(
    'FETCH_FAILED',
    `${file} is not the expected file: its SHA-256 is ${found}, not ${sha256}. It was deleted. ${next}`,
  );
}
