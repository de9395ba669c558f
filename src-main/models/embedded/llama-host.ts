import type { AppError } from '#contract/errors.ts';
import { safeParse } from '#contract/safe-parse.ts';
import { HostMessage, type HostMessageOf } from './host-messages.ts';
import type { HostProcess, StartHostProcess } from './host-process.ts';

type Outcome = HostMessageOf<'opened'> | HostMessageOf<'done'> | HostMessageOf<'failed'>;

interface Pending {
  readonly resolve: (outcome: Outcome) => void;
  readonly reject: (error: unknown) => void;
  readonly onText: (text: string) => void;
}

/** Makes the error for a process that ended by itself. */
export type OnDeath = (how: string) => AppError;

export interface LlamaHostParts {
  /** `resources/embedded/llama-host.mjs` of the app. */
  readonly program: string;
  /** Where node-llama-cpp is installed. */
  readonly runtimeDir: string;
  readonly start: StartHostProcess;
  readonly onDeath: OnDeath;
}

/**
 * The process that has a model loaded. It ends with the app. If it ends earlier, pending requests reject
 * and the app keeps running. It gets no environment variables but those needed to start.
 */
export class LlamaHost {
  readonly #child: HostProcess;
  readonly #onDeath: OnDeath;
  readonly #pending = new Map<number, Pending>();
  #lastId = 0;
  #ended: string | null = null;
  #stderr = '';

  constructor({ program, runtimeDir, start, onDeath }: LlamaHostParts) {
    this.#onDeath = onDeath;
    this.#child = start(program, [runtimeDir]);
    this.#child.onMessage((message) => this.#receive(message));
    this.#child.onErrorText((text) => {
      this.#stderr = (this.#stderr + text).slice(-2_000);
    });
    this.#child.onEnd((how) => this.#end(how));
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  get isAlive(): boolean {
    return this.#ended === null;
  }

  /**
   * Sends a request and waits for its outcome. An abort cancels it and rejects with the signal's reason; so does
   * an error of `onText`, with that error.
   */
  request(
    message: Readonly<Record<string, unknown>>,
    options: { readonly signal: AbortSignal; readonly onText?: (text: string) => void },
  ): Promise<Outcome> {
    const { signal, onText = () => undefined } = options;
    if (this.#ended !== null) return Promise.reject(this.#death());
    this.#lastId += 1;
    const id = this.#lastId;
    this.#child.setBusy(true);
    return new Promise((resolve, reject) => {
      const onAbort = (): void => {
        this.#pending.delete(id);
        this.#child.send({ id, kind: 'cancel' });
        reject(signal.reason);
      };
      const settle = (): void => {
        signal.removeEventListener('abort', onAbort);
        this.#pending.delete(id);
        if (this.#pending.size === 0) this.#child.setBusy(false);
      };
      signal.addEventListener('abort', onAbort, { once: true });
      this.#pending.set(id, {
        onText,
        resolve: (outcome) => {
          settle();
          resolve(outcome);
        },
        reject: (error) => {
          settle();
          reject(error);
        },
      });
      this.#child.send({ ...message, id });
    });
  }

  kill(): void {
    this.#child.kill();
  }

  #receive(raw: unknown): void {
    const parsed = safeParse(HostMessage, raw);
    if (!parsed.success) return;
    const message = parsed.data;
    if (message.kind === 'ready') return;
    const pending = this.#pending.get(message.id);
    if (message.kind !== 'text') {
      pending?.resolve(message);
      return;
    }
    try {
      pending?.onText(message.text);
    } catch (error) {
      // The reader wants no more of this answer.
      this.#child.send({ id: message.id, kind: 'cancel' });
      pending?.reject(error);
    }
  }

  #end(how: string): void {
    this.#ended ??= how;
    for (const pending of [...this.#pending.values()]) pending.reject(this.#death());
  }

  #death(): AppError {
    const last = this.#stderr.trim().split('\n').at(-1) ?? '';
    return this.#onDeath(
      last === '' ? (this.#ended ?? '') : `${this.#ended}: ${last.slice(0, 300)}`,
    );
  }
}
