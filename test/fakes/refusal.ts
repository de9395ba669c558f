import type { ErrorCode, ErrorEnvelope } from '#contract/errors.ts';

/** What a fake of main refuses with. */
export class Refusal extends Error {
  readonly envelope: ErrorEnvelope;
  constructor(code: ErrorCode, message: string, details: ErrorEnvelope['details'] = {}) {
    super(message);
    this.envelope = { code, message, details };
  }
}
