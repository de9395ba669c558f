import { describe, expect, test } from 'vitest';
import type { RunEvent } from '#contract/events/run-event.ts';
import { RUN_STEP } from '#main/base/step-path.ts';
import { readEvents, writeEvents } from '#main/storage/event-store.ts';
import { writeMessages } from '#main/storage/message-store.ts';
import type { OpenDatabase } from '#main/storage/open-database.ts';
import { openProofs } from '#main/storage/proof-store.ts';
import { openRules } from '#main/storage/rule-store.ts';
import { openJournal } from '#main/storage/run-journal.ts';
import { writeRuns } from '#main/storage/run-store.ts';
import { openSettings } from '#main/storage/settings-store.ts';
import { writeThreads } from '#main/storage/thread-store.ts';
import { fakeThread } from '../../fakes/fake-thread.ts';
import {
  HandClock,
  insertRun,
  open,
  recordingLogger,
  someOptions,
  temporaryDir,
  thrownBy,
} from './support.ts';

const titlesOf = (threads: ReadonlyArray<{ title: string }>): string[] =>
  threads.map(({ title }) => title);

function countRows({ connection }: OpenDatabase): Record<string, number> {
  const tables = ['threads', 'runs', 'events', 'messages', 'run_journal'];
  return Object.fromEntries(
    tables.map((table) => [
      table,
      connection.sql<{ n: number }>(`SELECT count(*) AS n FROM ${table}`).get()?.n ?? -1,
    ]),
  );
}

describe('threads', () => {
  test('are listed by their newest work, whatever was renamed since', () => {
    const { connection } = open(temporaryDir());
    const threads = writeThreads(connection);
    threads.insert({ id: 'a', title: 'First', createdAt: 1 });
    threads.insert({ id: 'b', title: 'Second', createdAt: 2 });
    threads.insert({ id: 'c', title: 'Third', createdAt: 3 });
    threads.touch('a', 9);
    threads.touch('a', 4);
    const renamed = threads.rename('b', 'Renamed');
    expect([titlesOf(threads.list()), renamed, threads.get('a').updatedAt]).toEqual([
      ['First', 'Third', 'Renamed'],
      fakeThread({ id: 'b', title: 'Renamed', at: 2 }),
      9,
    ]);
  });

  test('are found by their title in any case, width and script', () => {
    const threads = writeThreads(open(temporaryDir()).connection);
    const titles = ['按地区汇总销售额', '１００％ ＡＢＣ', 'Éclair ÜBER', 'plain_title', 'ΔΕΛΤΑ'];
    titles.forEach((title, i) => {
      threads.insert({ id: String(i), title, createdAt: i });
    });
    const found = (search: string): string[] => titlesOf(threads.list(search));
    expect({
      chinese: found('汇总'),
      width: found('abc'),
      wideSearch: found('ＰＬＡＩＮ'),
      accents: found('éclair über'),
      greek: found('δελτα'),
      // Neither is a wildcard.
      percent: found('%'),
      underscore: found('n_t'),
      underscoreAlone: found('a_c'),
      spaces: found('  ').length,
      none: found('汇总x'),
    }).toEqual({
      chinese: ['按地区汇总销售额'],
      width: ['１００％ ＡＢＣ'],
      wideSearch: ['plain_title'],
      accents: ['Éclair ÜBER'],
      greek: ['ΔΕΛΤΑ'],
      percent: ['１００％ ＡＢＣ'],
      underscore: ['plain_title'],
      underscoreAlone: [],
      spaces: 5,
      none: [],
    });
  });

  test('have the status of their newest run', () => {
    const database = open(temporaryDir());
    insertRun(database, 'run_1');
    const runs = writeRuns(database.connection);
    const threads = writeThreads(database.connection);
    runs.end('run_1', { status: 'completed', endedAt: 5, error: null });
    const before = threads.get('thr_1').status;
    runs.insert({ ...runs.get('run_1'), id: 'run_2', status: 'queued', createdAt: 6 });
    expect([before, threads.get('thr_1').status]).toEqual(['completed', 'queued']);
  });

  test('are deleted with everything in them, and with nothing else', () => {
    const database = open(temporaryDir());
    const { connection } = database;
    for (const n of ['1', '2']) {
      insertRun(database, `run_${n}`, `thr_${n}`);
      writeEvents(connection).append([token(`run_${n}`, 1)]);
      const turn = { step: RUN_STEP, kind: 'turn', payload: {} } as const;
      openJournal(connection, new HandClock()).append(`run_${n}`, turn);
      writeMessages(connection).insert({
        id: `msg_${n}`,
        threadId: `thr_${n}`,
        runId: `run_${n}`,
        role: 'user',
        content: 'x',
        attachments: [],
        createdAt: 1,
      });
    }
    const before = countRows(database);
    writeThreads(connection).delete('thr_1');
    expect([before, countRows(database)]).toEqual([
      { threads: 2, runs: 2, events: 2, messages: 2, run_journal: 2 },
      { threads: 1, runs: 1, events: 1, messages: 1, run_journal: 1 },
    ]);
  });

  test('that do not exist are NOT_FOUND', () => {
    const threads = writeThreads(open(temporaryDir()).connection);
    const codes = [
      () => threads.get('x'),
      () => threads.rename('x', 'y'),
      () => threads.delete('x'),
    ].map(thrownBy);
    expect(codes).toMatchObject([
      { code: 'NOT_FOUND' },
      { code: 'NOT_FOUND' },
      { code: 'NOT_FOUND' },
    ]);
  });
});

