import { describe, expect, it } from 'vitest';
import { roundsIn, Transcript } from '#main/agents/transcript.ts';
import type { SqlValue } from '#main/storage/connection.ts';
import { migrations } from '#main/storage/migrations/all.ts';
import type { OpenDatabase } from '#main/storage/open-database.ts';
import { openRunCopier } from '#main/storage/run-copier.ts';
import { openJournal } from '#main/storage/run-journal.ts';
import { HandClock, insertRun, open, temporaryDir, thrownBy } from './support.ts';

type Message = Readonly<Record<string, unknown>> & { readonly role: string };

const user = (content: string): Message => ({ role: 'user', content });
const said = (content: string): Message => ({ role: 'assistant', content });
const called = (id: string): Message => ({
  ...said(''),
  toolCalls: [{ id, name: 'look', arguments: {} }],
});
const result = (id: string): Message => ({
  ...{ role: 'tool', content: `found by ${id}`, toolCallId: id, toolName: 'look' },
});
const answer = (id: string | null, content = '') => ({
  ...{ content, reasoning: '', invalidToolCalls: [] },
  toolCalls: id === null ? [] : [{ id, name: 'look', arguments: {} }],
});

const NUDGE = user('Your answer was empty. Go on, or say what the result is.');
const HINT = user(
  'You have made the same call several times with the same result. Try another approach, or say what blocks you.',
);
const CORRECTION = user('Your answer makes claims that are not true:\n- x: no.\nDo it now.');

/** A database as version 9 of the app left it. */
function oldDatabase(dataDir: string) {
  const database = open(dataDir, { migrations: migrations.slice(0, 9) });
  const { connection } = database;
  const insert = (table: string, row: Readonly<Record<string, SqlValue>>): void => {
    const names = Object.keys(row);
    const places = names.map(() => '?').join(', ');
    connection
      .sql(`INSERT INTO ${table} (${names.join(', ')}) VALUES (${places})`)
      .run(...Object.values(row));
  };
  return {
    insert,
    close: () => database.close(),
    run: (
      id: string,
      { threadId = 'thr_1', ended = false, origin = null as unknown } = {},
    ): void => {
      insertRun(database, id, threadId);
      connection
        .sql('UPDATE runs SET ended_at = ?, origin = ? WHERE id = ?')
        .run(ended ? 2 : null, origin === null ? null : JSON.stringify(origin), id);
    },
    say: (run_id: string, messages: readonly (Message | string)[], thread_id = 'thr_1'): void => {
      for (const one of messages) {
        const message = typeof one === 'string' ? one : JSON.stringify(one);
        insert('transcript', { thread_id, run_id, message });
      }
    },
    answer: (run_id: string, round: number, value: unknown): void =>
      insert('round_answers', { run_id, round, answer: JSON.stringify(value) }),
    /** A finished round, as LangGraph kept it. */
    round: (run_id: string, round: number, value: ReturnType<typeof answer>): void => {
      const [lane, number] = [Math.floor(round / 10_000), round % 10_000];
      const results = value.toolCalls.map(({ id, name }) => ({
        ...{ toolCallId: id, toolName: name, status: 'ok', content: `found by ${id}` },
      }));
      insert('checkpoint_writes', {
        ...{ thread_id: lane === 0 ? run_id : `${run_id}/${lane}`, namespace: '' },
        ...{ checkpoint_id: `c${round}`, task_id: 't', position: 0, channel: '__return__' },
        ...{ type: 'json', value: Buffer.from(JSON.stringify({ number, answer: value, results })) },
      });
    },
    effect: (run_id: string, round: number, output: unknown): void =>
      insert('tool_ledger', {
        ...{ run_id, round, call_index: 0, arguments_sha256: 'h', tool_name: 'look' },
        ...{ effect: 'opaque', intended_at: 1 },
        output: output === undefined ? null : JSON.stringify(output),
      }),
  };
}

function look(database: OpenDatabase) {
  const journal = openJournal(database.connection, new HandClock());
  const transcript = new Transcript(journal);
  return {
    ...{ journal, transcript },
    places: (runId: string, threadId = 'thr_1') =>
      transcript.split(threadId, runId).own.map(({ kind, step }) => `${kind} ${step}`),
  };
}

