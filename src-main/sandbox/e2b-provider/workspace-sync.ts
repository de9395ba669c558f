import type { Logger } from '../../base/logger.ts';
import { WORKSPACE } from '../inside.ts';
import { HostWorkspace } from '../workspace/host-workspace.ts';
import { type ArchiveEntry, packArchive, unpackFiles } from './archive.ts';
import { E2bUnreachableError } from './e2b-http.ts';
import type { EnvdClient } from './envd-client.ts';
import { type HostEntry, type HostListing, listHost } from './host-listing.ts';
import { IncomingFiles } from './incoming-files.ts';
import { TRANSFER_DIR } from './machine-config.ts';
import {
  LIST_COMMAND,
  MAX_LISTING_BYTES,
  parseListing,
  type RemoteEntry,
  type RemoteListing,
} from './remote-listing.ts';

/** The part of a machine that its files need. */
export interface SyncedMachine {
  readonly envd: Pick<EnvdClient, 'run' | 'upload' | 'download'>;
}

export interface SyncLimits {
  /** Largest file that is transferred. */
  readonly fileBytes: number;
  /** For one direction of one command; the rest follows with the next. */
  readonly totalBytes: number;
}

const MEGABYTE = 1024 * 1024;
const SYNC_LIMITS: SyncLimits = { fileBytes: 64 * MEGABYTE, totalBytes: 256 * MEGABYTE };
/** Content of one outgoing archive, which is in memory. */
const BATCH_BYTES = 32 * MEGABYTE;
/** What an entry may add to an archive: its header, an extra block for a long name, padding. */
const BYTES_PER_ENTRY = 4096;
const LOGGED_NAMES = 20;

/** Unpacks the archive and removes deleted files, as the ordinary user, with names taken literally. */
const UNPACK = `cd ${WORKSPACE} || exit 1
xargs -0 -r rm -rf -- <${TRANSFER_DIR}/gone || status=1
tar -xpf ${TRANSFER_DIR}/in.tar --no-same-owner --recursive-unlink || status=1
rm -f ${TRANSFER_DIR}/gone ${TRANSFER_DIR}/in.tar
exit \${status:-0}`;

const PACK = `rm -f ${TRANSFER_DIR}/out.tar
tar -cf ${TRANSFER_DIR}/out.tar -C ${WORKSPACE} --no-recursion --hard-dereference --null -T ${TRANSFER_DIR}/wanted
[ $? -le 1 ]`;

/**
 * Syncs the workspace here with that of a machine: changes here are sent before a command, changes there
 * are fetched after it. If both changed, the command's version wins. Files left out for their size, number
 * or kind are logged, and not treated as deleted.
 */
export class WorkspaceSync {
  readonly #dir: string;
  readonly #logger: Logger;
  readonly #limits: SyncLimits;
  readonly #incoming: IncomingFiles;
  #machine: SyncedMachine | null = null;
  #last: Promise<void> = Promise.resolve();
  /** States of entries when both sides were last the same, or when the entry was left out. */
  #host = new Map<string, string>();
  #remote = new Map<string, string>();

  constructor(parts: {
    readonly dir: string;
    readonly logger: Logger;
    readonly limits?: SyncLimits;
  }) {
    this.#dir = parts.dir;
    this.#logger = parts.logger;
    this.#limits = parts.limits ?? SYNC_LIMITS;
    this.#incoming = new IncomingFiles(parts.dir);
  }

  /** Brings the machine up to date. Throws as requests to it do. */
  async push(machine: SyncedMachine, signal: AbortSignal): Promise<void> {
    await this.#inTurn(() => this.#push(machine, signal));
  }

  /** Brings the workspace up to date. Throws as requests to the machine do, and for a full disk. */
  async pull(machine: SyncedMachine, signal: AbortSignal): Promise<void> {
    await this.#inTurn(() => this.#pull(machine, signal));
  }

