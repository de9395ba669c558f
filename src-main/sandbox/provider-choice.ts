import { AppError } from '#contract/errors.ts';
import type { SandboxChoice, SandboxKind } from '#contract/vocabulary.ts';
import type { Clock } from '../base/clock.ts';
import type { Logger } from '../base/logger.ts';
import type { ProviderState, SandboxProvider } from './types.ts';

/** How long the state of a provider is cached. */
const REMEMBERED_MS = 5_000;

type ReadyState = Extract<ProviderState, { status: 'ready' }>;

export interface ChosenProvider {
  readonly provider: SandboxProvider;
  readonly state: ReadyState;
}

/** Inspects the providers and picks one; docs/decisions/0002 explains the order. */
export class ProviderChoice {
  readonly #providers: readonly SandboxProvider[];
  readonly #clock: Clock;
  readonly #logger: Logger;
  readonly #cached = new Map<SandboxProvider, { at: number; state: Promise<ProviderState> }>();

  /** `providers` in order of preference. */
  constructor(
    providers: readonly SandboxProvider[],
    { clock, logger }: { clock: Clock; logger: Logger },
  ) {
    this.#providers = providers;
    this.#clock = clock;
    this.#logger = logger;
  }

  /**
   * The first ready provider, else the first that can be prepared, which is prepared if `onProgress` is given.
   * Throws `SANDBOX_UNAVAILABLE` with what to do for each provider.
   */
  async choose(
    choice: SandboxChoice,
    onProgress: ((line: string) => void) | null,
    signal: AbortSignal,
  ): Promise<ChosenProvider> {
    const candidates = this.#providers.filter(({ kind, isOptIn }) =>
      choice === 'auto' ? isOptIn !== true : kind === choice,
    );
    const inspections = candidates.map(async (provider) => ({
      provider,
      state: await this.stateOf(provider, signal),
    }));
    const states = await Promise.all(inspections);
    for (const { provider, state } of states) {
      if (state.status === 'ready') return { provider, state };
    }
    const preparable = states.find(({ state }) => state.status === 'needs_preparation');
    if (preparable === undefined || onProgress === null) throw noSandbox(states);
    return await this.#prepare(preparable.provider, onProgress, signal);
  }

  /** The state of a provider, at most a few seconds old. One that fails to answer is unavailable. */
  stateOf(provider: SandboxProvider, signal: AbortSignal): Promise<ProviderState> {
    const known = this.#cached.get(provider);
    const now = this.#clock.monotonic();
    if (known !== undefined && now - known.at < REMEMBERED_MS) return known.state;
    const state = this.#inspect(provider, signal);
    this.#cached.set(provider, { at: now, state });
    // An aborted inspection says nothing about the next one.
    state.catch(() => this.#cached.delete(provider));
    return state;
  }

  /** Drops the cached state. */
  forget(provider: SandboxProvider): void {
    this.#cached.delete(provider);
  }

  async #prepare(
    provider: SandboxProvider,
    onProgress: (line: string) => void,
    signal: AbortSignal,
  ): Promise<ChosenProvider> {
    await provider.prepare(onProgress, signal);
    this.forget(provider);
    const state = await this.stateOf(provider, signal);
    if (state.status !== 'ready') throw noSandbox([{ provider, state }]);
    return { provider, state };
  }

  async #inspect(provider: SandboxProvider, signal: AbortSignal): Promise<ProviderState> {
    try {
      return await provider.inspect(signal);
    } catch (error) {
      signal.throwIfAborted();
      this.#logger.warn('Could not inspect a sandbox', { kind: provider.kind, error });
      const detail = error instanceof Error ? error.message : String(error);
      return { status: 'unavailable', detail, remedy: 'See the log for details.', cause: error };
    }
  }
}

const LABELS: Readonly<Record<SandboxKind, string>> = {
  docker: 'Docker',
  os: 'Sandbox of this system',
  landlock: 'Landlock',
  e2b: 'E2B',
};

function noSandbox(
  states: readonly { readonly provider: SandboxProvider; readonly state: ProviderState }[],
): AppError {
  const wants = states.map(({ provider, state }) => {
    const label = LABELS[provider.kind];
    return state.status === 'ready' ? '' : `${label}: ${state.detail}. ${state.remedy}`;
  });
  const text = `There is no sandbox, and nothing runs without one. ${wants.join(' Or: ')}`;
  const cause = states
    .map(({ state }) => ('cause' in state ? state.cause : undefined))
    .find(Boolean);
  return new AppError('SANDBOX_UNAVAILABLE', text, { details: { wants }, cause });
}
