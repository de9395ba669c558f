const TICK_MS = 10;

/**
 * Measures how long the main thread computed without letting a timer run, in CPU milliseconds: a busy computer
 * does not count.
 */
export function meterLoop(): { longestMs(): number; stop(): void } {
  const cpuMs = (): number => {
    const { user, system } = process.threadCpuUsage();
    return (user + system) / 1000;
  };
  let longest = 0;
  let last = cpuMs();
  const timer = setInterval(() => {
    const now = cpuMs();
    longest = Math.max(longest, now - last);
    last = now;
  }, TICK_MS);
  return {
    longestMs: () => {
      const worst = Math.round(longest);
      longest = 0;
      return worst;
    },
    stop: () => clearInterval(timer),
  };
}