describe('a parked fork of version 9', () => {
  const COPIED = [user('Go.'), called('a'), result('a'), called('b'), result('b')];
  const origin = { kind: 'fork', runId: 'run_0', seq: 9, messages: COPIED.length };

  function migrated() {
    const dataDir = temporaryDir();
    const old = oldDatabase(dataDir);
    old.run('run_1', { origin });
    old.say('run_1', [...COPIED, called('c'), result('c')]);
    old.answer('run_1', 3, answer('c'));
    old.round('run_1', 3, answer('c'));
    // Killed in its fourth round, after the effect.
    old.answer('run_1', 4, answer('d'));
    old.effect('run_1', 4, { content: 'done' });
    old.close();
    return open(dataDir);
  }

  it('finds the answers and effects that it had, at the rounds that it counts to', () => {
    const { journal, transcript } = look(migrated());
    const { own } = transcript.split('thr_1', 'run_1');
    expect(own.flatMap(({ messages }) => messages)).toEqual([...COPIED, called('c'), result('c')]);
    const opening = own.slice(0, COPIED.length);
    expect(roundsIn(opening)).toBe(2);
    expect(journal.list('run_1', 'answer').map(({ step }) => step)).toEqual(['3', '4']);
    expect(journal.list('run_1', 'output').map(({ step }) => step)).toEqual(['4/call-1']);
  });

  it('is copied message by message, each once', () => {
    const database = migrated();
    const { transcript } = look(database);
    const { own } = transcript.split('thr_1', 'run_1');
    insertRun(database, 'run_2', 'thr_2');
    openRunCopier(database.connection).conversation({ from: 'run_1', to: 'run_2', entries: own });
    expect(transcript.messages('thr_2')).toEqual(transcript.messages('thr_1'));
  });

  it('finds its second attempt, which counts on from what it began with', () => {
    const dataDir = temporaryDir();
    const old = oldDatabase(dataDir);
    old.run('run_1', { origin });
    old.say('run_1', [...COPIED, said('Done.'), CORRECTION]);
    old.round('run_1', 3, answer(null, 'Done.'));
    old.answer('run_1', 10_001, answer('e'));
    old.effect('run_1', 10_001, undefined);
    old.close();
    const { journal, places } = look(open(dataDir));
    expect(places('run_1').slice(-2)).toEqual(['round 3', 'message attempt-2/2']);
    expect(journal.list('run_1', 'answer').map(({ step }) => step)).toEqual(['attempt-2/3', '3']);
    expect(journal.list('run_1', 'intent').map(({ step }) => step)).toEqual(['attempt-2/3/call-1']);
  });
});

describe('messages of an open run of version 9', () => {
  it('stand where the run adds them when it repeats its rounds, so that none comes twice', () => {
    const dataDir = temporaryDir();
    const old = oldDatabase(dataDir);
    old.run('run_1');
    old.say('run_1', [
      user('Go.'),
      NUDGE,
      called('a'),
      result('a'),
      HINT,
      said('Done.'),
      CORRECTION,
    ]);
    old.say('run_1', [called('b'), result('b'), HINT, said('Done.')]);
    old.round('run_1', 1, answer(null));
    old.round('run_1', 2, answer('a'));
    old.round('run_1', 3, answer(null, 'Done.'));
    old.round('run_1', 10_001, answer('b'));
    old.round('run_1', 10_002, answer(null, 'Done.'));
    old.close();
    expect(look(open(dataDir)).places('run_1')).toEqual([
      ...['turn ', 'message 1', 'round 2', 'message 2', 'round 3', 'message attempt-2'],
      ...['round attempt-2/1', 'message attempt-2/1', 'round attempt-2/2'],
    ]);
  });

  it.each([
    ['plan', JSON.stringify({ plan: { steps: [] }, lanes: { a: 2 } }), 'final/answer'],
    [
      'research 0',
      JSON.stringify({ sources: [], rounds: [], report: { messageRound: 1 } }),
      'report',
    ],
  ])('stand there too where they are the answer of a %s', (part, state, step) => {
    const dataDir = temporaryDir();
    const old = oldDatabase(dataDir);
    old.run('run_1');
    old.insert('run_states', { run_id: 'run_1', part, state });
    old.say('run_1', [user('Go.'), said('All of it.')]);
    // A step of the plan that says the same is no part of the conversation.
    old.round('run_1', 20_001, answer(null, 'All of it.'));
    old.close();
    expect(look(open(dataDir)).places('run_1')).toEqual(['turn ', `message ${step}`]);
  });
});

it.each(migrations.slice(0, 9).map(({ version }) => version))(
  'has the conversations of version %i, of open runs and ended ones',
  (version) => {
    const dataDir = temporaryDir();
    const database = open(dataDir, { migrations: migrations.slice(0, version) });
    const { connection } = database;
    connection.sql("INSERT INTO threads VALUES ('thr_1', 'A task', 'a task', 1, 1)").run();
    for (const [id, endedAt] of [['run_1', 2] as const, ['run_2', null] as const]) {
      connection
        .sql(
          `INSERT INTO runs (id, thread_id, status, prompt, options, created_at, ended_at)
           VALUES (?, 'thr_1', 'paused', '', '{}', 1, ?)`,
        )
        .run(id, endedAt);
      for (const message of [user('Go.'), called(id), result(id), said('Done.')]) {
        connection
          .sql("INSERT INTO transcript (thread_id, run_id, message) VALUES ('thr_1', ?, ?)")
          .run(id, JSON.stringify(message));
      }
    }
    database.close();
    const { transcript } = look(open(dataDir));
    expect(transcript.messages('thr_1')).toEqual([
      ...[user('Go.'), called('run_1'), result('run_1'), said('Done.')],
      ...[user('Go.'), called('run_2'), result('run_2'), said('Done.')],
    ]);
  },
);