describe('runs', () => {
  test('come back as they were stored, and end once', () => {
    const database = open(temporaryDir());
    insertRun(database);
    const runs = writeRuns(database.connection);
    writeEvents(database.connection).append([token('run_1', 1), token('run_1', 2)]);
    runs.setStatus('run_1', 'waiting');
    const waiting = runs.get('run_1');
    const error = { code: 'CANCELLED', message: 'Stopped' } as const;
    runs.end('run_1', { status: 'cancelled', endedAt: 7, error });
    runs.end('run_1', { status: 'completed', endedAt: 8, error: null });
    runs.setStatus('run_1', 'running');
    const whole = {
      id: 'run_1',
      threadId: 'thr_1',
      status: 'waiting',
      prompt: 'Do it',
      options: someOptions,
      createdAt: 1,
      startedAt: 1,
      endedAt: null,
      lastSeq: 2,
      error: null,
      origin: null,
    };
    expect([waiting, runs.get('run_1'), runs.unfinished()]).toEqual([
      whole,
      { ...whole, status: 'cancelled', endedAt: 7, error },
      [],
    ]);
  });

  test('are listed newest first, those of a thread oldest first', () => {
    const database = open(temporaryDir());
    insertRun(database, 'run_1');
    const runs = writeRuns(database.connection);
    const one = runs.get('run_1');
    runs.insert({ ...one, id: 'run_2', createdAt: 2 });
    runs.insert({ ...one, id: 'run_3', createdAt: 3 });
    const ids = (list: ReadonlyArray<{ id: string }>): string[] => list.map(({ id }) => id);
    expect([ids(runs.list()), ids(runs.listOfThread('thr_1')), ids(runs.unfinished())]).toEqual([
      ['run_3', 'run_2', 'run_1'],
      ['run_1', 'run_2', 'run_3'],
      ['run_1', 'run_2', 'run_3'],
    ]);
    expect(thrownBy(() => runs.get('run_9'))).toMatchObject({ code: 'NOT_FOUND' });
  });

  test('of a thread that does not exist cannot be stored', () => {
    const database = open(temporaryDir());
    insertRun(database);
    const runs = writeRuns(database.connection);
    const stray = { ...runs.get('run_1'), id: 'run_2', threadId: 'thr_9' };
    expect(String(thrownBy(() => runs.insert(stray)))).toContain('FOREIGN KEY');
  });
});

