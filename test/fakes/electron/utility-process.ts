import { type ChildProcess, fork as forkNode } from 'node:child_process';
import { EventEmitter } from 'node:events';
import { join } from 'node:path';
import type { Readable } from 'node:stream';

interface UtilityOptions {
  readonly env?: Record<string, string>;
  readonly execArgv?: string[];
}

/** `utilityProcess` of Electron: a real process, which finds `process.parentPort` and no more. */
class UtilityProcess extends EventEmitter {
  readonly #child: ChildProcess;

  constructor(program: string, args: string[], { env = {}, execArgv = [] }: UtilityOptions) {
    super();
    this.#child = forkNode(program, args, {
      env,
      execArgv: [...execArgv, '--import', join(import.meta.dirname, 'parent-port.ts')],
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    });
    this.#child.on('message', (message) => this.emit('message', message));
    this.#child.on('exit', (code) => this.emit('exit', code ?? 0));
  }
  get pid(): number | undefined {
    return this.#child.pid;
  }
  get stderr(): Readable | null {
    return this.#child.stderr;
  }
  postMessage(message: unknown): void {
    if (this.#child.connected) this.#child.send(message as object);
  }
  kill(): boolean {
    return this.#child.kill('SIGTERM');
  }
}

export const utilityProcess = {
  fork: (program: string, args: string[] = [], options: UtilityOptions = {}): UtilityProcess =>
    new UtilityProcess(program, args, options),
};
