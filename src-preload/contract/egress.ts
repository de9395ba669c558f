import { z } from 'zod';

/** Who requests a connection; the list of connections shows this name. */
export const EgressActor = z.enum([
  'sandbox',
  'fetch',
  'search',
  'browser',
  'skill',
  'preview',
  'connector',
  'model',
  'app',
]);
export type EgressActor = z.infer<typeof EgressActor>;

/**
 * `allowed`: connected. `denied`: never dialled. `failed`: dialled, but there was no answer, or it was cut
 * off first.
 */
export const EgressVerdict = z.enum(['allowed', 'denied', 'failed']);
export type EgressVerdict = z.infer<typeof EgressVerdict>;

/**
 * Why there was no connection: the network is off, the host is not listed, a rule or the policy of this computer denies it, its
 * address is private, its name does not resolve, it is not a host, it does not answer, or the run ended.
 */
export const EgressReason = z.enum([
  'offline',
  'not_listed',
  'denied_by_rule',
  'denied_by_policy',
  'private_address',
  'unresolved',
  'bad_target',
  'unreachable',
  'no_run',
]);
export type EgressReason = z.infer<typeof EgressReason>;

/** A requested connection: one line of the list that the user sees. */
export const EgressConnection = z.strictObject({
  id: z.int().positive(),
  at: z.int(),
  /** Null while it is open. */
  endedAt: z.int().nullable(),
  runId: z.string().nullable(),
  actor: EgressActor,
  /** As requested: a name or an address. */
  host: z.string(),
  port: z.int().nonnegative(),
  /** The dialled address; null if none was dialled. */
  address: z.string().nullable(),
  verdict: EgressVerdict,
  reason: EgressReason.nullable(),
  /** Bytes on the wire. For an open connection, the count may be a few seconds old. */
  sentBytes: z.int().nonnegative(),
  receivedBytes: z.int().nonnegative(),
});
export type EgressConnection = z.infer<typeof EgressConnection>;

/** Maximum connections in one response. */
export const EGRESS_PAGE_SIZE = 500;

/** Package registries: the hosts that programs may reach by default. */
export const PACKAGE_HOSTS: readonly string[] = [
  'pypi.org',
  'files.pythonhosted.org',
  'registry.npmjs.org',
];
/** Those that only give: nobody can publish there. */
export const DOWNLOAD_HOSTS: readonly string[] = ['pypi.org', 'files.pythonhosted.org'];
