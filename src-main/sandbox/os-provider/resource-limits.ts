import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { CANNOT_START } from '../shell/shell-text.ts';
import type { SandboxLimits } from '../types.ts';
import {
  type MemoryHolders,
  readHostMemory,
  readPrivateBytes,
  usesMoreThan,
} from './held-memory.ts';
import { insideProc, readProcessIds } from './inside-processes.ts';

/** How the limits of a runtime are enforced, and what is known about them at its end. */
export interface ResourceLimits {
  /** One line for the setup check. */
  readonly detail: string;
  /**
   * Whether all kinds of memory are counted. If not, programs cannot get memory that cannot be counted; see
   * `seccompFilter`.
   */
  readonly countsAllMemory: boolean;
  /** The command that starts `command` under the limits. */
  wrap(command: readonly string[]): readonly string[];
  /** Environment of the wrapper itself; commands inside do not see it. */
  readonly environment: Readonly<Record<string, string>>;
  /** Shell lines to run first inside; if they fail, the shell ends. */
  readonly prologue: string;
  /** Watches everything in the sandbox of `pid`, the outer bwrap, for as long as it runs. */
  watch(pid: number, kill: () => void): LimitWatch;
}

export interface LimitWatch {
  /** A command starts or ends. */
  onCommand(running: boolean): void;
  /** Number of out-of-memory kills. */
  memoryKills(): number;
  stop(): void;
}

/**
 * Uses a control group if systemd provides one, else limits per process and a watch over their sum.
 * `detail` says which.
 */
export function chooseResourceLimits(
  limits: SandboxLimits,
  scope: SystemdScope | null,
  shape: SandboxShape = NAMESPACE,
): ResourceLimits {
  return scope === null ? watchedLimits(limits, shape) : scopedLimits(limits, scope);
}

/** What tells the sandbox of one provider from the rest of the computer. */
export interface SandboxShape {
  /** What runs in the sandbox that the process `pid` started; null before there is anything. */
  readonly holders: (pid: number) => MemoryHolders | null;
  /** Processes are counted by the provider itself. */
  readonly countsProcesses: boolean;
}

const NAMESPACE: SandboxShape = {
  holders: (pid) => {
    const proc = insideProc(pid);
    return proc === null ? null : { proc, pids: readProcessIds(proc), scratchRoot: dirname(proc) };
  },
  countsProcesses: false,
};

/** The systemd that can create a scope. */
export interface SystemdScope {
  readonly systemdRun: string;
  readonly user: boolean;
  readonly environment: Readonly<Record<string, string>>;
}

/** Null if there is no systemd (containers, other init systems) or control groups are version 1. */
export function findSystemdScope(
  systemdRun: string | null,
  environment: NodeJS.ProcessEnv,
  asRoot: boolean,
): SystemdScope | null {
  if (systemdRun === null || !existsSync('/sys/fs/cgroup/cgroup.controllers')) return null;
  if (asRoot) {
    const answers = existsSync('/run/systemd/private');
    return answers ? { systemdRun, user: false, environment: {} } : null;
  }
  const runtimeDir = environment.XDG_RUNTIME_DIR;
  if (runtimeDir === undefined || !existsSync(join(runtimeDir, 'systemd/private'))) return null;
  return { systemdRun, user: true, environment: { XDG_RUNTIME_DIR: runtimeDir } };
}

/** In bash's units: 1,024 bytes for files and memory. Hard limits, so nothing inside can raise them. */
function perProcess(limits: SandboxLimits, more: readonly string[]): string {
  const settings = [`-f ${Math.ceil(limits.fileBytes / 1024)}`, '-c 0', ...more];
  return settings.map((setting) => `ulimit ${setting} || exit ${CANNOT_START}\n`).join('');
}

function scopedLimits(limits: SandboxLimits, scope: SystemdScope): ResourceLimits {
  const properties = {
    MemoryMax: `${limits.memoryBytes}`,
    MemorySwapMax: '0',
    TasksMax: `${limits.pids}`,
    CPUQuota: `${Math.round(limits.cpus * 100)}%`,
  };
  return {
    detail: 'memory, processes and CPU are limited by a control group of systemd',
    countsAllMemory: true,
    environment: scope.environment,
    prologue: perProcess(limits, []),
    wrap: (command) => [
      scope.systemdRun,
      ...(scope.user ? ['--user'] : []),
      ...['--scope', '--quiet', '--collect'],
      ...Object.entries(properties).flatMap(([name, value]) => ['-p', `${name}=${value}`]),
      // The environment that systemd-run needs must not reach the programs it starts.
      ...['--', '/usr/bin/env', '-i', ...command],
    ],
    watch: (pid) => {
      let events: string | null = null;
      return {
        // At its end a command has certainly run in the scope, and no longer in our own group.
        onCommand: (running) => {
          if (!running) events ??= memoryEventsFile(pid);
        },
        memoryKills: () => (events === null ? 0 : readMemoryKills(events)),
        stop: () => undefined,
      };
    },
  };
}