  /** One at a time: both use the same file names on the machine. */
  async #inTurn(work: () => Promise<void>): Promise<void> {
    const done = this.#last.then(work);
    this.#last = done.catch(() => undefined);
    await done;
  }

  async #push(machine: SyncedMachine, signal: AbortSignal): Promise<void> {
    if (this.#machine !== machine) {
      this.#machine = machine;
      this.#host.clear();
      this.#remote.clear();
    }
    const listing = await listHost(this.#dir);
    const gone = listing.isWhole ? missingIn(listing.entries, this.#host) : [];
    const changed = [...listing.entries].filter(
      ([path, { state }]) => this.#host.get(path) !== state,
    );
    const { fitting, leftOut } = chooseFitting(changed, this.#limits);
    if (!listing.isWhole) leftOut.push('more entries than the limit');
    if (fitting.length > 0 || gone.length > 0) await this.#send(machine, { fitting, gone }, signal);
    for (const path of gone) this.#forget(path);
    this.#logLeftOut('Files were not sent to E2B', leftOut);
  }

  async #pull(machine: SyncedMachine, signal: AbortSignal): Promise<void> {
    if (this.#machine !== machine) return;
    const listing = await list(machine, signal);
    const gone = listing.isWhole ? missingIn(listing.entries, this.#remote) : [];
    const changed = [...listing.entries].filter(
      ([path, { state }]) => this.#remote.get(path) !== state,
    );
    if (gone.length === 0 && changed.length === 0) return;
    const host = gone.length === 0 ? null : await listHost(this.#dir);
    // Deepest first: a folder is removed once it is empty.
    for (const path of gone.sort().reverse()) this.#removeHere(path, host);
    const { fitting, leftOut } = chooseFitting(changed, this.#limits);
    const refused = await this.#fetch(machine, fitting, signal);
    this.#logLeftOut('Files were not fetched from E2B', [
      ...listing.refused,
      ...leftOut,
      ...refused,
    ]);
  }

  async #send(
    machine: SyncedMachine,
    {
      fitting,
      gone,
    }: { readonly fitting: readonly [string, HostEntry][]; readonly gone: string[] },
    signal: AbortSignal,
  ): Promise<void> {
    const batches = inBatches(fitting);
    for (const [index, batch] of (batches.length === 0 ? [[]] : batches).entries()) {
      const archive = await packArchive(await this.#read(batch));
      const names = index === 0 ? gone.map((path) => `${path}\0`).join('') : '';
      await machine.envd.upload(`${TRANSFER_DIR}/in.tar`, archive, signal);
      await machine.envd.upload(`${TRANSFER_DIR}/gone`, Buffer.from(names), signal);
      const { exitCode, stderr } = await machine.envd.run(['/bin/bash', '-c', UNPACK], {
        user: 'user',
        signal,
      });
      if (exitCode !== 0) this.#logger.warn('E2B did not unpack every file', { stderr });
    }
    const { entries } = await list(machine, signal);
    for (const [path, { state }] of fitting) {
      this.#host.set(path, state);
      const remote = entries.get(path);
      if (remote !== undefined) this.#remote.set(path, remote.state);
    }
  }

  /** Current contents; a file that changed since it was listed is sent again the next time. */
  async #read(batch: readonly [string, HostEntry][]): Promise<ArchiveEntry[]> {
    const workspace = new HostWorkspace(this.#dir);
    const read: ArchiveEntry[] = [];
    for (const [path, entry] of batch) {
      const isFile = entry.kind === 'file';
      const data = isFile ? (await workspace.read(path, this.#limits.fileBytes)).data : null;
      read.push({ path, entry, data });
    }
    return read;
  }

  /** Fetches entries; returns those that could not be stored here, each with its reason. */
  async #fetch(
    machine: SyncedMachine,
    wanted: readonly [string, RemoteEntry][],
    signal: AbortSignal,
  ): Promise<string[]> {
    const refused: string[] = [];
    const attempt = async (
      path: string,
      entry: RemoteEntry,
      make: () => string | Promise<string>,
    ) => {
      try {
        this.#host.set(path, await make());
        this.#remote.set(path, entry.state);
      } catch (error) {
        if (isDiskFull(error)) throw error;
        refused.push(`${path}: ${error instanceof Error ? error.message : String(error)}`);
        this.#remote.set(path, entry.state);
      }
    };
    const files = new Map<string, RemoteEntry>();
    for (const [path, entry] of wanted) {
      if (entry.kind === 'folder') {
        await attempt(path, entry, () => this.#incoming.makeFolder(path, entry));
      } else if (entry.kind === 'link') {
        await attempt(path, entry, () => this.#incoming.makeLink(path, entry));
      } else files.set(path, entry);
    }
    if (files.size === 0) return refused;
    const list = [...files.keys()].map((path) => `./${path}\0`).join('');
    await machine.envd.upload(`${TRANSFER_DIR}/wanted`, Buffer.from(list), signal);
    const { exitCode, stderr } = await machine.envd.run(['/bin/bash', '-c', PACK], {
      user: 'user',
      signal,
    });
    if (exitCode !== 0) this.#logger.warn('E2B did not pack every file', { stderr });
    const archive = await machine.envd.download(`${TRANSFER_DIR}/out.tar`, signal);
    let maxBytes = MEGABYTE;
    for (const { size } of files.values()) maxBytes += size + BYTES_PER_ENTRY;
    await unpackFiles(archive, maxBytes, async (path, chunks) => {
      const entry = files.get(path);
      if (entry === undefined) return;
      files.delete(path);
      await attempt(path, entry, () => this.#incoming.writeFile(path, entry, chunks));
    });
    return [...refused, ...[...files.keys()].map((path) => `${path}: could not be read there`)];
  }

  /** Unless it was changed here in the meantime: then it is sent to the machine again. */
  #removeHere(path: string, host: HostListing | null): void {
    const now = host?.entries.get(path)?.state;
    if (now !== undefined && now === this.#host.get(path)) this.#incoming.remove(path);
    this.#forget(path);
  }

  #forget(path: string): void {
    this.#host.delete(path);
    this.#remote.delete(path);
  }

  #logLeftOut(message: string, names: readonly string[]): void {
    if (names.length === 0) return;
    this.#logger.warn(message, { count: names.length, names: names.slice(0, LOGGED_NAMES) });
  }
}

/** The entries in the workspace of the machine. */
async function list(machine: SyncedMachine, signal: AbortSignal): Promise<RemoteListing> {
  const { exitCode, stdout } = await machine.envd.run(LIST_COMMAND, {
    user: 'user',
    signal,
    maxBytes: MAX_LISTING_BYTES,
  });
  if (exitCode !== 0 && stdout.length === 0) {
    throw new E2bUnreachableError('the files of the machine could not be listed');
  }
  return parseListing(stdout, exitCode === 0);
}

function missingIn(
  now: ReadonlyMap<string, unknown>,
  before: ReadonlyMap<string, string>,
): string[] {
  return [...before.keys()].filter((path) => !now.has(path));
}

/** The entries within the limits, in order, and the names of the others. */
function chooseFitting<Entry extends { readonly size: number }>(
  entries: readonly [string, Entry][],
  limits: SyncLimits,
): { fitting: [string, Entry][]; leftOut: string[] } {
  const fitting: [string, Entry][] = [];
  const leftOut: string[] = [];
  let bytes = 0;
  for (const [path, entry] of entries) {
    if (entry.size > limits.fileBytes)
      leftOut.push(`${path}: ${entry.size} bytes exceed the limit`);
    else if (bytes + entry.size > limits.totalBytes)
      leftOut.push(`${path}: over the limit for one transfer`);
    else {
      bytes += entry.size;
      fitting.push([path, entry]);
    }
  }
  return { fitting, leftOut };
}

function inBatches(entries: readonly [string, HostEntry][]): [string, HostEntry][][] {
  const batches: [string, HostEntry][][] = [];
  let bytes = Number.POSITIVE_INFINITY;
  for (const pair of entries) {
    if (bytes + pair[1].size > BATCH_BYTES) {
      batches.push([]);
      bytes = 0;
    }
    bytes += pair[1].size;
    batches.at(-1)?.push(pair);
  }
  return batches;
}

function isDiskFull(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? error.code : null;
  return code === 'ENOSPC' || code === 'EDQUOT';
}
