import { mkdtempSync, rmSync, statSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { systemClock } from '#main/base/clock.ts';
import { silentLogger } from '#main/base/logger.ts';
import { ModelUseTotals } from '#main/run/sum-model-use.ts';
import { openModelUse } from '#main/storage/model-use-store.ts';
import { openDatabase } from '#main/storage/open-database.ts';

/**
 * What the totals of tokens and time cost, with 2,000 runs of 10 model requests and 280 events each:
 *
 *   npm run bench model-use [-- RUNS]
 *
 * The floor in the same run is one statement over all events, which holds the thread until it is done.
 */

const RUNS = Number(process.argv[2] ?? 2_000);
const OPTIONS = JSON.stringify({
  ...{ mode: 'task', model: { provider: 'ollama', name: 'bench' }, sandbox: 'auto' },
  ...{ network: 'offline', allowHosts: [], approve: 'ask', timeoutSeconds: null },
});
const USE = {
  ...{ round: 3, model: 'ollama:bench', prefix: { hit: true, bytes: 20_000 }, durationMs: 4_000 },
  ...{ promptTokens: 3_000, completionTokens: 200, contextWindow: 8_192 },
  parts: { system: 700, tools: 900, history: 1_000, attachments: 0, reserve: 2_000 },
};

const folder = mkdtempSync(path.join(os.tmpdir(), 'hyperagent-bench-use-'));
const { connection, paths, close } = openDatabase({
  dataDir: folder,
  logger: silentLogger,
  clock: systemClock,
  entryPoint: 'terminal',
});

function fill(): void {
  const now = Date.now();
  const thread = connection.sql(
    'INSERT INTO threads (id, title, title_folded, created_at, updated_at) VALUES (?, ?, ?, 0, 0)',
  );
  const run = connection.sql(
    `INSERT INTO runs (id, thread_id, status, prompt, options, created_at, ended_at)
     VALUES (?, ?, 'completed', 'Do it', ?, 0, 0)`,
  );
  const event = connection.sql('INSERT INTO events VALUES (?, ?, ?, ?, ?)');
  connection.transaction(() => {
    for (let n = 0; n < RUNS; n += 1) {
      const id = `run_${String(n).padStart(8, '0')}`;
      thread.run(`thr_${n}`, 'A task', 'a task');
      run.run(id, `thr_${n}`, OPTIONS);
      let seq = 0;
      const add = (type: string, body: object): void => {
        seq += 1;
        event.run(id, seq, now, type, JSON.stringify(body));
      };
      for (let request = 0; request < 10; request += 1) {
        for (let token = 0; token < 25; token += 1) {
          add('token', { messageId: 'm', text: 'x'.repeat(120) });
        }
        add('tool_call', { toolCallId: 'c', arguments: { command: 'x'.repeat(120) } });
        add('tool_result', { toolCallId: 'c', content: 'y'.repeat(3_000) });
        add('usage', USE);
      }
    }
  });
}

const report = (what: string, ms: number): void => {
  process.stdout.write(`${what.padEnd(58)} ${ms.toFixed(1)} ms\n`);
};

async function timed(work: () => unknown): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}

fill();
connection.pragma('wal_checkpoint(TRUNCATE)');
process.stdout.write(
  `${RUNS} runs, ${Math.round(statSync(paths.database).size / 2 ** 20)} MB of database\n`,
);
const floor = connection.sql(
  `SELECT body ->> '$.model', sum(body ->> '$.promptTokens') FROM events WHERE type = 'usage' GROUP BY 1`,
);
report('floor: one statement over all events', await timed(() => floor.all()));
const store = openModelUse(connection);
const totals = new ModelUseTotals(store, systemClock);
report('all tasks, for the first time in a process', await timed(() => totals.of()));
report('all tasks, again', await timed(() => totals.of()));
report(
  'one task, in another process',
  await timed(() => new ModelUseTotals(store, systemClock).of('thr_7')),
);

/** Turns that the thread was held for, while something else wants it all the time. */
let longest = 0;
let last = performance.now();
let isCounting = true;
const count = (): void => {
  const now = performance.now();
  longest = Math.max(longest, now - last);
  last = now;
  if (isCounting) setImmediate(count);
};
setImmediate(count);
await new Promise(setImmediate);
longest = 0;
await new ModelUseTotals(store, systemClock).of();
isCounting = false;
report('longest that the thread was held', longest);
close();
rmSync(folder, { recursive: true, force: true });
