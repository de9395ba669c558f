import { systemClock } from '#main/base/clock.ts';
import { silentLogger } from '#main/base/logger.ts';
import { RunService } from '#main/run/run-service.ts';
import { writeEvents } from '#main/storage/event-store.ts';
import { writeMessages } from '#main/storage/message-store.ts';
import { openDatabase } from '#main/storage/open-database.ts';
import { writeRuns } from '#main/storage/run-store.ts';
import { writeThreads } from '#main/storage/thread-store.ts';

/** A run that emits forever; each event that a listener receives is printed as `run seq`. */
const [dataDir = ''] = process.argv.slice(2);
const { connection } = openDatabase({
  dataDir,
  logger: silentLogger,
  clock: systemClock,
  entryPoint: 'terminal',
});
const service = new RunService({
  stores: {
    transaction: (work) => connection.transaction(work),
    threads: writeThreads(connection),
    runs: writeRuns(connection),
    events: writeEvents(connection),
    messages: writeMessages(connection),
  },
  program: async ({ emit }) => {
    for (let i = 0; ; i += 1) {
      emit({ type: 'token', messageId: 'answer', text: `${i} ` });
      emit({ type: 'reasoning', messageId: 'thought', text: `${i} ` });
      if (i % 5 === 0) await new Promise((resolve) => setImmediate(resolve));
    }
  },
  importAttachments: async () => [],
  removeWorkspace: async () => undefined,
  releaseReserve: () => undefined,
  hasOpenQuestions: () => false,
  clock: systemClock,
  logger: silentLogger,
});
const { run } = await service.start({
  prompt: 'Talk',
  attachments: [],
  options: {
    mode: 'task',
    model: { provider: 'demo', name: 'demo' },
    sandbox: 'auto',
    network: 'offline',
    allowHosts: [],
    executionMode: 'standard',
    approve: 'never',
    timeoutSeconds: null,
  },
});
service.listen(run.id, (events) => process.stdout.write(`${run.id} ${events.at(-1)?.seq}\n`));
