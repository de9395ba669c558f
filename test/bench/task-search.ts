import { mkdtempSync, rmSync, statSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { systemClock } from '#main/base/clock.ts';
import { silentLogger } from '#main/base/logger.ts';
import { openDatabase } from '#main/storage/open-database.ts';
import { openTaskSearch } from '#main/storage/task-search-store.ts';
import { writeThreads } from '#main/storage/thread-store.ts';
import { TaskIndexer } from '#main/task-search/task-indexer.ts';
import { searchTasks } from '#main/task-search/task-search.ts';

/**
 * What the search over all tasks costs, with 10,000 tasks of 200,000 messages, and a command in every turn:
 *
 *   npm run bench task-search [-- TASKS]
 *
 * The floor of a query in the same run is FTS5 alone: the 20 newest matches, without rank, text or title. The
 * floor of the index is FTS5 alone as well: the same texts, in as many transactions.
 */

const TASKS = Number(process.argv[2] ?? 10_000);
const TURNS = 10;
const REPEATS = 15;
const MODEL = { provider: 'ollama', name: 'bench' };
const OPTIONS = JSON.stringify({
  ...{ mode: 'task', model: MODEL, sandbox: 'auto', network: 'offline', allowHosts: [] },
  ...{ approve: 'ask', timeoutSeconds: null },
});

let seed = 42;
function random(below: number): number {
  seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
  return Math.floor((seed / 2 ** 32) * below);
}
/** A word by its rank: low ranks are frequent, as in languages. */
const word = (): string => `w${Math.floor(20_000 ** (random(1_000_000) / 1_000_000)).toString(36)}`;
const han = (): string =>
  Array.from({ length: 12 }, () => String.fromCodePoint(0x4e00 + random(2_500))).join('');
const text = (words: number): string =>
  `${Array.from({ length: words }, word).join(' ')} ${random(5) === 0 ? han() : ''}`;

const folder = mkdtempSync(path.join(os.tmpdir(), 'hyperagent-bench-search-'));
const { connection, paths, close } = openDatabase({
  dataDir: folder,
  logger: silentLogger,
  clock: systemClock,
  entryPoint: 'terminal',
});

function fill(): void {
  const thread = connection.sql(
    'INSERT INTO threads (id, title, title_folded, created_at, updated_at) VALUES (?, ?, ?, ?, ?)',
  );
  const run = connection.sql(
    `INSERT INTO runs (id, thread_id, status, prompt, options, created_at, ended_at)
     VALUES (?, ?, 'completed', ?, ?, ?, ?)`,
  );
  const message = connection.sql(
    `INSERT INTO messages (id, thread_id, run_id, role, content, attachments, created_at)
     VALUES (?, ?, ?, ?, ?, '[]', ?)`,
  );
  const event = connection.sql('INSERT INTO events VALUES (?, ?, ?, ?, ?)');
  for (let task = 0; task < TASKS; task += 1) {
    connection.transaction(() => {
      const id = `thr_${String(task).padStart(6, '0')}`;
      const title = text(5);
      thread.run(id, title, title.toLowerCase(), task, task);
      for (let turn = 0; turn < TURNS; turn += 1) {
        const runId = `run_${String(task).padStart(6, '0')}_${turn}`;
        const at = 1_700_000_000_000 + task * 100_000 + turn * 1_000;
        const [prompt, answer] = [text(20), text(80)];
        run.run(runId, id, prompt, OPTIONS, at, at);
        message.run(`${runId}_u`, id, runId, 'user', prompt, at);
        message.run(`${runId}_a`, id, runId, 'assistant', answer, at);
        const events = [
          ['tool_call', { toolCallId: 'c', arguments: { command: text(10) } }],
          ['tool_result', { toolCallId: 'c', content: text(60) }],
          ['token', { messageId: 'm', text: answer.slice(0, 200) }],
          ['token', { messageId: 'm', text: answer.slice(200) }],
          ['complete', { answer }],
        ] as const;
        for (const [i, [type, body]] of events.entries()) {
          event.run(runId, i + 1, at + i, type, JSON.stringify(body));
        }
      }
    });
  }
}

const report = (what: string, figure: string): void => {
  process.stdout.write(`${what.padEnd(58)} ${figure}\n`);
};
const megabytes = (): number => statSync(paths.database).size / 2 ** 20;
const at = (values: readonly number[], share: number): number =>
  values.toSorted((a, b) => a - b)[
    Math.min(values.length - 1, Math.floor(values.length * share))
  ] ?? 0;
const millis = (value: number): string => `${value.toFixed(1)} ms`;

/** CPU ms, so that other programs do not count. */
function timed(work: () => unknown): number {
  const began = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(began);
  return (user + system) / 1_000;
}

fill();
connection.pragma('wal_checkpoint(TRUNCATE)');
const before = megabytes();
const store = openTaskSearch(connection);
const threads = writeThreads(connection);

const turns: number[] = [];
/** CPU time of the turns: other programs do not count. */
const computed: number[] = [];
const timedStore: typeof store = {
  ...store,
  turn: (work) => {
    const began = performance.now();
    const cpu = process.cpuUsage();
    try {
      return store.turn(work);
    } finally {
      const { user, system } = process.cpuUsage(cpu);
      turns.push(performance.now() - began);
      computed.push((user + system) / 1_000);
    }
  },
};
const indexer = new TaskIndexer({ store: timedStore, logger: silentLogger });
const delay = monitorEventLoopDelay({ resolution: 1 });
delay.enable();
const began = performance.now();
await indexer.settled();
const elapsed = performance.now() - began;
delay.disable();
connection.pragma('wal_checkpoint(TRUNCATE)');
const passages =
  connection.sql<{ n: number }>('SELECT count(*) n FROM search_passages').get()?.n ?? 0;
const work = computed.reduce((sum, ms) => sum + ms, 0);

const floorTable = timed(() => {
  connection.exec(
    "CREATE VIRTUAL TABLE floor USING fts5(words, content = '', tokenize = 'unicode61')",
  );
  const size = Math.ceil(passages / turns.length);
  const copy = connection.sql(
    'INSERT INTO floor (rowid, words) SELECT id, text FROM search_passages WHERE id > ? ORDER BY id LIMIT ?',
  );
  const last = connection.sql<{ id: number | null }>(
    'SELECT max(id) id FROM (SELECT id FROM search_passages WHERE id > ? ORDER BY id LIMIT ?)',
  );
  for (let i = 0, from = 0; i < turns.length; i += 1) {
    connection.transaction(() => copy.run(from, size));
    from = last.get(from, size)?.id ?? from;
  }
  connection.exec('DROP TABLE floor');
});

report('tasks, messages, passages', `${TASKS}, ${TASKS * TURNS * 2}, ${passages}`);
report(
  'index: CPU of all turns',
  `${(work / 1000).toFixed(1)} s, ${(work / floorTable).toFixed(1)} x floor`,
);
report('index: elapsed with its pauses', `${(elapsed / 1000).toFixed(1)} s`);
report(
  'index: one turn, median, 99 %, longest',
  [0.5, 0.99, 1].map((share) => millis(at(turns, share))).join(', '),
);
report(
  'index: CPU of one turn, median, 99 %, longest',
  [0.5, 0.99, 1].map((share) => millis(at(computed, share))).join(', '),
);
report('index: event loop held, longest', millis(delay.max / 1e6));
report('database before and after', `${before.toFixed(0)} MB, ${megabytes().toFixed(0)} MB`);

const rare = 'wf00';
const queries: Readonly<Record<string, string>> = {
  'a rare word': rare,
  'a frequent word': 'w1',
  'two words': 'w1a w2b',
  'the beginning of a word': 'w1a',
  'three frequent words': 'w1 w2 w3',
  Chinese:
    connection
      .sql<{ text: string }>("SELECT text FROM search_passages WHERE text GLOB '*[一-龥]*' LIMIT 1")
      .get()
      ?.text.match(/[一-龥]{2}/)?.[0] ?? '数据',
  nothing: 'zzzzz',
};
const newest = connection.sql<{ id: number }>(
  'SELECT rowid id FROM search_words WHERE search_words MATCH ? ORDER BY rowid DESC LIMIT 20',
);
const { taskQuery } = await import('#main/task-search/task-query.ts');
process.stdout.write('\nquery                            median     95 %      floor     matches\n');
for (const [name, query] of Object.entries(queries)) {
  const parsed = taskQuery(query)?.all ?? '';
  const search = (): number =>
    searchTasks({ store, threads, indexer, isReadOnly: true }, { query, limit: 20 }).results.length;
  const times = Array.from({ length: REPEATS }, () => timed(search));
  const floors = Array.from({ length: REPEATS }, () => timed(() => newest.all(parsed)));
  const matches = connection
    .sql<{ n: number }>('SELECT count(*) n FROM search_words WHERE search_words MATCH ?')
    .get(parsed)?.n;
  process.stdout.write(
    `${name.padEnd(30)} ${millis(at(times, 0.5)).padStart(8)} ${millis(at(times, 0.95)).padStart(8)} ${millis(at(floors, 0.5)).padStart(10)} ${String(matches).padStart(11)}\n`,
  );
}
const scan = connection.sql<{ n: number }>(
  'SELECT count(*) n FROM messages WHERE instr(content, ?)',
);
report('\nreading every message instead, once', millis(timed(() => scan.get(rare))));
const [large] = threads.list();
report('deleting a task of 10 turns', millis(timed(() => threads.delete(large?.id ?? ''))));
close();
rmSync(folder, { recursive: true, force: true });
