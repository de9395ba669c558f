import { type ChildProcess, fork } from 'node:child_process';
import { join } from 'node:path';
import type { FromStandIn, Order, SenderFrame, ShellState } from './orders.ts';

const ROOT = join(import.meta.dirname, '../../..');
const OWN_FRAME: SenderFrame = { origin: 'app://hyperagent', isTop: true };

export interface DesktopOptions {
  readonly dataDir: string;
  /** The folder of `out/`, if not this repository. */
  readonly root?: string;
  /** Modules to import first. */
  readonly imports?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

/** The built desktop app, running on the stand-in. */
export class Desktop {
  readonly pushes: unknown[] = [];
  readonly ended: Promise<{ code: number | null; stderr: string }>;
  readonly #child: ChildProcess;
  readonly #waiting = new Map<number, (value: unknown) => void>();
  readonly #pushListeners = new Set<(message: unknown) => void>();
  #orders = 0;

  constructor({ dataDir, root = ROOT, imports = [], env = {} }: DesktopOptions) {
    const modules = [join(import.meta.dirname, 'register.ts'), ...imports];
    this.#child = fork(join(root, 'out/main/index.js'), {
      execArgv: modules.flatMap((module) => ['--import', module]),
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
      env: { ...process.env, HYPERAGENT_DATA_DIR: dataDir, ...env },
      serialization: 'advanced',
    });
    let stderr = '';
    this.#child.stderr?.on('data', (chunk: Buffer) => {
      stderr += chunk.toString();
    });
    this.#child.on('message', (message: FromStandIn) => this.#receive(message));
    this.ended = new Promise((resolve) => {
      this.#child.on('close', (code) => resolve({ code, stderr }));
    });
  }

  /** Resolves once the window has loaded its page. */
  async opened(): Promise<this> {
    for (;;) {
      const { loaded } = await this.state();
      if (loaded.length > 0) return this;
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  }

  async order<T>(order: Order): Promise<T> {
    this.#orders += 1;
    const id = this.#orders;
    const answer = new Promise<unknown>((resolve) => this.#waiting.set(id, resolve));
    this.#child.send({ id, order });
    const ended = this.ended.then(({ stderr }) => {
      throw new Error(`the desktop app ended: ${stderr}`);
    });
    return (await Promise.race([answer, ended])) as T;
  }

  state(): Promise<ShellState> {
    return this.order({ kind: 'state' });
  }

  /** A request as the preload makes it, from our own page unless told otherwise. */
  request(name: string, input: unknown, frame: SenderFrame | null = OWN_FRAME): Promise<unknown> {
    return this.order({
      kind: 'invoke',
      channel: 'hyperagent:request',
      args: [name, input],
      frame,
    });
  }

  /** Tells that a push was seen, as the preload does. */
  acknowledge(): Promise<unknown> {
    return this.order({ kind: 'send', channel: 'hyperagent:push-seen', frame: OWN_FRAME });
  }

  onPush(listener: (message: unknown) => void): void {
    this.#pushListeners.add(listener);
  }

  /** Quits as the person does, and waits for the end. */
  async quit(): Promise<{ code: number | null; stderr: string }> {
    if (this.#child.connected) this.#child.send({ id: 0, order: { kind: 'quit' } });
    return this.ended;
  }

  #receive(message: FromStandIn): void {
    if (message.kind === 'push') {
      this.pushes.push(message.message);
      for (const listener of this.#pushListeners) listener(message.message);
      return;
    }
    this.#waiting.get(message.id)?.(message.value);
    this.#waiting.delete(message.id);
  }
}
