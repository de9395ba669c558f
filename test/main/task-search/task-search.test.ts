import { describe, expect, test } from 'vitest';
import { migrations } from '#main/storage/migrations/all.ts';
import { writeRuns } from '#main/storage/run-store.ts';
import { open, someOptions, temporaryDir } from '../storage/support.ts';
import { call, complete, result, searchBench, token } from './support.ts';

describe('what is found', () => {
  test('words of messages, answers, commands and outputs, each with its place', async () => {
    const { add, indexer, search } = searchBench();
    const { runId } = add({
      prompt: 'Count the zebras in the photo',
      events: [
        token('I look for str'),
        token('ipes first.'),
        call('call-1', { command: 'python3 detect.py --model\nyolo' }),
        result('call-1', 'found 7 quaggas'),
        token('There are seven animals.', 'm2'),
        complete('There are seven animals.'),
      ],
    });
    await indexer.settled();
    const places = (query: string): unknown[] =>
      search(query).results.flatMap(({ hits }) =>
        hits.map(({ kind, seq, ref, excerpt }) => [kind, seq, ref, excerpt]),
      );
    expect({
      message: places('zebra'),
      answer: places('stripes'),
      command: places('yolo detect'),
      output: places('quagga'),
      // Streamed, and again at the end of the run: once.
      end: places('seven animals'),
      nothing: places('giraffe'),
    }).toEqual({
      message: [['message', 0, '', 'Count the zebras in the photo']],
      answer: [['answer', 1, 'm1', 'I look for stripes first.']],
      command: [['call', 3, 'call-1', 'python3 detect.py --model yolo']],
      output: [['call', 4, 'call-1', 'found 7 quaggas']],
      end: [['answer', 5, 'm2', 'There are seven animals.']],
      nothing: [],
    });
    expect(search('zebra').results[0]?.hits[0]?.runId).toBe(runId);
  });

  test('an answer that was not streamed, and a report', async () => {
    const { add, indexer, found } = searchBench();
    const lists = { citations: [], agreements: [], contradictions: [], gaps: [] };
    add({
      events: [
        {
          ...{ type: 'report', reportId: 'r', title: 'Basalt', markdown: '# Basalt\n\nHexagons.' },
          ...lists,
        },
        complete('The columns cooled slowly.'),
      ],
    });
    await indexer.settled();
    expect([found('hexagon'), found('cooled')]).toEqual([
      ['Task 1: Basalt # Basalt [Hexagon]s.'],
      ['Task 1: The columns [cooled] slowly.'],
    ]);
  });

  test('Chinese, in the middle of a sentence, and mixed with other scripts', async () => {
    const { add, indexer, found } = searchBench();
    add({ prompt: '请帮我分析GPU显存不足的原因，并给出解决办法。' });
    add({ prompt: '按地区汇总销售额' });
    await indexer.settled();
    expect({
      two: found('显存'),
      one: found('销'),
      mixed: found('gpu显存不足'),
      apart: found('原因 显存'),
      // In this order nowhere, but all its pairs.
      other: found('存显'),
      wide: found('ＧＰＵ'),
    }).toEqual({
      two: ['Task 1: 请帮我分析GPU[显存]不足的原因，并给出解决办法。'],
      one: ['Task 2: 按地区汇总[销]售额'],
      mixed: ['Task 1: 请帮我分析[GPU显存不足]的原因，并给出解决办法。'],
      apart: ['Task 1: 请帮我分析GPU[显存]不足的[原因]，并给出解决办法。'],
      other: [],
      wide: ['Task 1: 请帮我分析[GPU]显存不足的原因，并给出解决办法。'],
    });
  });

  test('beginnings of words in any case and accent, paths and names as a row of words', async () => {
    const { add, indexer, found } = searchBench();
    add({ prompt: 'Écrire src/main.ts et tester ÜBERMORGEN' });
    add({ prompt: 'main of another file: ts in src' });
    await indexer.settled();
    expect([found('ecrire'), found('ubermor'), found('src/main.ts'), found('orgen')]).toEqual([
      ['Task 1: [Écrire] src/main.ts et tester ÜBERMORGEN'],
      ['Task 1: Écrire src/main.ts et tester [ÜBERMOR]GEN'],
      ['Task 1: Écrire [src/main.ts] et tester ÜBERMORGEN'],
      [],
    ]);
  });

  test('all words before any word; and what is equally good, the newest first', async () => {
    const { add, indexer, found } = searchBench();
    add({ prompt: 'apple and pear' });
    add({ prompt: 'apple and plum' });
    add({ prompt: 'apple and pear' });
    await indexer.settled();
    expect([found('apple pear'), found('plum pear').length, found('apple')]).toEqual([
      ['Task 3: [apple] and [pear]', 'Task 1: [apple] and [pear]'],
      3,
      ['Task 3: [apple] and pear', 'Task 2: [apple] and plum', 'Task 1: [apple] and pear'],
    ]);
  });

  test('titles, as they are now', async () => {
    const { add, indexer, search, stores } = searchBench();
    const { threadId } = add({ title: 'Quarterly numbers', prompt: 'Do it' });
    await indexer.settled();
    stores.threads.rename(threadId, '年度报告 2026');
    const titles = (query: string): unknown[] =>
      search(query).results.map(({ thread, titleMarks }) => [thread.title, titleMarks]);
    expect([titles('quarterly'), titles('报告 2026'), titles('2026')]).toEqual([
      [],
      [
        [
          '年度报告 2026',
          [
            [2, 4],
            [5, 9],
          ],
        ],
      ],
      [['年度报告 2026', [[5, 9]]]],
    ]);
  });

  test('archived tasks', async () => {
    const { add, indexer, search, stores } = searchBench();
    const { threadId } = add({ prompt: 'a walrus' });
    await indexer.settled();
    stores.threads.mark(threadId, 'archived', 5);
    expect(search('walrus').results[0]?.thread.archivedAt).toBe(5);
  });
});

