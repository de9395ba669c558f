import { existsSync, readdirSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { AppError } from '#contract/errors.ts';
import type { Settings } from '#contract/settings.ts';
import type { FileSide, Snapshot, SnapshotChange } from '#contract/workspace.ts';
import type { Clock } from '../../base/clock.ts';
import { newId } from '../../base/ids.ts';
import type { Logger } from '../../base/logger.ts';
import type { SnapshotStore, StoredSnapshot } from '../../storage/types.ts';
import { FileSideReader } from '../workspace/file-side.ts';
import type { BlobStore } from './blob-store.ts';
import { captureTree, type StateCache } from './capture-tree.ts';
import { changedSince } from './changed-since.ts';
import {
  changesBetween,
  countChanges,
  isFile,
  type Manifest,
  packManifest,
  unpackManifest,
} from './manifest.ts';
import { restoreTree } from './restore-tree.ts';

export interface WorkspaceSnapshotsParts {
  readonly store: SnapshotStore;
  readonly blobs: BlobStore;
  readonly workspaceDir: (threadId: string) => string;
  /** Ends the programs of a task, so that nothing writes while its files are restored. */
  readonly quiet: (threadId: string) => Promise<void>;
  readonly settings: () => Pick<Settings, 'snapshotLimitMb' | 'snapshotHours'>;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** What to take a snapshot of, and how to store its row. */
export interface TakeSnapshot {
  readonly threadId: string;
  /** The step after which it is taken; null outside of a run. */
  readonly step: { readonly runId: string; readonly seq: number } | null;
  readonly cause: Snapshot['cause'];
  /** Stores the row, at once or together with others. */
  readonly persist: (work: () => void) => void;
  readonly signal: AbortSignal;
}

export interface Restored {
  readonly before: Snapshot;
  readonly now: Snapshot;
  readonly kept: string[];
}

/** What the previous snapshot knows about a task's files: an unchanged workspace then only needs a scan. */
interface Memory {
  readonly cache: StateCache;
  readonly newest: { readonly snapshot: StoredSnapshot; readonly manifest: Manifest } | null;
}

/** Two snapshots of a task; `since` null: the one before. */
export interface ComparedSnapshots {
  readonly threadId: string;
  readonly snapshotId: string;
  readonly since: string | null;
}

const ABSENT: FileSide = { kind: 'absent' };
const MEGABYTE = 1024 * 1024;
const HOUR_MS = 60 * 60 * 1000;
/** Most left-out entries that are shown. */
const SHOWN = 100;
/** Minimum time between sweeps after snapshots, because sweeping reads every manifest. */
const SWEEP_EVERY_MS = 10 * 60 * 1000;

/**
 * Takes and restores snapshots of workspaces. Callers serialise the work on one task (a run takes its
 * snapshots one after another, and files are restored while there is no run); different tasks may run in
 * parallel.
 */
export class WorkspaceSnapshots {
  readonly #parts: WorkspaceSnapshotsParts;
  readonly #memories = new Map<string, Memory>();
  #sweeping: Promise<void> | null = null;
  #sweptAt = Number.NEGATIVE_INFINITY;

  constructor(parts: WorkspaceSnapshotsParts) {
    this.#parts = parts;
  }

  /** Whether the user has snapshots enabled. */
  get isOn(): boolean {
    return this.#parts.settings().snapshotHours > 0;
  }

  /**
   * Takes a snapshot of a workspace. Returns the newest one, without a new row, if nothing has changed since.
   * Throws what reading and storing throw.
   */
  async take(what: TakeSnapshot): Promise<Snapshot> {
    const { store, blobs, clock } = this.#parts;
    const { threadId, step, cause, persist, signal } = what;
    const memory = this.#memoryOf(threadId);
    const lease = blobs.lease();
    let isHandedOver = false;
    try {
      const limitBytes = this.#parts.settings().snapshotLimitMb * MEGABYTE;
      const dir = this.#parts.workspaceDir(threadId);
      const options = { lease, cache: memory.cache, limitBytes, signal };
      const { manifest, cache } = await captureTree(dir, options);
      signal.throwIfAborted();
      const { sha256, ownSha256, pack } = packManifest(manifest);
      const before = memory.newest;
      if (before !== null && before.snapshot.manifestSha256 === sha256) {
        this.#memories.set(threadId, { cache, newest: before });
        return toContract(before.snapshot);
      }
      await blobs.sync();
      const at = clock.now();
      const files = manifest.entries.filter(isFile);
      const snapshot: StoredSnapshot = {
        id: newId('snap', at),
        threadId,
        at,
        cause,
        runId: step?.runId ?? null,
        seq: step?.seq ?? null,
        files: files.length,
        bytes: files.reduce((sum, { size }) => sum + size, 0),
        ...countChanges(before?.manifest ?? null, manifest),
        leftOut: manifest.leftOut.slice(0, SHOWN),
        leftOutCount: manifest.leftOut.length,
        ...{ manifestSha256: sha256, ownSha256 },
      };
      const packed = pack();
      isHandedOver = true;
      persist(() => {
        store.put(snapshot, packed);
        lease[Symbol.dispose]();
      });
      this.#memories.set(threadId, { cache, newest: { snapshot, manifest } });
      this.#sweepSoon();
      return toContract(snapshot);
    } finally {
      // Until the row is stored, only the lease protects its blobs.
      if (!isHandedOver) lease[Symbol.dispose]();
    }
  }

  /** The event that ended the last stored step of a run. */
  lastStep(runId: string): number {
    return this.#parts.store.lastStep(runId);
  }

  /** Whether the user restored the files of a task since its last run. */
  wasRestored(threadId: string): boolean {
    return this.#parts.store.newest(threadId)?.cause === 'restore';
  }

  /** Newest first. */
  list(threadId: string): Snapshot[] {
    return this.#parts.store.list(threadId).map(toContract);
  }

  /** What differs from `since`, or from the snapshot before it. Throws `NOT_FOUND`. */
  changes({ threadId, snapshotId, since }: ComparedSnapshots): SnapshotChange[] {
    const [before, after] = this.#compared({ threadId, snapshotId, since });
    return changesBetween(before, after);
  }

  /**
   * Says whether the newest snapshot of a task has all that the model did: from the end of a run, or its pause, until
   * the model works again.
   */
  setComplete(threadId: string, isComplete: boolean): void {
    this.#parts.store.setComplete(threadId, isComplete);
  }

  /**
   * What others changed since the newest snapshot, as `changedSince` sees it. Null where it is not complete, or there
   * is none: the work of the model would look like somebody else's.
   */
  async changedSinceNewest(threadId: string): Promise<SnapshotChange[] | null> {
    if (!this.isOn || !this.#parts.store.isComplete(threadId)) return null;
    const dir = this.#parts.workspaceDir(threadId);
    const { newest, cache } = this.#memoryOf(threadId);
    if (newest === null || !existsSync(dir)) return null;
    const { manifest, snapshot } = newest;
    return await changedSince(dir, { manifest, at: snapshot.at, cache });
  }

  /** Both sides of a file. Throws `NOT_FOUND`, and `STORAGE_FAILED` if contents are damaged. */
  async diff(
    file: string,
    compared: ComparedSnapshots,
  ): Promise<{ before: FileSide; after: FileSide }> {
    using lease = this.#parts.blobs.lease();
    const [before, after] = this.#compared(compared, lease.keep);
    const sides = [before, after].map((manifest) => this.#sideOf(manifest, file));
    const [was = ABSENT, is = ABSENT] = await Promise.all(sides);
    if (was.kind === 'absent' && is.kind === 'absent') {
      throw new AppError('NOT_FOUND', `Neither snapshot has a file ${file}.`);
    }
    return { before: was, after: is };
  }

  /** Throws `NOT_FOUND`. */
  get(threadId: string, snapshotId: string): Snapshot {
    return toContract(this.#parts.store.get(threadId, snapshotId));
  }

  /**
   * Restores the files of a task. The current state becomes a snapshot first; files that it cannot hold are
   * kept. Throws `NOT_FOUND`, and `STORAGE_FAILED` if contents are damaged, without changing anything.
   */
  async restore(threadId: string, snapshotId: string): Promise<Restored> {
    const { store } = this.#parts;
    const wanted = store.get(threadId, snapshotId);
    await this.#parts.quiet(threadId);
    const take = (cause: Snapshot['cause']): Promise<Snapshot> =>
      this.take({
        threadId,
        step: null,
        cause,
        persist: (work) => work(),
        signal: new AbortController().signal,
      });
    using lease = this.#parts.blobs.lease();
    const manifest = this.#manifestOf(wanted.id, lease.keep);
    const before = await take('before_restore');
    const memory = this.#memoryOf(threadId);
    const unsaved = memory.newest?.manifest.leftOut ?? [];
    if (unsaved.some(({ path }) => path === '')) {
      throw new AppError(
        'CONFLICT',
        'The workspace has more files than a snapshot can hold, so restoring it would lose some. Remove or archive some of them first.',
      );
    }
    const keep = new Set([...unsaved, ...manifest.leftOut].map(({ path }) => path));
    const kept = await restoreTree(this.#parts.workspaceDir(threadId), manifest, {
      blobs: this.#parts.blobs,
      cache: memory.cache,
      keep,
    });
    const now = await take('restore');
    this.setComplete(threadId, true);
    return { before, now, kept: kept.slice(0, SHOWN) };
  }

  /**
   * Gives a new task the files of another as they were at an event of its run. Returns false, and does
   * nothing, if there is no such snapshot.
   */
  async copyAt(
    step: { readonly threadId: string; readonly runId: string; readonly seq: number },
    toThreadId: string,
  ): Promise<boolean> {
    const snapshot = this.#parts.store.atStep(step);
    if (snapshot === null) return false;
    await this.#fill(toThreadId, snapshot.id);
    return true;
  }

  /**
   * Restores the files of a task if its folder is missing or empty and the newest snapshot has some; null if
   * there was nothing to do.
   */
  async recover(threadId: string): Promise<Snapshot | null> {
    const dir = this.#parts.workspaceDir(threadId);
    if (existsSync(dir) && readdirSync(dir).length > 0) return null;
    const newest = this.#parts.store.newest(threadId);
    if (newest === null || newest.files === 0) return null;
    await this.#fill(threadId, newest.id);
    return toContract(newest);
  }

  /** Call after a task and its rows were removed. */
  forget(threadId: string): void {
    this.#memories.delete(threadId);
    this.reconcile().catch((error) =>
      this.#parts.logger.warn('Could not remove the snapshots of a removed task', {
        threadId,
        error,
      }),
    );
  }

  /**
   * Removes expired snapshots, contents that no snapshot names, and files that a killed process left half
   * written. Waits for a sweep that is already running.
   */
  async reconcile(): Promise<void> {
    const before = this.#sweeping ?? Promise.resolve();
    const sweep = before.catch(() => undefined).then(() => this.#sweep());
    this.#sweeping = sweep;
    await sweep.finally(() => {
      if (this.#sweeping === sweep) this.#sweeping = null;
    });
  }

  #compared(
    { threadId, snapshotId, since }: ComparedSnapshots,
    hold: (sha256: string) => unknown = () => undefined,
  ): [Manifest | null, Manifest] {
    const { store } = this.#parts;
    const { id } = store.get(threadId, snapshotId);
    const all = store.list(threadId);
    const earlier = all[all.findIndex((one) => one.id === id) + 1] ?? null;
    const other = since === null ? earlier : store.get(threadId, since);
    const before = other === null ? null : this.#manifestOf(other.id, hold);
    return [before, this.#manifestOf(id, hold)];
  }

  async #sideOf(manifest: Manifest | null, file: string): Promise<FileSide> {
    const entry = manifest?.entries.find(({ path }) => path === file);
    if (entry === undefined || entry.kind === 'folder') return ABSENT;
    if (entry.kind === 'link') {
      return { kind: 'text', text: `Link to ${entry.target}`, truncated: false };
    }
    const shown = new FileSideReader();
    // To its end: only there a damaged one is noticed.
    for await (const piece of this.#parts.blobs.read(entry.sha256)) shown.add(piece);
    return shown.side(entry.size);
  }

  async #sweep(): Promise<void> {
    const { store, blobs, clock, logger } = this.#parts;
    this.#sweptAt = clock.monotonic();
    const hours = this.#parts.settings().snapshotHours;
    const isOff = hours === 0;
    const now = clock.now();
    const before = isOff ? Number.MAX_SAFE_INTEGER : now - hours * HOUR_MS;
    const expired = store.expire({ before, all: isOff });
    const removed = await blobs.sweep(async (add) => {
      for (const id of store.ids()) {
        await nextTurn();
        for (const { sha256 } of this.#manifestIfThere(id)?.entries.filter(isFile) ?? [])
          add(sha256);
      }
    });
    if (expired + removed > 0) {
      logger.info('Snapshots were swept', { snapshots: expired, files: removed });
    }
  }

  #sweepSoon(): void {
    if (this.#sweeping !== null) return;
    if (this.#parts.clock.monotonic() - this.#sweptAt < SWEEP_EVERY_MS) return;
    this.reconcile().catch((error) =>
      this.#parts.logger.warn('Old snapshots could not be removed', { error }),
    );
  }

  async #fill(threadId: string, snapshotId: string): Promise<void> {
    using lease = this.#parts.blobs.lease();
    const manifest = this.#manifestOf(snapshotId, lease.keep);
    const dir = this.#parts.workspaceDir(threadId);
    await mkdir(dir, { recursive: true });
    const nothing = { cache: new Map<string, string>(), keep: new Set<string>() };
    await restoreTree(dir, manifest, { blobs: this.#parts.blobs, ...nothing });
  }

  /** Leases its contents, so that no sweep removes them. */
  #manifestOf(snapshotId: string, hold: (sha256: string) => unknown): Manifest {
    const manifest = unpackManifest(this.#parts.store.manifest(snapshotId));
    for (const { sha256 } of manifest.entries.filter(isFile)) hold(sha256);
    return manifest;
  }

  #manifestIfThere(snapshotId: string): Manifest | null {
    try {
      return unpackManifest(this.#parts.store.manifest(snapshotId));
    } catch (error) {
      // Removed with its task since the ids were read.
      if (error instanceof AppError && error.code === 'NOT_FOUND') return null;
      throw error;
    }
  }

  #memoryOf(threadId: string): Memory {
    const known = this.#memories.get(threadId);
    const snapshot = this.#parts.store.newest(threadId);
    // Rows may have expired since, and a row passed to `persist` may never have been stored.
    if (known !== undefined && known.newest?.snapshot.id === snapshot?.id) return known;
    const newest =
      snapshot === null
        ? null
        : { snapshot, manifest: unpackManifest(this.#parts.store.manifest(snapshot.id)) };
    const memory = { cache: known?.cache ?? new Map(), newest };
    this.#memories.set(threadId, memory);
    return memory;
  }
}

function toContract({
  manifestSha256: _all,
  ownSha256: _own,
  ...snapshot
}: StoredSnapshot): Snapshot {
  return snapshot;
}
