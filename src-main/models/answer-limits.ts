import { AppError } from '#contract/errors.ts';

/** Of one answer: whoever makes more goes in circles, or wants to. */
export const MOST_CALLS = 500;
/** Characters of one answer, its thinking and its calls: more than any model gives at once. */
export const LONGEST_ANSWER = 1_000_000;

export function tooManyCalls(): AppError {
  return endless(`made more than ${MOST_CALLS} calls in one answer`);
}

export function tooLongAnswer(): AppError {
  return endless(`wrote more than ${LONGEST_ANSWER} characters in one answer`);
}

function endless(what: string): AppError {
  return new AppError(
    'MODEL_STREAM_BROKEN',
    `The model ${what}, so it was stopped. Try again, ask for less at once, or choose another model.`,
  );
}