it('keeps the numbers that skills gave to their sources', () => {
  const dataDir = temporaryDir();
  const old = oldDatabase(dataDir);
  for (const ended of [false, true]) {
    const run_id = ended ? 'run_2' : 'run_1';
    old.run(run_id, { ended });
    old.answer(run_id, 1, answer('callid001'));
    const keys = ['loop', 'sources'].map((piece) => `${run_id}~callid001#${piece}`);
    old.insert('run_states', { run_id, part: 'skill_lanes', state: JSON.stringify(keys) });
  }
  old.close();
  const { journal } = look(open(dataDir));
  const sources = ['run_1', 'run_2'].flatMap((id) => journal.list(id, 'sources'));
  expect(sources.map(({ step, payload }) => [step, payload])).toEqual([
    ['1/call-1/sources', { first: 401 }],
    ['skill-10001', { first: 401 }],
  ]);
});

it('keeps messages whose run is gone with the run before them in their task', () => {
  const dataDir = temporaryDir();
  const old = oldDatabase(dataDir);
  old.run('run_1', { ended: true });
  old.run('run_2', { ended: true });
  old.say('run_0', [user('First.')]);
  old.say('run_1', [user('Second.')]);
  old.say('run_gone', [user('Third.')]);
  old.say('run_2', [user('Fourth.')]);
  old.close();
  const { transcript } = look(open(dataDir));
  expect(transcript.messages('thr_1').map(({ content }) => content)).toEqual([
    ...['First.', 'Second.', 'Third.', 'Fourth.'],
  ]);
});

describe('a row of version 9 that is no JSON', () => {
  const BROKEN = '{"content": "half of';
  const READ_ERROR = expect.objectContaining({ code: 'STORAGE_FAILED' });

  it.each<[string, (old: ReturnType<typeof oldDatabase>) => void]>([
    ['transcript', (old) => old.say('run_1', [BROKEN])],
    ...[
      'plan',
      'research 0',
      'research 0 page x',
      'handoffs',
      'second-opinions',
      'skill_lanes',
    ].map((part): [string, (old: ReturnType<typeof oldDatabase>) => void] => [
      part,
      (old) => old.insert('run_states', { run_id: 'run_1', part, state: BROKEN }),
    ]),
    [
      'round_answers',
      (old) => old.insert('round_answers', { run_id: 'run_1', round: 1, answer: BROKEN }),
    ],
    [
      'tool_ledger',
      (old) =>
        old.insert('tool_ledger', {
          ...{ run_id: 'run_1', round: 1, call_index: 0, arguments_sha256: 'h', tool_name: 'x' },
          ...{ effect: 'opaque', intended_at: 1, before: BROKEN, output: BROKEN },
        }),
    ],
    [
      'checkpoint_writes',
      (old) =>
        old.insert('checkpoint_writes', {
          ...{ thread_id: 'run_1', namespace: '', checkpoint_id: 'c', task_id: 't', position: 0 },
          ...{ channel: '__return__', type: 'json', value: Buffer.from(BROKEN) },
        }),
    ],
    [
      'skill_walks',
      (old) =>
        old.insert('skill_walks', {
          ...{ thread_id: 'thr_1', skill: 's', updated_at: 1, state: BROKEN },
        }),
    ],
  ])('in %s does not keep the app from opening, and other tasks are whole', (_, damage) => {
    for (const ended of [true, false]) {
      const dataDir = temporaryDir();
      const old = oldDatabase(dataDir);
      old.run('run_1', { ended });
      old.run('run_2', { threadId: 'thr_2', ended: true });
      old.say('run_2', [user('Go.'), said('Done.')], 'thr_2');
      damage(old);
      old.close();
      const { transcript } = look(open(dataDir));
      expect(transcript.messages('thr_2').length).toBe(2);
    }
  });

  it('is kept as it is, and reading it is an error with a code', () => {
    const dataDir = temporaryDir();
    const old = oldDatabase(dataDir);
    old.run('run_1');
    old.say('run_1', [user('Go.'), BROKEN]);
    old.insert('run_states', { run_id: 'run_1', part: 'plan', state: BROKEN });
    old.insert('round_answers', { run_id: 'run_1', round: 1, answer: BROKEN });
    old.close();
    const database = open(dataDir);
    const { transcript, journal } = look(database);
    const kept = database.connection
      .sql<{ kind: string; step: string }>('SELECT kind, step FROM run_journal WHERE payload = ?')
      .all(BROKEN);
    expect(kept.map(({ kind, step }) => `${kind} ${step}`)).toEqual([
      ...['plan ', 'answer 1', 'message old-2'],
    ]);
    expect(thrownBy(() => transcript.messages('thr_1'))).toEqual(READ_ERROR);
    expect(thrownBy(() => journal.list('run_1', 'plan'))).toEqual(READ_ERROR);
    expect(thrownBy(() => journal.list('run_1', 'answer'))).toEqual(READ_ERROR);
  });
});