describe('hostile text', () => {
  test.each([
    '"',
    '""',
    "'",
    '*',
    '(',
    ')',
    'a AND',
    'NOT b',
    'NEAR(a b)',
    'words:a',
    '-a',
    '^a',
    'a" OR "b',
    '\0',
    'a\0b',
    '\u0301',
    'a* OR b*',
    '{a b}',
    '+',
    'a + b',
    '\ud800',
    '%',
    '_',
    '\\',
    "'); DROP TABLE runs; --",
    'AND OR NOT',
    '𠮷',
    'ก็',
    '‮abc',
    'x'.repeat(200),
    '一'.repeat(200),
  ])('a query of %j is words or nothing', async (query) => {
    const { add, indexer, search, stores } = searchBench();
    add({ prompt: 'plain words' });
    await indexer.settled();
    expect([Array.isArray(search(query).results), stores.runs.list().length]).toEqual([true, 1]);
  });

  test('random queries and texts: no error, and marks lie in the excerpt, in order', async () => {
    const { add, indexer, search } = searchBench();
    const letters = [
      ...'ab"*():^-+{}\' \n\t_.%\\/<>&;,，。销售额ÄéßİﬀﷺＡ０１👩‍👩‍👧é\u0301\ud800\0กำ한국',
    ];
    let seed = 7;
    const random = (below: number): number => {
      seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
      return seed % below;
    };
    const text = (length: number): string =>
      Array.from({ length }, () => letters[random(letters.length)]).join('');
    for (let i = 0; i < 60; i += 1) add({ prompt: text(400) });
    await indexer.settled();
    let marks = 0;
    for (let i = 0; i < 500; i += 1) {
      for (const { hits } of search(text(1 + random(12))).results) {
        for (const { excerpt, marks: ranges } of hits) {
          let last = 0;
          for (const [from, to] of ranges) {
            if (!(from >= last && to > from && to <= excerpt.length)) {
              throw new Error(`${JSON.stringify(excerpt)} has the mark ${from} to ${to}`);
            }
            last = to;
            marks += 1;
          }
        }
      }
    }
    expect(marks).toBeGreaterThan(500);
  });

  test('a row of the log that is not JSON keeps nothing else from being found', async () => {
    const { add, indexer, found, database } = searchBench();
    const { runId } = add({
      prompt: 'the damaged one',
      events: [token('lost'), token(' kept', 'b')],
    });
    add({ prompt: 'the whole one' });
    database.connection
      .sql("UPDATE events SET body = '{\"messageId' WHERE run_id = ? AND seq = 1")
      .run(runId);
    await indexer.settled();
    expect([found('damaged').length, found('whole').length, found('kept').length]).toEqual([
      1, 1, 1,
    ]);
  });
});

