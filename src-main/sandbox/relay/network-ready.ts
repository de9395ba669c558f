import { raceAbort } from '../../base/abort.ts';
import type { SandboxNetwork } from '../types.ts';

/**
 * How long the relay of a sandbox is waited for; without it programs run, and reach nothing. One that cannot
 * start is known at once; one that starts takes its time on a busy machine.
 */
const NETWORK_READY_MS = 30_000;

/** Waits until programs of a sandbox that has just started find their way out. Rejects where `signal` fires. */
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
