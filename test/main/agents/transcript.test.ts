import { expect, it } from 'vitest';
import { messagePart, roundPart, Transcript } from '#main/agents/transcript.ts';
import { callStep, numberedStep, RUN_STEP } from '#main/base/step-path.ts';
import { openRunCopier } from '#main/storage/run-copier.ts';
import { openJournal } from '#main/storage/run-journal.ts';
import { HandClock, insertRun, open, temporaryDir } from '../storage/support.ts';

function setUp() {
  const database = open(temporaryDir());
  insertRun(database, 'run_1', 'thr_1');
  insertRun(database, 'run_2', 'thr_1');
  const journal = openJournal(database.connection, new HandClock());
  const transcript = new Transcript(journal);
  /** A round of two calls, of which the second has no result. */
  const addRound = (runId: string, number: number): void => {
    const step = numberedStep(RUN_STEP, number);
    const answer = {
      ...{ content: `round ${number}`, reasoning: '', invalidToolCalls: [] },
      toolCalls: [1, 2].map((n) => ({ id: `${runId}c${n}`, name: 'look', arguments: { n } })),
    };
    journal.append(runId, { step, kind: 'answer', payload: answer });
    const result = { status: 'ok', content: `found ${number}`, data: { n: number } };
    journal.append(runId, { step: callStep(step, 0), kind: 'result', hash: 'h', payload: result });
    const nested = numberedStep(callStep(step, 0), 1);
    journal.append(runId, { step: nested, kind: 'result', payload: result });
    transcript.add(runId, roundPart(step, { answer, results: [] }));
  };
  const say = (runId: string, content: string): void =>
    transcript.add(runId, messagePart(RUN_STEP, { role: 'user', content }));
  return { database, journal, transcript, addRound, say };
}

const rolesAndTexts = (messages: readonly { role: string; content: string }[]): string[] =>
  messages.map(({ role, content }) => `${role}: ${content}`);

const ROUND_1 = [
  'assistant: round 1',
  'tool: found 1',
  'tool: The run ended before this call had a result.',
];

it('reads a conversation from answers and results, in the order in which rounds became final', () => {
  const { transcript, addRound, say } = setUp();
  say('run_1', 'Do it.');
  addRound('run_1', 1);
  say('run_2', 'And that.');
  addRound('run_1', 2);
  const texts = rolesAndTexts(transcript.messages('thr_1'));
  expect(texts.slice(0, 6)).toEqual([
    'user: Do it.',
    ...ROUND_1,
    'user: And that.',
    'assistant: round 2',
  ]);
  const { before, own } = transcript.split('thr_1', 'run_2');
  expect([rolesAndTexts(before).length, own.length]).toEqual([4, 1]);
  expect(transcript.split('thr_1', 'run_1').own.map(({ kind, step }) => `${kind} ${step}`)).toEqual(
    ['message ', 'round 1', 'round 2'],
  );
});

it('adds a part once, however often its step is repeated', () => {
  const { transcript, addRound, say } = setUp();
  for (const _ of [1, 2, 3]) {
    say('run_1', 'Do it.');
    addRound('run_1', 1);
  }
  expect(transcript.messages('thr_1').length).toBe(4);
});

it('is copied with what its rounds stand for, and nothing of calls within calls', () => {
  const { database, journal, transcript, addRound, say } = setUp();
  say('run_1', 'Do it.');
  addRound('run_1', 1);
  addRound('run_1', 2);
  insertRun(database, 'run_3', 'thr_3');
  const entries = transcript.split('thr_1', 'run_1').own.slice(0, 2);
  openRunCopier(database.connection).conversation({ from: 'run_1', to: 'run_3', entries });
  expect(rolesAndTexts(transcript.messages('thr_3'))).toEqual(['user: Do it.', ...ROUND_1]);
  expect(journal.list('run_3', 'result').map(({ step }) => step)).toEqual(['1/call-1']);
});

it('throws where the journal lacks the answer of a round', () => {
  const { journal, transcript } = setUp();
  journal.append('run_1', { step: numberedStep(RUN_STEP, 7), kind: 'round', payload: {} });
  expect(() => transcript.messages('thr_1')).toThrow('no answer at 7');
});
