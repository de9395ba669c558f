import { monitorEventLoopDelay } from 'node:perf_hooks';

/** What the event loop of this thread knew of some work, in milliseconds. */
export interface LoopHeld {
  readonly took: number;
  /** How much later than due its timers were: the 99th percentile, and the longest. */
  readonly p99: number;
  readonly longest: number;
  /** The most time that the processor gave to this thread between two turns: nobody else's load is in it. */
  readonly ownWork: number;
}

/** Does `work` and watches the loop meanwhile. */
export async function heldBy(work: () => Promise<unknown>): Promise<LoopHeld> {
  const delay = monitorEventLoopDelay({ resolution: 1 });
  let ownWork = 0;
  let last = threadMs();
  const turn = (): void => {
    const now = threadMs();
    ownWork = Math.max(ownWork, now - last);
    last = now;
    timer = setTimeout(turn, 1);
  };
  let timer = setTimeout(turn, 1);
  delay.enable();
  const began = performance.now();
  await work();
  const took = performance.now() - began;
  // The last turn has to end to be counted.
  await new Promise((resolve) => setTimeout(resolve, 5));
  delay.disable();
  clearTimeout(timer);
  return { took, ownWork, p99: delay.percentile(99) / 1e6, longest: delay.max / 1e6 };
}

function threadMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}
