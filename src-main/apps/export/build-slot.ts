import type { AppBuild } from '#contract/apps.ts';
import { AppError } from '#contract/errors.ts';

const BUILDING: AppBuild = {
  ...{ status: 'running', folder: null, files: 0, bytes: 0, unchecked: null, problem: null },
};

/** The build of an app: one at a time, and what came of the last. */
export class BuildSlot {
  #state: AppBuild | null = null;
  #stop: (() => Promise<void>) | null = null;

  /** Null before the first. */
  get state(): AppBuild | null {
    return this.#state;
  }

  /**
   * Does the work of a build. What was there before stays where it rejects; one that was stopped is `cancelled`. Throws
   * `CONFLICT` while another one runs. `onChange` is called with each new state.
   */
  async run(
    work: (signal: AbortSignal, started: () => void) => Promise<AppBuild>,
    { signal, onChange }: { readonly signal: AbortSignal; readonly onChange: () => void },
  ): Promise<void> {
    if (this.#stop !== null) {
      throw new AppError(
        'CONFLICT',
        'A build of this app is running. Wait for its end, or stop it.',
      );
    }
    const stopping = new AbortController();
    const ended = Promise.withResolvers<void>();
    this.#stop = () => {
      stopping.abort();
      return ended.promise;
    };
    const before = this.#state;
    const started = (): void => {
      this.#state = BUILDING;
      onChange();
    };
    try {
      this.#state = await work(AbortSignal.any([signal, stopping.signal]), started);
    } catch (error) {
      const isStopped = signal.aborted || stopping.signal.aborted;
      this.#state = isStopped ? { ...BUILDING, status: 'cancelled' } : before;
      if (!isStopped) throw error;
    } finally {
      this.#stop = null;
      ended.resolve();
      onChange();
    }
  }

  /** Stops the build that runs. Resolves at its end. */
  async cancel(): Promise<void> {
    await this.#stop?.();
  }

  /** Forgets the last build: another app was made. One that runs goes on. */
  clear(): void {
    if (this.#stop === null) this.#state = null;
  }
}
