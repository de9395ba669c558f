import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import { type FakeModelServer, startModelServer } from '../fakes/model-server/server.ts';
import { TURNS } from './scenario.ts';

const CHILD = join(import.meta.dirname, 'fault-child.ts');
const SHIM = join(import.meta.dirname, 'faults.c');

export const ERRNO = { ENOSPC: 28, EIO: 5 } as const;

export interface Fault {
  /** Which of the writes, syncs and renames below the data folder fails, counted from 1. */
  readonly at: number;
  readonly code: keyof typeof ERRNO;
  /** All operations from then on fail, until space is freed; otherwise only this one. */
  readonly lasting: boolean;
}

export interface FaultVerdict {
  readonly fault: Fault;
  /** How the run on the failing disk ended, in its own words; `refused` if the app did not start. */
  readonly during: string;
  readonly problems: readonly string[];
}

/** Null if a compiler is installed; otherwise why the harness cannot be used. */
export function faultObstacle(): string | null {
  if (process.platform !== 'linux') return 'only on Linux';
  return spawnSync('cc', ['--version']).status === 0 ? null : 'no C compiler';
}

/** Runs the scenario on a disk that fails at a chosen operation, then continues without the fault. */
export class FaultHarness implements AsyncDisposable {
  readonly #server: FakeModelServer;
  readonly #dir = mkdtempSync(join(tmpdir(), 'hyperagent-fault-'));
  #next = 0;

  private constructor(server: FakeModelServer) {
    this.#server = server;
  }

  static async open(): Promise<FaultHarness> {
    const server = await startModelServer({
      models: [{ name: 'x', capabilities: ['completion', 'tools'] }],
      turns: TURNS,
    });
    const harness = new FaultHarness(server);
    const args = ['-shared', '-fPIC', '-O2', '-o', harness.#shim, SHIM, '-ldl'];
    const { status, stderr } = spawnSync('cc', args, { encoding: 'utf8' });
    if (status !== 0) throw new Error(`The shim does not compile: ${stderr}`);
    return harness;
  }

  get #shim(): string {
    return join(this.#dir, 'faults.so');
  }

  /** How many writes, syncs and renames a run without faults makes. */
  async count(): Promise<number> {
    const dataDir = this.#newDir();
    const counted = join(this.#dir, 'count');
    await this.#life(dataDir, 'during', { FAULT_COUNT: counted });
    rmSync(dataDir, { recursive: true, force: true });
    return Number(readFileSync(counted, 'utf8'));
  }

  async run(fault: Fault): Promise<FaultVerdict> {
    const dataDir = this.#newDir();
    const freed = join(this.#dir, `never-${this.#next}`);
    const during = await this.#life(dataDir, 'during', {
      FAULT_AT: String(fault.at),
      FAULT_ERRNO: String(ERRNO[fault.code]),
      ...(fault.lasting ? { FAULT_UNTIL: freed } : {}),
    });
    const problems: string[] = [];
    const end = during.lines.findLast((line) => /^(?:ended|refused) /.test(line)) ?? '';
    if (end === '')
      problems.push(`no clear end: exit ${during.code}, ${during.stderr.slice(-400)}`);
    const status = /^ended \S+ (\S+) (\S+)/.exec(end);
    const [, state, why = ''] = status ?? [];
    const isClear =
      end.startsWith('refused ') ||
      state === 'completed' ||
      // SQLite does not say why a sync failed.
      (fault.code === 'ENOSPC' && !end.includes('SQLITE_IOERR_FSYNC')
        ? state === 'queued' && why === 'DISK_FULL'
        : // A sandbox that cannot write its own files says so under its own code.
          ['STORAGE_FAILED', 'SANDBOX_UNAVAILABLE'].includes(why));
    if (!isClear) problems.push(`not clear: ${end}`);
    problems.push(...this.#lookAtDatabase(dataDir));
    const after = await this.#life(dataDir, 'after', {});
    const stored = new Set(
      after.lines.flatMap((line) => (line.startsWith('stored ') ? [line.slice(7)] : [])),
    );
    const heard = during.lines.flatMap((line) =>
      line.startsWith('heard ') ? [line.slice(6)] : [],
    );
    const last = state === 'failed' ? heard.at(-1) : null;
    // The only event that may be published before it is stored: the end of a run that the disk refused.
    const lost = heard.filter((line) => !stored.has(line) && line !== last);
    if (lost.length > 0) problems.push(`${lost.length} published events are lost: ${lost[0]}`);
    const ends = after.lines.filter((line) => line.startsWith('ended '));
    // The run itself, if it has no end, and the next turn.
    const stuck = ends.find((line) => !line.includes(' completed '));
    if (stuck !== undefined || ends.length === 0) {
      problems.push(`does not go on: ${stuck ?? after.lines.at(-1)} ${after.stderr.slice(-400)}`);
    }
    rmSync(dataDir, { recursive: true, force: true });
    return { fault, during: end.replace(/run_\S+ /, '').slice(0, 80), problems };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#server.close();
    rmSync(this.#dir, { recursive: true, force: true });
  }

  #newDir(): string {
    return join(this.#dir, `data-${this.#next++}`);
  }

  #lookAtDatabase(dataDir: string): string[] {
    const file = join(dataDir, 'hyperagent.db');
    if (!existsSync(file)) return [];
    const database = new BetterSqlite3(file);
    try {
      const found = database.pragma('integrity_check', { simple: true });
      return found === 'ok' ? [] : [`the database is corrupt: ${String(found)}`];
    } finally {
      database.close();
    }
  }

  #life(
    dataDir: string,
    mode: 'during' | 'after',
    faults: Readonly<Record<string, string>>,
  ): Promise<{ lines: string[]; code: number | null; stderr: string }> {
    const isFaulty = Object.keys(faults).length > 0;
    const child = spawn(process.execPath, [CHILD, dataDir, this.#server.url, mode], {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: {
        ...process.env,
        ...(isFaulty ? { LD_PRELOAD: this.#shim, FAULT_DIR: dataDir, ...faults } : {}),
      },
    });
    const limit = setTimeout(() => child.kill('SIGKILL'), 300_000);
    let [out, stderr] = ['', ''];
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      out += text;
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      stderr += text;
    });
    return new Promise((resolve) => {
      child.once('close', (code) => {
        clearTimeout(limit);
        resolve({ lines: out.split('\n').filter((line) => line !== ''), code, stderr });
      });
    });
  }
}
