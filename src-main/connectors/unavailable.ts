import { AppError } from '#contract/errors.ts';

/** That a connector cannot be used, and what to do. */
export function unavailable(name: string, why: string): AppError {
  return new AppError('CONNECTOR_UNAVAILABLE', `The connector "${name}" ${why}`, {
    details: { connector: name },
  });
}
