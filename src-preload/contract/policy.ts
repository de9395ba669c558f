import { z } from 'zod';
import { HostPatternText } from './settings.ts';
import { hasHidden } from './visible-text.ts';
import { SandboxKind } from './vocabulary.ts';

const HIDDEN = 'it holds characters that cannot be seen';
const isVisible = (text: string): boolean => !hasHidden(text);
/** One line that users see. */
const line = z
  .string()
  .min(1)
  .max(200)
  .refine((text) => isVisible(text) && !/[\n\t]/.test(text), HIDDEN);
const hosts = z.array(HostPatternText.refine(isVisible, HIDDEN)).max(1000);

/** A connector that is allowed: a program by its whole command line, or a remote server by its address. */
export const AllowedConnector = z.union(
  [
    z.strictObject({
      command: z.string().min(1),
      args: z.array(z.string()).default([]),
      /** Names of the variables that users may set for it, and the hosts and folders that they may open to it. */
      env: z.array(z.string().min(1)).default([]),
      hosts: z.array(z.string().min(1)).default([]),
      folders: z.array(z.string().min(1)).default([]),
    }),
    z.strictObject({
      url: z
        .url({ protocol: /^https?$/ })
        .refine((url) => !/@/.test(url), 'leave out names and passwords'),
    }),
  ],
  {
    error:
      'name a program by "command" and "args" (with "env", "hosts" and "folders" that it may have), or a server by "url"',
  },
);

export type AllowedConnector = z.infer<typeof AllowedConnector>;

/**
 * What an organisation sets for everyone who uses the app on a computer; docs/administrators.md explains each part. A part
 * that is left out limits nothing.
 */
export const PolicyDocument = z.strictObject({
  /** Who sets it, as shown to users. */
  organization: line.optional(),
  /** Whom users ask about it: an address or a sentence. */
  contact: line.optional(),
  /** Settings that hold and that nobody can change here. */
  settings: z.record(z.string(), z.unknown()).default({}),
  /** Settings that hold until the user changes them. */
  defaults: z.record(z.string(), z.unknown()).default({}),
  /** What the app, its runs and its programs may connect to, whatever else allows it. */
  hosts: z.strictObject({ allow: hosts.optional(), deny: hosts.default([]) }).optional(),
  /** Where requests to models may go, in place of `hosts.allow`. */
  modelHosts: hosts.optional(),
  /** The sandboxes that may be used. */
  sandboxes: z.array(SandboxKind).min(1).optional(),
  skills: z
    .strictObject({
      /** `shipped` leaves out those that users import, write, or let the agent write. */
      from: z.enum(['shipped', 'anywhere']).default('anywhere'),
      /** Ids of skills that cannot be used. */
      block: z.array(z.string().min(1)).max(1000).default([]),
    })
    .optional(),
  connectors: z.strictObject({ allow: z.array(AllowedConnector).max(200).optional() }).optional(),
  /** The data folder: an absolute path, in which `{home}` and `{user}` stand for those of the user. */
  dataFolder: z.string().min(1).max(4096).optional(),
});
export type PolicyDocument = z.infer<typeof PolicyDocument>;

/** Something in a policy that does not hold. `line` counts from 1; null where the source has no lines. */
export const PolicyProblem = z.strictObject({ line: z.int().nullable(), text: z.string() });
export type PolicyProblem = z.infer<typeof PolicyProblem>;

/** The policy of this computer, as a window shows it. */
export const PolicySummary = z.discriminatedUnion('state', [
  z.strictObject({
    state: z.literal('holds'),
    /** Where it comes from: the path of a file, or the name of a store of the system. */
    source: z.string(),
    organization: z.string().nullable(),
    contact: z.string().nullable(),
    /** Names of the settings that cannot be changed here. */
    locked: z.array(z.string()),
  }),
  /** It cannot be read or is wrong: until it is put right, nothing can be changed or started. */
  z.strictObject({
    state: z.literal('invalid'),
    source: z.string(),
    problems: z.array(PolicyProblem).min(1),
  }),
]);
export type PolicySummary = z.infer<typeof PolicySummary>;
