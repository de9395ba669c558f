import { RunningTime, timeLimit } from '#main/base/running-time.ts';
import { STREAM_LIMITS, StreamWatch } from '#main/models/transport/stream-watch.ts';

/**
 * Holds limits of 2 s while what it waits for takes 1 s, and says which were met and how long it ran:
 *
 *   node test/main/base/standing-child.ts rest|compute
 *
 * `rest` waits; `compute` keeps the main thread busy past the limit.
 */
const [what = ''] = process.argv.slice(2);
const met: string[] = [];
const time = new RunningTime({ ms: 2_000, onReached: () => met.push('limit') });
timeLimit(2_000).addEventListener('abort', () => met.push('signal'));
const watch = new StreamWatch({
  limits: { ...STREAM_LIMITS, connectMs: 2_000 },
  onWaiting: () => undefined,
  onExpired: ({ kind }) => met.push(kind),
});
process.stdout.write('holds\n');
if (what === 'compute') {
  const computedMs = (): number => {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1_000;
  };
  const before = computedMs();
  while (computedMs() - before < 3_000);
}
const began = time.passedMs;
const waiting = setInterval(() => {
  if (time.passedMs - began < 1_000) return;
  clearInterval(waiting);
  setTimeout(() => {
    process.stdout.write(`${JSON.stringify({ met, ranMs: time.passedMs })}\n`);
    time[Symbol.dispose]();
    watch.stop();
  }, 100);
}, 50);
