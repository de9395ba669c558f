import { z } from 'zod';

/** Who wants to go out; each is shown by this name in the list of connections. */
export const EgressActor = z.enum([
  'sandbox',
  'fetch',
  'search',
  'browser',
  'skill',
  'preview',
  'model',
  'app',
]);
export type EgressActor = z.infer<typeof EgressActor>;

/**
 * `allowed` was connected, `denied` was never dialled, `failed` was dialled, and nobody answered or it was
 * cut off before somebody did.
 */
export const EgressVerdict = z.enum(['allowed', 'denied', 'failed']);
export type EgressVerdict = z.infer<typeof EgressVerdict>;

/**
 * Why a connection was not made: the policy is offline, the host is on no list, its address is not a
 * public one, its name has no address, it is no host at all, nobody answered, or the run had ended.
 */
export const EgressReason = z.enum([
  'offline',
  'not_listed',
  'denied_by_rule',
  'private_address',
  'unresolved',
  'bad_target',
  'unreachable',
  'no_run',
]);
export type EgressReason = z.infer<typeof EgressReason>;

/** A connection that was asked for: one line of the list that the person can read. */
export const EgressConnection = z.strictObject({
  id: z.int().positive(),
  at: z.int(),
  /** Null while it is open. */
  endedAt: z.int().nullable(),
  runId: z.string().nullable(),
  actor: EgressActor,
  /** As it was asked for: a name, or an address. */
  host: z.string(),
  port: z.int().nonnegative(),
  /** The address that was dialled; null where none was. */
  address: z.string().nullable(),
  verdict: EgressVerdict,
  reason: EgressReason.nullable(),
  /** Bytes that went out and came in, counted on the wire; of one that is open, up to a few seconds ago. */
  sentBytes: z.int().nonnegative(),
  receivedBytes: z.int().nonnegative(),
});
export type EgressConnection = z.infer<typeof EgressConnection>;

/** Connections that one answer holds. */
export const EGRESS_PAGE_SIZE = 500;

/** Where packages come from: what programs may reach in a new installation. */
export const PACKAGE_HOSTS: readonly string[] = [
  'pypi.org',
  'files.pythonhosted.org',
  'registry.npmjs.org',
];
