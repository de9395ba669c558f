import { vi } from 'vitest';

/** Waits for a state of a fake server, also where the machine has much else to do. */
export async function until(isSo: () => unknown): Promise<void> {
  await vi.waitUntil(isSo, { timeout: 60_000, interval: 2 });
}