function memoryEventsFile(pid: number): string | null {
  try {
    const own = /^0::(.*)$/m.exec(readFileSync(`/proc/${pid}/cgroup`, 'utf8'))?.[1];
    return own === undefined ? null : join('/sys/fs/cgroup', own, 'memory.events');
  } catch {
    // The shell has ended already.
    return null;
  }
}

/** 0 if the group is gone with its shell: then the reason is unknown. */
function readMemoryKills(file: string): number {
  try {
    return Number(/^oom_kill (\d+)$/m.exec(readFileSync(file, 'utf8'))?.[1] ?? 0);
  } catch {
    return 0;
  }
}

/** Data that Node.js reserves without using it: 570 MB at start, more with each worker. */
const RESERVED_BY_NODE = 2 * 1024 ** 3;

const WATCH_BUSY_MS = 50;
const WATCH_IDLE_MS = 500;
/** Background programs that use more than this share of the limit are checked as often as a command. */
const BUSY_SHARE = 8;
/** Bounds the share of time spent counting: waits this many times as long as the last check took. */
const WAIT_FACTOR = 4;
/** Reserved for the host: below it a sandbox ends, if shared memory has grown by a whole limit since its start. */
const HOST_RESERVE_BYTES = 256 * 1024 * 1024;

/**
 * Without control groups: the kernel limits each process (data to more than twice the limit, so that the
 * watch decides and not a failed allocation; file size; number of processes), and the sum of memory is
 * checked every 50 ms. Programs share the CPU with the rest of the computer as one session.
 */
function watchedLimits(limits: SandboxLimits, shape: SandboxShape): ResourceLimits {
  return {
    detail: `there is no control group: memory is watched but not enforced, processes are ${shape.countsProcesses ? 'counted at each fork' : 'limited per user namespace'}, CPU is shared and not limited`,
    countsAllMemory: false,
    environment: {},
    prologue: perProcess(limits, [
      `-d ${Math.ceil((limits.memoryBytes * 2 + RESERVED_BY_NODE) / 1024)}`,
      ...(shape.countsProcesses ? [] : [`-u ${limits.pids}`]),
    ]),
    wrap: (command) => command,
    watch: (pid, kill) => new MemoryWatch(() => shape.holders(pid), limits.memoryBytes, kill),
  };
}

class MemoryWatch implements LimitWatch {
  readonly #holders: () => MemoryHolders | null;
  readonly #limit: number;
  readonly #kill: () => void;
  readonly #sharedBefore = readHostMemory().shared;
  #timer: NodeJS.Timeout | undefined;
  #isRunning = false;
  #isStopped = false;
  #kills = 0;

  constructor(holders: () => MemoryHolders | null, limit: number, kill: () => void) {
    this.#holders = holders;
    this.#limit = limit;
    this.#kill = kill;
    this.#schedule(WATCH_IDLE_MS);
  }

  onCommand(running: boolean): void {
    this.#isRunning = running;
    // A check in progress schedules the next one itself.
    if (running && this.#timer !== undefined) this.#schedule(WATCH_BUSY_MS);
  }

  memoryKills(): number {
    return this.#kills;
  }

  stop(): void {
    this.#isStopped = true;
    clearTimeout(this.#timer);
  }

  #schedule(ms: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#check(), ms).unref();
  }

  async #check(): Promise<void> {
    this.#timer = undefined;
    const checkedAt = performance.now();
    const holders = this.#holders();
    const own = holders === null ? 0 : readPrivateBytes(holders);
    const isOver = holders !== null && (await this.#isOver(holders, own));
    if (this.#isStopped) return;
    if (isOver) {
      this.#kills += 1;
      this.stop();
      this.#kill();
      return;
    }
    const isBusy = this.#isRunning || own > this.#limit / BUSY_SHARE;
    const rest = (performance.now() - checkedAt) * WAIT_FACTOR;
    this.#schedule(Math.max(isBusy ? WATCH_BUSY_MS : WATCH_IDLE_MS, rest));
  }

  /** Computes the expensive exact sum only if it could exceed the limit. */
  async #isOver(holders: MemoryHolders, own: number): Promise<boolean> {
    const host = readHostMemory();
    const isHiding =
      host.available < HOST_RESERVE_BYTES && host.shared - this.#sharedBefore > this.#limit;
    return (
      isHiding || (own + host.shared > this.#limit && (await usesMoreThan(this.#limit, holders)))
    );
  }
}
