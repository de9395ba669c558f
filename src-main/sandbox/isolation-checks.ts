import type { ProbeResult } from '#contract/entities.ts';
import type { Clock } from '../base/clock.ts';
import type { ProofStore } from '../storage/types.ts';
import { assertProven } from './isolation-probes/isolation-probes.ts';
import type { SandboxProvider } from './types.ts';

/** Checks the isolation of providers before use, and remembers passed checks until something changes. */
export class IsolationChecks {
  readonly #store: ProofStore;
  readonly #clock: Clock;
  readonly #proving = new Map<SandboxProvider, Promise<ProbeResult[]>>();

  constructor(store: ProofStore, clock: Clock) {
    this.#store = store;
    this.#clock = clock;
  }

  /** Resolves if the isolation check passes, now or earlier; else throws `SANDBOX_NOT_PROVEN`. */
  async require(
    provider: SandboxProvider,
    fingerprint: string,
    signal: AbortSignal,
  ): Promise<void> {
    const probes =
      this.known(provider, fingerprint) ?? (await this.prove(provider, fingerprint, signal));
    assertProven(provider.kind, probes);
  }

  /** Results of a check that is still valid; null if there is none. */
  known(provider: SandboxProvider, fingerprint: string): readonly ProbeResult[] | null {
    const proof = this.#store.get(provider.kind);
    return proof?.fingerprint === fingerprint ? proof.probes : null;
  }

  /** Runs every probe now; once at a time for each provider, however many callers wait. */
  prove(
    provider: SandboxProvider,
    fingerprint: string,
    signal: AbortSignal,
  ): Promise<ProbeResult[]> {
    const running = this.#proving.get(provider);
    if (running !== undefined) return running;
    const proving = this.#prove(provider, fingerprint, signal).finally(() =>
      this.#proving.delete(provider),
    );
    this.#proving.set(provider, proving);
    return proving;
  }

  async #prove(
    provider: SandboxProvider,
    fingerprint: string,
    signal: AbortSignal,
  ): Promise<ProbeResult[]> {
    const probes = await provider.probe(signal);
    const hasPassed = probes.length > 0 && probes.every((probe) => probe.held);
    // A failed check is tried again the next time; the failure may have been temporary.
    if (hasPassed)
      this.#store.put({ kind: provider.kind, fingerprint, probes, at: this.#clock.now() });
    else this.#store.delete(provider.kind);
    return probes;
  }
}
