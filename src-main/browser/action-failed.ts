import { AppError } from '#contract/errors.ts';

/** An action that cannot be done, with a reason for the model. */
export class ActionFailed extends Error {}

export const BROWSER_ENDED =
  'The browser ended. The next action opens it again, without its sign-ins.';

/** For what was being done when the browser ended. */
export function browserLost(): AppError {
  return new AppError('BROWSER_LOST', BROWSER_ENDED);
}

/** The first line of an error of Playwright, without the method that threw it. */
export function shortReason(message: string): string {
  const line = message.replace(/^[\w.]+:\s*/, '').split('\n', 1)[0] ?? '';
  return line.slice(0, 200);
}

/** An error of Playwright, as a reason for the model; null for what is not the page's fault. */
export function failureOf(error: unknown): string | null {
  if (error instanceof ActionFailed) return error.message;
  if (error instanceof AppError || !(error instanceof Error)) return null;
  if (isTimeout(error)) return 'The page did not answer in time.';
  return isGone(error) ? null : `It did not work: ${shortReason(error.message)}`;
}

export function isTimeout(error: unknown): boolean {
  return error instanceof Error && error.name === 'TimeoutError';
}

/** The page is gone; the browser need not be. */
export function isGone(error: unknown): boolean {
  return error instanceof Error && /has been closed|crashed/i.test(error.message);
}
