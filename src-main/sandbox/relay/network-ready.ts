import { raceAbort } from '../../base/abort.ts';
import type { SandboxNetwork } from '../types.ts';

/**
 * How long to wait for the relay of a sandbox; without it programs run but reach nothing. A relay that cannot
 * start fails at once; one that starts may be slow on a busy computer.
 */
const NETWORK_READY_MS = 30_000;

/** Waits until programs of a newly started sandbox can use its proxy. Rejects if `signal` fires. */
export async function networkReady(
  network: Pick<SandboxNetwork, 'ready'> | null,
  signal: AbortSignal,
): Promise<void> {
  if (network === null) return;
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, NETWORK_READY_MS);
  });
  try {
    await raceAbort(Promise.race([network.ready, limit]), signal);
  } finally {
    clearTimeout(timer);
  }
}