describe('events', () => {
  test('come back in pages, byte for byte, in every script and with lone surrogates', () => {
    const database = open(temporaryDir());
    insertRun(database);
    const events = writeEvents(database.connection);
    const written: RunEvent[] = [
      token('run_1', 1, '汉字 \u0000 \ud83d'),
      token('run_1', 2, '\udc00 "quoted" \u2028'),
      {
        type: 'tool_call',
        runId: 'run_1',
        seq: 3,
        at: 5,
        toolCallId: 'c',
        name: 'n',
        arguments: { b: 1, a: [null, { 'x y': '\n' }] },
        risk: 'low',
        effect: 'read',
        agent: 'executor',
        round: 1,
      },
    ];
    events.append(written);
    expect([
      events.page('run_1', 0, 2),
      events.page('run_1', 2, 2),
      events.page('run_1', 3, 2),
      events.lastSeq('run_1'),
      events.lastSeq('run_2'),
    ]).toEqual([written.slice(0, 2), written.slice(2), [], 3, 0]);
  });

  test('of one batch are stored together or not at all', () => {
    const database = open(temporaryDir());
    insertRun(database);
    const events = writeEvents(database.connection);
    events.append([token('run_1', 1)]);
    const error = thrownBy(() => events.append([token('run_1', 2), token('run_1', 1)]));
    expect([String(error), events.lastSeq('run_1')]).toEqual([
      expect.stringContaining('UNIQUE'),
      1,
    ]);
  });
});

describe('transactions', () => {
  test('that are nested are one', () => {
    const { connection } = open(temporaryDir());
    const threads = writeThreads(connection);
    thrownBy(() =>
      connection.transaction(() => {
        connection.transaction(() => threads.insert({ id: 'a', title: 'A', createdAt: 1 }));
        throw new Error('after all not');
      }),
    );
    const kept = connection.transaction(() => {
      threads.insert({ id: 'b', title: 'B', createdAt: 1 });
      return 'kept';
    });
    expect([kept, titlesOf(threads.list())]).toEqual(['kept', ['B']]);
  });
});

describe('settings', () => {
  test('have their defaults, keep what was set, and change no other', () => {
    const dataDir = temporaryDir();
    const first = open(dataDir);
    const settings = openSettings(first.connection, recordingLogger());
    const defaults = settings.get();
    const changed = settings.update({ sandbox: 'os', maxRounds: 5 });
    first.close();
    const again = openSettings(open(dataDir).connection, recordingLogger());
    expect([changed, again.get()]).toEqual([
      { ...defaults, sandbox: 'os', maxRounds: 5 },
      { ...defaults, sandbox: 'os', maxRounds: 5 },
    ]);
    expect(defaults).toMatchObject({ model: null, sandbox: 'auto', network: 'allowlist' });
  });

  test('refuse unknown names and invalid values, and then change nothing', () => {
    const settings = openSettings(open(temporaryDir()).connection, recordingLogger());
    const before = settings.get();
    const refused = [{ nonsense: 1 }, { maxRounds: 7, sandbox: 'none' }, { toString: 1 }].map(
      (changes) => thrownBy(() => settings.update(changes)),
    );
    expect(refused).toMatchObject([
      { code: 'BAD_REQUEST', details: { name: 'nonsense' } },
      { code: 'BAD_REQUEST', details: { name: 'sandbox' } },
      { code: 'BAD_REQUEST', details: { name: 'toString' } },
    ]);
    expect(settings.get()).toEqual(before);
  });

  test('keep prompts within their limits, and say which one is exceeded', () => {
    const settings = openSettings(open(temporaryDir()).connection, recordingLogger());
    const prompt = { name: 'Weekly', text: 'Report on {{topic}}' };
    expect(settings.update({ prompts: [prompt] }).prompts).toEqual([prompt]);
    const many = Array.from({ length: 101 }, (_, at) => ({ ...prompt, name: `${at}` }));
    const refused = [
      many,
      [prompt, prompt],
      [{ ...prompt, name: 'n'.repeat(81) }],
      [{ ...prompt, text: 'x'.repeat(10_001) }],
      [{ ...prompt, name: ' ' }],
      [{ ...prompt, text: '\n' }],
    ].map((prompts) => thrownBy(() => settings.update({ prompts })));
    expect(refused).toMatchObject(
      [
        'you can save up to 100 prompts',
        'two prompts have the same name',
        'a name can have up to 80 characters',
        'a prompt can have up to 10000 characters',
        'a prompt needs a name',
        'a prompt needs a text',
      ].map((problem) => ({ code: 'BAD_REQUEST', details: { name: 'prompts', problem } })),
    );
    expect(settings.get().prompts).toEqual([prompt]);
  });

  test('that are stored and no longer valid count as not set, and are logged', () => {
    const { connection } = open(temporaryDir());
    for (const [name, value] of [
      ['maxRounds', '"many"'],
      ['sandbox', '{broken'],
      ['gone', '1'],
      ['appearance', '"dark"'],
    ] as const) {
      connection.sql('INSERT INTO settings VALUES (?, ?)').run(name, value);
    }
    const logger = recordingLogger();
    const { maxRounds, sandbox, appearance } = openSettings(connection, logger).get();
    expect([maxRounds, sandbox, appearance, logger.lines.map((line) => line.fields)]).toEqual([
      60,
      'auto',
      'dark',
      [{ name: 'gone' }, { name: 'maxRounds' }, { name: 'sandbox' }],
    ]);
  });
});

