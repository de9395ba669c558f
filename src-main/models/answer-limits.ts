import { AppError } from '#contract/errors.ts';

/** Tool calls in one answer. A model that makes more is stuck in a loop. */
export const MAX_CALLS = 500;
/** Characters of one answer with its thinking and calls: more than any model writes at once. */
export const MAX_ANSWER_CHARS = 1_000_000;

export function tooManyCalls(): AppError {
  return runaway(`made more than ${MAX_CALLS} calls in one answer`);
}

export function tooLongAnswer(): AppError {
  return runaway(`wrote more than ${MAX_ANSWER_CHARS} characters in one answer`);
}

function runaway(what: string): AppError {
  return new AppError(
    'MODEL_STREAM_BROKEN',
    `The model ${what}, so it was stopped. Try again, ask for less at once, or choose another model.`,
  );
}
