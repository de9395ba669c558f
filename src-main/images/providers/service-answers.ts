import { AppError } from '#contract/errors.ts';
import { parseOutsideJson } from '../../base/outside-json.ts';
import { failed, said, unavailable } from '../image-errors.ts';
import type { ImageHttp } from '../image-http.ts';
import type { ImageJob } from '../image-job.ts';
import type { ImageOrder, MadeImage } from '../types.ts';
import { modelNames, unknownModel } from './read-answers.ts';

/** What OpenAI and Gemini have in common: orders of several pictures, lists of models, and errors. */

type Named = Pick<ImageHttp, 'label'>;

/** Of a list of models. */
export const LIST_BYTES = 4 * 1024 * 1024;

/** Seconds of the units in which services give a time. */
const UNITS: Readonly<Record<string, number>> = { h: 3_600, m: 60, s: 1, ms: 0.001 };

/** The description, with what must not be in the picture: these services have no other way to say that. */
export function fullPrompt({ prompt, negativePrompt }: ImageOrder): string {
  return negativePrompt === '' ? prompt : `${prompt}\n\nDo not show: ${negativePrompt}`;
}

/**
 * The pictures of an order, one after another; each but the last is shown as a preview when it is there. If one fails,
 * those before it are the result. Rejects as `draw` does for the first, and once the order is cancelled.
 */
export async function drawEach(
  { count }: ImageOrder,
  { job, signal }: { readonly job: ImageJob; readonly signal: AbortSignal },
  draw: (index: number) => Promise<MadeImage>,
): Promise<readonly MadeImage[]> {
  const made: MadeImage[] = [];
  while (made.length < count) {
    try {
      made.push(await draw(made.length));
    } catch (error) {
      if (made.length === 0 || signal.aborted || !(error instanceof AppError)) throw error;
      // The others are paid for, and the result says that some are missing.
      return made;
    }
    const preview = made.at(-1)?.bytes ?? null;
    if (made.length < count) job.progress({ queue: null, step: null, steps: null, preview });
  }
  return made;
}

/** The JSON in a text of others; undefined for any other text. */
export function outsideJson(text: string): unknown {
  try {
    return parseOutsideJson(text);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return undefined;
  }
}

/** Names of models by their version, the default one before all others. */
export function newestFirst(names: readonly string[], first: string): readonly string[] {
  const sorted = modelNames(names).sort((a, b) => b.localeCompare(a, 'en', { numeric: true }));
  return sorted.includes(first) ? [first, ...sorted.filter((name) => name !== first)] : sorted;
}

/** The error for a model that the service does not have; `names` are those that it has. */
export function noSuchModel(server: Named, model: string, names: readonly string[]): AppError {
  const todo = 'Choose another in the settings, under Pictures, or leave the model empty.';
  // Services list models that they refuse to this account.
  const others = names.filter((name) => name !== model);
  return unknownModel(server, { model, names: others, todo });
}

export function wrongKey({ label }: Named): AppError {
  return unavailable(
    `The key of ${label} is not valid. Enter it again in the settings, under Models.`,
  );
}

/** The error where too much was ordered; `seconds` is how long to wait, null if that is not known. */
export function tooManyOrders({ label }: Named, seconds: number | null): AppError {
  const when = seconds === null ? 'in a few minutes' : `after ${seconds} s`;
  return failed(`${label} takes no more orders from this account now. Try again ${when}.`);
}

export function ownProblem({ label }: Named, status: number | null): AppError {
  const where = status === null ? '' : ` (status ${status})`;
  return failed(`${label} has a problem of its own${where}. Try again in a few minutes.`);
}

/** The error for a success that is none of the service's. */
export function oddSuccess({ label }: Named, contentType: string): AppError {
  return failed(
    contentType === 'text/html'
      ? `A web page answered instead of ${label}. Perhaps the network wants you to sign in: open a page in a browser, then try again.`
      : `${label} answered with something unexpected. Try again, or choose another model in the settings, under Pictures.`,
  );
}

/** The seconds in words such as "Please try again in 1m20.5s", rounded up; null without such words. */
export function secondsIn(text: string): number | null {
  const [, wait] = /\bin ((?:\d{1,6}(?:\.\d{1,9})?(?:ms|h|m|s))+)/.exec(text) ?? [];
  if (wait === undefined) return null;
  let seconds = 0;
  for (const [, count, unit] of wait.matchAll(/([\d.]+)([a-z]+)/g)) {
    seconds += Number(count) * (UNITS[unit ?? ''] ?? 0);
  }
  return Math.ceil(seconds);
}

/** What a service said, without characters that are not seen. */
export function visible(text: string | null | undefined): string {
  return (text ?? '').replace(/[\p{Cc}\p{Cf}]+/gu, ' ');
}

/** What a service said, shortened, as a sentence; empty for nothing. Untrusted. */
export function sentence(text: string | null | undefined): string {
  const words = said(visible(text));
  return words === '' || /[.!?…]$/.test(words) ? words : `${words}.`;
}