test('approval rules are listed newest first, replaced by what they cover, changed, and revoked', () => {
  const clock = new HandClock();
  const rules = openRules(open(temporaryDir()).connection, clock);
  const add = (pattern: string, decision: 'approve' | 'deny') => {
    clock.time += 1;
    const rule = { toolName: 'shell_command', match: 'arguments', pattern, decision } as const;
    return rules.put({ ...rule, threadId: null });
  };
  const first = add('ls *', 'approve');
  const second = add('rm *', 'deny');
  const replaced = add('ls *', 'deny');
  expect(rules.list()).toEqual([replaced, second]);
  const { id: _id, createdAt: _at, ...draft } = second;
  const changed = rules.put({ ...draft, decision: 'ask' }, second.id);
  expect(rules.list()).toEqual([replaced, changed]);
  expect(thrownBy(() => rules.put(draft, 'rule_none'))).toMatchObject({ code: 'NOT_FOUND' });
  rules.delete(second.id);
  expect(rules.list()).toEqual([replaced]);
  expect(thrownBy(() => rules.delete(first.id))).toMatchObject({ code: 'NOT_FOUND' });
});

test('a passed isolation check is stored by kind, replaced, and deleted', () => {
  const proofs = openProofs(open(temporaryDir()).connection);
  const probes = [{ name: 'write outside', held: true, detail: 'refused' }];
  const proof = { kind: 'os', fingerprint: 'a', probes, at: 1 } as const;
  proofs.put(proof);
  proofs.put({ ...proof, fingerprint: 'b' });
  const kept = [proofs.get('os'), proofs.get('docker')];
  proofs.delete('os');
  expect([kept, proofs.get('os')]).toEqual([[{ ...proof, fingerprint: 'b' }, null], null]);
});

test('the log of one run is read without the others', () => {
  const database = open(temporaryDir());
  insertRun(database, 'run_1', 'thr_1');
  insertRun(database, 'run_10', 'thr_2');
  writeEvents(database.connection).append([token('run_1', 1), token('run_10', 1)]);
  expect(readEvents(database.connection).page('run_1', 0, 10)).toEqual([token('run_1', 1)]);
});

function token(runId: string, seq: number, text = 'x'): RunEvent {
  return { type: 'token', runId, seq, at: 5, messageId: 'm', text };
}
