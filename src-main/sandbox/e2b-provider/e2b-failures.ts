import { AppError } from '#contract/errors.ts';
import { E2bError, E2bUnreachableError } from './e2b-http.ts';

/** What is wrong, and what to do. */
export interface Failure {
  readonly detail: string;
  readonly remedy: string;
}

export const NO_KEY: Failure = {
  detail: 'there is no key for e2b.dev',
  remedy:
    'Enter one in the settings under Sandbox (kept as the key "e2b"), or set E2B_API_KEY; keys are made at e2b.dev/dashboard.',
};

/** A failure of the service, described for the user; null for other errors. */
export function failureOf(error: unknown): Failure | null {
  if (error instanceof E2bUnreachableError) {
    return {
      detail: `e2b.dev cannot be reached (${error.message})`,
      remedy: 'Check the connection, or choose another sandbox in the settings.',
    };
  }
  if (!(error instanceof E2bError)) return null;
  switch (error.status) {
    case 401:
    case 403:
      return {
        detail: `e2b.dev refused the key (${error.message})`,
        remedy: 'Enter a valid key in the settings under Sandbox, or set E2B_API_KEY.',
      };
    case 429: {
      const when = error.retryAfter === null ? 'later' : `in ${error.retryAfter} seconds`;
      return {
        detail: `e2b.dev accepts no more requests at the moment (${error.message})`,
        remedy: `Try again ${when}, or end other sandboxes of this account.`,
      };
    }
    default:
      return {
        detail: `e2b.dev answered with ${error.status} (${error.message})`,
        remedy: 'Try again later, or choose another sandbox in the settings.',
      };
  }
}

/** Turns failures of the service into `AppError`s; returns anything else unchanged. */
export function asAppError(error: unknown): unknown {
  const failure = failureOf(error);
  if (failure === null) return error;
  if (error instanceof E2bError && error.isGone) {
    return new AppError(
      'SANDBOX_LOST',
      'The machine at E2B is gone. Send the message again to get a new one; the files of the task are kept here.',
      { cause: error },
    );
  }
  return new AppError(
    error instanceof E2bUnreachableError ? 'SANDBOX_LOST' : 'SANDBOX_UNAVAILABLE',
    `No sandbox at E2B: ${failure.detail}. ${failure.remedy}`,
    { cause: error },
  );
}
