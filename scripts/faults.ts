import { availableParallelism } from 'node:os';
import {
  type Fault,
  FaultHarness,
  type FaultVerdict,
  faultObstacle,
} from '../test/kill/fault-harness.ts';

/**
 * Makes every write, sync and rename of a run fail in turn (no space or disk error, once or permanently),
 * checks the result, and resumes the run once the disk works again:
 *
 *   npm run faults            every call
 *   npm run faults -- 20      every twentieth
 */
const obstacle = faultObstacle();
if (obstacle !== null) {
  process.stderr.write(`This cannot run here: ${obstacle}.\n`);
  process.exit(1);
}
const every = Math.max(1, Number(process.argv[2] ?? '1'));
await using harness = await FaultHarness.open();
const count = await harness.count();
process.stdout.write(`A run makes ${count} writes, syncs and renames.\n`);
const queue: Fault[] = [];
for (let at = 1; at <= count; at += every) {
  for (const code of ['ENOSPC', 'EIO'] as const) {
    for (const lasting of [false, true]) queue.push({ at, code, lasting });
  }
}
const verdicts: FaultVerdict[] = [];
const work = async (): Promise<void> => {
  for (let fault = queue.shift(); fault !== undefined; fault = queue.shift()) {
    verdicts.push(await harness.run(fault));
  }
};
await Promise.all(Array.from({ length: availableParallelism() }, work));
const ends = new Map<string, number>();
for (const { during } of verdicts) {
  const end = during.split(' ').slice(0, 3).join(' ');
  ends.set(end, (ends.get(end) ?? 0) + 1);
}
process.stdout.write(`${verdicts.length} faults:\n`);
for (const [end, times] of ends) process.stdout.write(`  ${String(times).padStart(5)} ${end}\n`);
const bad = verdicts.filter(({ problems }) => problems.length > 0);
process.stdout.write(
  `${bad.length} with a corrupt database, a lost event, no clear state, or no way to resume\n`,
);
for (const { fault, problems } of bad) {
  process.exitCode = 1;
  process.stdout.write(`  ${JSON.stringify(fault)}: ${problems.join('; ')}\n`);
}
