import { expect } from 'vitest';

/** Expects that the work grows about as the text does: eight times as much text, at most 24 times the work. */
export function expectLinearWork(make: (units: number) => string, run: Run, units: number): void {
  const [small, large] = [make(units), make(8 * units)];
  const work = (text: string): number =>
    Math.min(...Array.from({ length: 3 }, () => workedMs(() => run(text))));
  work(small);
  // Quadratic work would be 64 times as much. Kernels count the time of a thread in ticks of up to 4 ms.
  expect(work(large)).toBeLessThan(24 * (work(small) + 4));
}

type Run = (text: string) => unknown;

/** Milliseconds that the thread worked: a busy machine makes it wait, which is no work. */
function workedMs(work: () => void): number {
  const before = process.threadCpuUsage();
  work();
  return process.threadCpuUsage(before).user / 1_000;
}
