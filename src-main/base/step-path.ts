declare const brand: unique symbol;

/**
 * A place in the work of a run, from the outermost to the innermost: `5/call-1/3` is the third piece of work
 * of the first call of the fifth answer; `step-build/2` is the second answer in the plan's step `build`. It
 * is the same each time the work is repeated after a crash, so it identifies what was done.
 *
 * A segment is the name of a branch, the number of an answer, a call, or the number of a piece of work
 * within a call. Equal places are equal strings.
 */
export type StepPath = string & { readonly [brand]: true };

/** The run itself. */
export const RUN_STEP = '' as StepPath;

const SEGMENT = /^(?:[1-9]\d{0,8}|[a-z][\w~-]*)$/;
const SEPARATOR = '/';

/** Parses a stored path. Throws if it is none. */
export function parseStep(text: string): StepPath {
  const isPath = text === '' || text.split(SEPARATOR).every((segment) => SEGMENT.test(segment));
  if (!isPath) throw new Error(`This is not a step path: ${JSON.stringify(text.slice(0, 100))}`);
  return text as StepPath;
}

/** A branch of the work with a conversation of its own; `key` may be any text. */
export function branchStep(parent: StepPath, kind: string, key = ''): StepPath {
  const name = key === '' ? kind : `${kind}-${encode(key)}`;
  return inside(parent, name);
}

/** An answer of a branch, or a piece of work within a call; counted from 1. */
export function numberedStep(parent: StepPath, number: number): StepPath {
  return inside(parent, String(number));
}

/** A call of an answer; `index` counts from 0. */
export function callStep(answer: StepPath, index: number): StepPath {
  return inside(answer, `call-${index + 1}`);
}

/** Whether the step is within a call. */
export function isWithinCall(step: StepPath): boolean {
  return segments(step).some((segment) => /^call-\d+$/.test(segment));
}

/** The step that this one is part of. */
export function parentOf(step: StepPath): StepPath {
  return step.slice(0, Math.max(0, step.lastIndexOf(SEPARATOR))) as StepPath;
}

/** The number of an answer in its branch. Throws if the path does not end in one. */
export function numberOf(step: StepPath): number {
  const number = Number(step.slice(step.lastIndexOf(SEPARATOR) + 1));
  if (Number.isInteger(number) && number > 0) return number;
  throw new Error(`${JSON.stringify(step)} is not a numbered step`);
}

/** Orders steps as they are done: numbers by value, names by text, the outer before the inner. */
export function compareSteps(a: StepPath, b: StepPath): number {
  const [left, right] = [segments(a), segments(b)];
  for (const [i, one] of left.entries()) {
    const other = right[i];
    if (other === undefined) return 1;
    if (one !== other) return compareSegments(one, other);
  }
  return left.length - right.length;
}

function segments(step: StepPath): string[] {
  return step === '' ? [] : step.split(SEPARATOR);
}

function compareSegments(a: string, b: string): number {
  const [left, right] = [a, b].map((one) => /^(.*?)(\d*)$/.exec(one));
  if (left?.[1] === right?.[1] && left?.[2] !== '' && right?.[2] !== '') {
    return Number(left?.[2]) - Number(right?.[2]);
  }
  return a < b ? -1 : 1;
}

function inside(parent: StepPath, segment: string): StepPath {
  return parseStep(parent === '' ? segment : `${parent}${SEPARATOR}${segment}`);
}

/** Different texts get different names. */
function encode(key: string): string {
  return key.replace(/[^A-Za-z0-9-]/g, (c) => `~${c.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
