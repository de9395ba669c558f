import { createHash } from 'node:crypto';
import { writeSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { AppError } from '#contract/errors.ts';
import type { RunEvent } from '#contract/events/run-event.ts';
import { compose } from '#main/compose.ts';

/**
 * One life of the app on a failing disk: `during` runs the scenario, `after` reads what was stored and
 * continues. Every event that a window would receive is printed at once, as `seq hash`.
 *
 *   node test/kill/fault-child.ts DATA_DIR MODEL_URL during|after
 */
const [dataDir = '', baseUrl = '', mode = ''] = process.argv.slice(2);
const say = (line: string): void => void writeSync(1, `${line}\n`);
const hash = (event: RunEvent): string =>
  createHash('sha256').update(JSON.stringify(event)).digest('hex').slice(0, 16);

try {
  await using app = await compose({
    ...{
      dataDir,
      entryPoint: 'terminal',
      attended: true,
      readOnly: false,
      seal: null,
    },
    modelOverrides: { baseUrl },
  });
  const { api, runs } = app;
  const options = {
    model: { provider: 'ollama', name: 'x' },
    sandbox: 'os',
    approve: 'all',
  } as const;
  const follow = async (runId: string): Promise<void> => {
    const stop = runs.listen(runId, (events) => {
      for (const event of events) say(`heard ${runId} ${event.seq} ${hash(event)}`);
    });
    const answering = setInterval(() => answerAll(), 20);
    let run = await runs.settled(runId);
    while (run.endedAt === null && runs.isActive(runId)) {
      await wait(10);
      run = await runs.settled(runId);
    }
    clearInterval(answering);
    stop();
    // The state that windows see; it may not be stored yet.
    const { status, error } = run;
    say(`ended ${runId} ${status} ${error?.code ?? '-'} ${error?.message ?? ''}`);
  };
  const answerAll = (): void => {
    try {
      for (const { runId, interruptId, kind } of api['runs.waiting']().questions) {
        const notHappened = { action: 'select', value: 'not_happened' } as const;
        api['runs.respond']({
          runId,
          interruptId,
          response: kind === 'decision' ? notHappened : { action: 'input', text: 'Yes' },
        });
      }
    } catch (error) {
      // The disk refused the answer; the next attempt gives it again.
      if (!(error instanceof AppError)) throw error;
    }
  };
  if (mode === 'during') {
    const { run } = await api['runs.start']({ prompt: 'Do all of it', attachmentIds: [], options });
    await follow(run.id);
  } else {
    const [last] = runs.list();
    if (last !== undefined) {
      const log = runs.events(last.id, 0, 100_000);
      for (const event of log) say(`stored ${last.id} ${event.seq} ${hash(event)}`);
      const { status, error } = last;
      say(`found ${last.id} ${status} ${error?.code ?? '-'}`);
      if (last.endedAt === null) {
        api['runs.resume']({ runId: last.id });
        await follow(last.id);
      }
    }
    const next = await api['runs.start']({
      ...(last === undefined ? {} : { threadId: last.threadId }),
      ...{ prompt: 'Do all of it', attachmentIds: [], options },
    });
    await follow(next.run.id);
  }
} catch (error) {
  if (!(error instanceof AppError)) throw error;
  say(`refused ${error.code} ${error.message}`);
}
