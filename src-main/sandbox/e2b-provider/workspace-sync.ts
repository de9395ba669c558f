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

/** What of a machine its files need. */
export interface SyncedMachine {
  readonly envd: Pick<EnvdClient, 'run' | 'upload' | 'download'>;
}

export interface SyncLimits {
  /** Largest file that is carried. */
  readonly fileBytes: number;
  /** For one way of one command; the rest follows with the next. */
  readonly totalBytes: number;
}

const MEGABYTE = 1024 * 1024;
const SYNC_LIMITS: SyncLimits = { fileBytes: 64 * MEGABYTE, totalBytes: 256 * MEGABYTE };
/** Content of one archive on its way out, which is held in memory. */
const BATCH_BYTES = 32 * MEGABYTE;
/** What a name may add to an archive: its block, a longer name in a block of its own, padding. */
const BYTES_PER_ENTRY = 4096;
const NAMES_TOLD = 20;

/** The archive and the list of what is gone are taken in, the names in it as they are, by the ordinary user. */
const TAKE_IN = `cd ${WORKSPACE} || exit 1
xargs -0 -r rm -rf -- <${TRANSFER_DIR}/gone || status=1
tar -xpf ${TRANSFER_DIR}/in.tar --no-same-owner --recursive-unlink || status=1
rm -f ${TRANSFER_DIR}/gone ${TRANSFER_DIR}/in.tar
exit \${status:-0}`;

const HAND_OUT = `rm -f ${TRANSFER_DIR}/out.tar
tar -cf ${TRANSFER_DIR}/out.tar -C ${WORKSPACE} --no-recursion --hard-dereference --null -T ${TRANSFER_DIR}/wanted
[ $? -le 1 ]`;

/**
 * Keeps the workspace here and the one of a machine the same: before a command what changed here goes
 * there, after it what changed there comes back. Where both changed, the command's version stays. What
 * is left out for its size, number or kind is named in the log, and not taken for deleted.
 */
export class WorkspaceSync {
  readonly #dir: string;
  readonly #logger: Logger;
  readonly #limits: SyncLimits;
  readonly #incoming: IncomingFiles;
  #machine: SyncedMachine | null = null;
  #last: Promise<void> = Promise.resolve();
  /** States at which both sides were the same, or at which something was left out. */
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

  /** One at a time: both use the same names at the machine. */
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
    if (!listing.isWhole) leftOut.push('more entries than are looked at');
    if (fitting.length > 0 || gone.length > 0) await this.#send(machine, { fitting, gone }, signal);
    for (const path of gone) this.#forget(path);
    this.#tell('Files were not sent to E2B', leftOut);
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
    // From below: a folder goes once nothing is in it.
    for (const path of gone.sort().reverse()) this.#takeAway(path, host);
    const { fitting, leftOut } = chooseFitting(changed, this.#limits);
    const refused = await this.#fetch(machine, fitting, signal);
    this.#tell('Files were not fetched from E2B', [...listing.refused, ...leftOut, ...refused]);
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
      const { exitCode, stderr } = await machine.envd.run(['/bin/bash', '-c', TAKE_IN], {
        user: 'user',
        signal,
      });
      if (exitCode !== 0) this.#logger.warn('E2B did not take in every file', { stderr });
    }
    const { entries } = await list(machine, signal);
    for (const [path, { state }] of fitting) {
      this.#host.set(path, state);
      const remote = entries.get(path);
      if (remote !== undefined) this.#remote.set(path, remote.state);
    }
  }

  /** Contents as they are now; a file that changed since it was listed is sent again the next time. */
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

  /** What was asked for and could not be put here, each with its reason. */
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
    const { exitCode, stderr } = await machine.envd.run(['/bin/bash', '-c', HAND_OUT], {
      user: 'user',
      signal,
    });
    if (exitCode !== 0) this.#logger.warn('E2B did not hand out every file', { stderr });
    const archive = await machine.envd.download(`${TRANSFER_DIR}/out.tar`, signal);
    let maxBytes = MEGABYTE;
    for (const { size } of files.values()) maxBytes += size + BYTES_PER_ENTRY;
    await unpackFiles(archive, maxBytes, async (path, chunks) => {
      const entry = files.get(path);
      if (entry === undefined) return;
      files.delete(path);
      await attempt(path, entry, () => this.#incoming.writeFile(path, entry, chunks));
    });
    return [...refused, ...[...files.keys()].map((path) => `${path}: it could not be read there`)];
  }

  /** Unless it was changed here meanwhile: then it goes back to the machine. */
  #takeAway(path: string, host: HostListing | null): void {
    const now = host?.entries.get(path)?.state;
    if (now !== undefined && now === this.#host.get(path)) this.#incoming.remove(path);
    this.#forget(path);
  }

  #forget(path: string): void {
    this.#host.delete(path);
    this.#remote.delete(path);
  }

  #tell(message: string, names: readonly string[]): void {
    if (names.length === 0) return;
    this.#logger.warn(message, { count: names.length, names: names.slice(0, NAMES_TOLD) });
  }
}

/** What is in the workspace of the machine. */
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

/** Those that may be carried, in order, and the names of the others. */
function chooseFitting<Entry extends { readonly size: number }>(
  entries: readonly [string, Entry][],
  limits: SyncLimits,
): { fitting: [string, Entry][]; leftOut: string[] } {
  const fitting: [string, Entry][] = [];
  const leftOut: string[] = [];
  let bytes = 0;
  for (const [path, entry] of entries) {
    if (entry.size > limits.fileBytes) leftOut.push(`${path}: ${entry.size} bytes are too many`);
    else if (bytes + entry.size > limits.totalBytes)
      leftOut.push(`${path}: more than goes at once`);
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