describe('the index', () => {
  test('of a database of the version before is made later, in turns, and says how far it is', async () => {
    const dataDir = temporaryDir();
    const older = open(dataDir, { migrations: migrations.slice(0, 11) });
    for (let i = 1; i <= 20; i += 1) {
      older.connection
        .sql(
          'INSERT INTO threads (id, title, title_folded, created_at, updated_at) VALUES (?, ?, ?, 1, 1)',
        )
        .run(`thr_${i}`, 'Old', 'old');
      const run = {
        id: `run_${i}`,
        threadId: `thr_${i}`,
        status: 'running',
        prompt: 'Do it',
      } as const;
      const times = { createdAt: 1, startedAt: 1, endedAt: null, error: null, origin: null };
      writeRuns(older.connection).insert({ ...run, ...times, options: someOptions });
      older.connection.sql('UPDATE runs SET ended_at = 1 WHERE id = ?').run(`run_${i}`);
      older.connection
        .sql('INSERT INTO events VALUES (?, 1, 1, \'complete\', \'{"answer":"an old armadillo"}\')')
        .run(`run_${i}`);
    }
    older.close();
    const { indexer, found } = searchBench(dataDir);
    const before = [indexer.left, found('armadillo').length];
    await indexer.settled();
    expect([before, indexer.left, found('armadillo').length]).toEqual([[20, 0], 0, 20]);
  });

  test('goes on where it was when the process ended, without doing anything twice', async () => {
    const dataDir = temporaryDir();
    const first = searchBench(dataDir);
    const events = Array.from({ length: 3_000 }, (_, i) => token(`walrus ${i} `, `m${i}`));
    first.add({ events });
    first.indexer.catchUp(0);
    const begun = first.database.connection
      .sql<{ seq: number; n: number }>(
        'SELECT seq, (SELECT count(*) FROM search_passages) n FROM search_due',
      )
      .get();
    first.indexer[Symbol.dispose]();
    first.database.close();
    const second = searchBench(dataDir);
    await second.indexer.settled();
    const count = second.database.connection.sql<{ n: number }>(
      "SELECT count(*) n FROM search_passages WHERE kind = 'answer'",
    );
    const words = second.database.connection.sql<{ n: number }>(
      "SELECT count(*) n FROM search_words WHERE search_words MATCH 'walrus'",
    );
    expect([begun?.seq, (begun?.seq ?? 0) > 0, count.get()?.n, words.get()?.n]).toEqual([
      begun?.seq,
      true,
      3_000,
      3_000,
    ]);
  });

  test('has what a running run wrote as soon as someone searches, each message whole', async () => {
    const { add, stores, store, indexer } = searchBench();
    const { runId } = add({ isRunning: true, prompt: 'Go', events: [token('The first ocel')] });
    const { searchTasks } = await import('#main/task-search/task-search.ts');
    const excerpts = (query: string): string[] =>
      searchTasks(
        { store, threads: stores.threads, indexer, isReadOnly: false },
        { query, limit: 20 },
      ).results.flatMap(({ hits }) => hits.map(({ excerpt }) => excerpt));
    const early = [excerpts('go'), excerpts('first')];
    stores.events.append([
      { ...token('ot sleeps.'), runId, seq: 2, at: 3 } as never,
      { ...complete('The first ocelot sleeps.'), runId, seq: 3, at: 4 } as never,
    ]);
    stores.runs.end(runId, { status: 'completed', endedAt: 5, error: null });
    expect([early, excerpts('ocelot'), indexer.left]).toEqual([
      [['Go'], []],
      ['The first ocelot sleeps.'],
      0,
    ]);
  });

  test('forgets a task that is deleted, and keeps no word of it', async () => {
    const { add, indexer, stores, database, found } = searchBench();
    const { threadId } = add({ prompt: 'a secret pangolin' });
    add({ prompt: 'another pangolin' });
    await indexer.settled();
    stores.threads.delete(threadId);
    const rows = database.connection.sql<{ n: number }>('SELECT count(*) n FROM search_passages');
    const words = database.connection.sql<{ n: number }>(
      "SELECT count(*) n FROM search_words WHERE search_words MATCH 'pangolin'",
    );
    expect([found('pangolin').length, rows.get()?.n, words.get()?.n]).toEqual([1, 1, 1]);
  });

  test('a task that is deleted while it is read keeps no other from being found', async () => {
    const { add, indexer, stores, found } = searchBench();
    add({ prompt: 'an older pangolin' });
    const events = Array.from({ length: 3_000 }, (_, i) => token(`walrus ${i} `, `m${i}`));
    const { threadId } = add({ events });
    indexer.catchUp(0);
    expect([found('walrus').length, found('pangolin').length]).toEqual([1, 0]);
    stores.threads.delete(threadId);
    await indexer.settled();
    expect([indexer.left, found('pangolin').length, found('walrus')]).toEqual([0, 1, []]);
  });

  test.each([
    ['its message', 'poison', []],
    ['an event', 'Do it', [token('some poison')]],
  ])('a run that fails at %s stops no other, and is tried again', async (_what, prompt, events) => {
    const { add, indexer, database, logger, found } = searchBench();
    add({ prompt: 'an older pangolin' });
    const { runId } = add({ prompt, events });
    add({ prompt: 'a newer pangolin' });
    const { connection } = database;
    connection
      .sql(
        `CREATE TEMP TRIGGER refuse BEFORE INSERT ON search_passages WHEN NEW.text LIKE '%poison%'
         BEGIN SELECT RAISE(ABORT, 'refused'); END`,
      )
      .run();
    await indexer.settled();
    expect([indexer.left, found('pangolin').length, found('poison').length]).toEqual([1, 2, 0]);
    const lines = JSON.stringify(logger.lines.splice(0));
    expect([lines.split('could not be indexed').length - 1, lines.includes(runId)]).toEqual([
      1,
      true,
    ]);
    connection.sql('DROP TRIGGER refuse').run();
    await indexer.settled();
    expect([indexer.left, found('poison').length]).toEqual([0, 1]);
  });

  test('of a full disk is searched as far as it goes, and says that it is behind', async () => {
    const { add, indexer, database, logger, search } = searchBench();
    add({ prompt: 'an indexed pangolin' });
    await indexer.settled();
    const words = Array.from({ length: 2_000 }, (_, i) => `word${i}`).join(' ');
    add({ prompt: `a pangolin too many ${words}` });
    const { connection } = database;
    connection.pragma('wal_checkpoint(TRUNCATE)');
    connection.pragma('max_page_count = 1');
    const { results, notIndexed } = search('pangolin', false);
    expect([results.length, notIndexed]).toEqual([1, 1]);
    await indexer.settled();
    expect(logger.lines.splice(0).length).toBeGreaterThan(0);
  });

  test('keeps known secrets out, like all that is stored', async () => {
    const { add, indexer, database, found } = searchBench();
    add({ prompt: 'the key is swordfish77 today' });
    database.connection.cleanWith((text) => text.replaceAll('swordfish77', '[REDACTED]'));
    await indexer.settled();
    expect([found('swordfish77'), found('key today')]).toEqual([
      [],
      ['Task 1: the [key] is [REDACTED] [today]'],
    ]);
  });

  test('of a large output has its beginning', async () => {
    const { add, indexer, found } = searchBench();
    add({ events: [result('c', `begin ${'x '.repeat(50_000)} finish`)] });
    await indexer.settled();
    expect([found('begin').length, found('finish').length]).toEqual([1, 0]);
  });
});
