import fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  branchStep,
  callStep,
  compareSteps,
  isWithinCall,
  numberedStep,
  numberOf,
  parentOf,
  parseStep,
  RUN_STEP,
  type StepPath,
} from '#main/base/step-path.ts';

it('names answers, calls and pieces of work from the outermost inwards', () => {
  const answer = numberedStep(branchStep(RUN_STEP, 'step', 'build'), 5);
  const piece = numberedStep(callStep(answer, 0), 3);
  expect([answer, piece]).toEqual(['step-build/5', 'step-build/5/call-1/3']);
  expect([parentOf(callStep(answer, 0)), numberOf(piece), isWithinCall(answer)]).toEqual([
    answer,
    3,
    false,
  ]);
  expect([isWithinCall(piece), parentOf(numberedStep(RUN_STEP, 1))]).toEqual([true, RUN_STEP]);
});

it('gives different keys different branches, whatever a model calls its steps', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), (a, b) => {
      const [left, right] = [branchStep(RUN_STEP, 'step', a), branchStep(RUN_STEP, 'step', b)];
      expect(parseStep(left)).toBe(left);
      expect(left === right).toBe(a === b);
    }),
  );
  const hostile = branchStep(RUN_STEP, 'step', '../2/call-1\u202e\ud800');
  expect(parseStep(hostile).split('/').length).toBe(1);
});

it('refuses what is not a path, and numbers that are none', () => {
  for (const text of ['/', '1/', '01', '-1', '1//2', 'a b', 'A', '1/../2', '1e3']) {
    expect(() => parseStep(text)).toThrow('not a step path');
  }
  expect(() => numberedStep(RUN_STEP, 0)).toThrow();
  expect(() => numberOf(parseStep('5/call-1'))).toThrow('not a numbered step');
});

it('orders steps as they are done', () => {
  const steps = ['10', '2', '2/call-10', '2/call-2', '', 'step-a/1', '2/call-2/1'];
  const sorted = steps.map(parseStep).sort(compareSteps);
  expect(sorted).toEqual(['', '2', '2/call-2', '2/call-2/1', '2/call-10', '10', 'step-a/1']);
  const step: fc.Arbitrary<StepPath> = fc.constantFrom(...sorted);
  fc.assert(
    fc.property(step, step, step, (a, b, c) => {
      expect(Math.sign(compareSteps(a, b)) + Math.sign(compareSteps(b, a))).toBe(0);
      if (compareSteps(a, b) <= 0 && compareSteps(b, c) <= 0) {
        expect(compareSteps(a, c)).toBeLessThanOrEqual(0);
      }
    }),
  );
});
