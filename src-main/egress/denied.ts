import type { EgressReason } from '#contract/egress.ts';

/** A connection that the broker refused, and why. Callers turn it into their protocol's answer. */
export class EgressDenied extends Error {
  readonly reason: EgressReason;
  readonly host: string;
  readonly port: number;

  constructor(reason: EgressReason, message: string, at: { host: string; port: number }) {
    super(message);
    this.name = 'EgressDenied';
    this.reason = reason;
    this.host = at.host;
    this.port = at.port;
  }
}
