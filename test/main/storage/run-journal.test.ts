import { expect, it } from 'vitest';
import { callStep, numberedStep, RUN_STEP } from '#main/base/step-path.ts';
import { memoryJournal } from '../../fakes/memory-journal.ts';

const STEP = callStep(numberedStep(RUN_STEP, 1), 0);

it('gives the entries of a step in the order of being appended, and the newest of a kind', () => {
  const { journal } = memoryJournal();
  // Neither kinds nor hashes are in the order of the alphabet.
  for (const [kind, hash, payload] of [
    ['result', 'b', 1],
    ['intent', 'b', 2],
    ['result', 'a', 3],
    ['intent', 'a', 4],
    ['intent', 'b', 5],
  ] as const) {
    journal.append('run', { step: STEP, kind, hash, payload });
  }
  journal.append('run', { step: RUN_STEP, kind: 'intent', hash: 'b', payload: 'of another step' });
  const payloads = (hash?: string): unknown[] =>
    journal.at('run', STEP, hash).map(({ payload }) => payload);

  expect([payloads(), payloads('b'), payloads('a'), payloads('c')]).toEqual([
    [1, 2, 3, 4, 5],
    [1, 2, 5],
    [3, 4],
    [],
  ]);
  expect([
    journal.newest('run', STEP, 'result')?.payload,
    journal.newest('run', STEP, 'intent')?.payload,
    journal.newest('run', STEP, 'output'),
    journal.newest('other', STEP, 'intent'),
  ]).toEqual([3, 5, null, null]);
});
