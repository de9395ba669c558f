import { execFile } from 'node:child_process';
import type { SandboxLimits } from '../types.ts';
import { familyOf, type ProcessEntry, PS_ARGUMENTS, parseProcessTable } from './process-table.ts';

const CHECK_EVERY_MS = 500;

/**
 * Watches the processes of one shell, because macOS has no process groups with limits: if they exceed their
 * memory or number of processes, they are killed. Between two checks a program can exceed the limit.
 */
export class FamilyWatch {
  readonly #root: number;
  readonly #limits: Pick<SandboxLimits, 'memoryBytes' | 'pids'>;
  readonly #timer: NodeJS.Timeout;
  #known: readonly ProcessEntry[] = [];
  #kills = 0;

  constructor(root: number, limits: Pick<SandboxLimits, 'memoryBytes' | 'pids'>) {
    this.#root = root;
    this.#limits = limits;
    this.#timer = setInterval(() => this.#check(), CHECK_EVERY_MS);
    this.#timer.unref();
  }

  /** Number of kills because of memory. */
  get memoryKills(): number {
    return this.#kills;
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  /** Kills the shell's group and every other known descendant. */
  kill(): void {
    end(-this.#root);
    for (const { pid } of this.#known) end(pid);
  }

  #check(): void {
    execFile('ps', PS_ARGUMENTS, { maxBuffer: 16 * 1024 * 1024 }, (error, text) => {
      if (error !== null) return;
      this.#known = familyOf(this.#root, parseProcessTable(text));
      const bytes = this.#known.reduce((sum, entry) => sum + entry.residentBytes, 0);
      const isOver = bytes > this.#limits.memoryBytes;
      if (isOver) this.#kills += 1;
      if (isOver || this.#known.length > this.#limits.pids) this.kill();
    });
  }
}

function end(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has already ended.
  }
}
