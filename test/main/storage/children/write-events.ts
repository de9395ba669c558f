import { systemClock } from '#main/base/clock.ts';
import { silentLogger } from '#main/base/logger.ts';
import { writeEvents } from '#main/storage/event-store.ts';
import { openDatabase } from '#main/storage/open-database.ts';

/** Appends batches of events forever; prints the last seq of each batch once it is stored. */
const [dataDir = ''] = process.argv.slice(2);
const { connection } = openDatabase({
  dataDir,
  logger: silentLogger,
  clock: systemClock,
  entryPoint: 'terminal',
});
const events = writeEvents(connection);
let seq = events.lastSeq('run_1');
for (;;) {
  const batch = Array.from({ length: 7 }, () => {
    seq += 1;
    const text = `${seq}:${'x'.repeat(seq % 900)}`;
    return {
      type: 'token' as const,
      runId: 'run_1',
      seq,
      at: 1,
      messageId: 'm',
      text,
    };
  });
  events.append(batch);
  process.stdout.write(`${seq}\n`);
  // Lets the pipe take the line, as a publisher would.
  await new Promise((resolve) => setImmediate(resolve));
}
