import { z } from 'zod';
import { AddedAttachment } from './attachments.ts';
import { OFFER_NAME_CHARS, OFFER_URI_CHARS } from './limits.ts';

const id = z.string().min(1).max(100);
const nothing = z.strictObject({});

/** Lower case, without `__`, which stands between the names of a connector and its tool. */
export const ConnectorName = z
  .string()
  .max(24, 'use at most 24 characters')
  .regex(
    /^[a-z0-9](?:-?[a-z0-9]){0,23}$/,
    'use 1 to 24 lower-case letters, digits and single dashes',
  );

/** A folder of this computer that a program may see, at the same path inside its sandbox. */
export const ConnectorFolder = z.strictObject({
  path: z.string().min(1).max(4096),
  access: z.enum(['read', 'write']),
});
export type ConnectorFolder = z.infer<typeof ConnectorFolder>;

/** A variable of a program, or a header of a remote server. */
const NamedValue = z.strictObject({
  name: z.string().min(1).max(200),
  /** One that is no secret, or names variables of the app, as in `${NAME}`; null for one that is stored sealed. */
  value: z.string().max(10_000).nullable(),
});

/** How the app is known where users sign in; without any of it, the app registers itself there. */
const OAuthFields = {
  /** Of a client that the user registered. */
  clientId: z.string().min(1).max(1_000).optional(),
  /** The address of a document that describes the client (client ID metadata document). */
  metadataUrl: z.string().max(4096).optional(),
};

/** How a server is reached, as stored and shown: it holds no secret. */
export const ConnectorConfig = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('program'),
    command: z.string().min(1).max(4096),
    args: z.array(z.string().max(10_000)).max(200),
    env: z.array(NamedValue).max(100),
    folders: z.array(ConnectorFolder).max(20),
    /** What it may reach: `example.com` or `example.com:8443`; nothing where empty. */
    hosts: z.array(z.string().min(1).max(300)).max(50),
  }),
  z.strictObject({
    kind: z.literal('remote'),
    url: z.string().min(1).max(4096),
    headers: z.array(NamedValue).max(50),
    oauth: z
      .strictObject({ ...OAuthFields, clientSecret: NamedValue.shape.value.optional() })
      .optional(),
  }),
]);
export type ConnectorConfig = z.infer<typeof ConnectorConfig>;

/** A configuration as the user gives it, with its values. */
export const ConnectorDraft = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('program'),
    command: z.string().min(1).max(4096),
    args: z.array(z.string().max(10_000)).max(200),
    env: z.record(z.string().min(1).max(200), z.string().max(10_000)),
    folders: z.array(ConnectorFolder).max(20),
    hosts: z.array(z.string().min(1).max(300)).max(50),
  }),
  z.strictObject({
    kind: z.literal('remote'),
    url: z.string().min(1).max(4096),
    headers: z.record(z.string().min(1).max(200), z.string().max(10_000)),
    oauth: z
      .strictObject({ ...OAuthFields, clientSecret: z.string().min(1).max(10_000).optional() })
      .optional(),
  }),
]);
export type ConnectorDraft = z.infer<typeof ConnectorDraft>;

/**
 * `idle`: starts when first needed. `failed`: starts again when needed, not before `retryAt`. `stopped`: it failed too
 * often, and starts only when the user says so.
 */
export const ConnectorState = z.enum(['off', 'idle', 'starting', 'running', 'failed', 'stopped']);
export type ConnectorState = z.infer<typeof ConnectorState>;

export const Connector = z.strictObject({
  id,
  name: z.string(),
  config: ConnectorConfig,
  isEnabled: z.boolean(),
  state: ConnectorState,
  /** Why it does not run, with what to do; null where nothing is wrong. */
  problem: z.string().nullable(),
  /** Milliseconds since the epoch. */
  retryAt: z.number().nullable(),
  /** `needed`: it works only once the user has signed in. Programs are `none`. */
  signIn: z.enum(['none', 'needed', 'done']),
  /** What the server calls itself, and the protocol's revision; null until it first answered. */
  server: z
    .strictObject({ name: z.string(), version: z.string(), revision: z.string() })
    .nullable(),
  /** Tools that may be called, that wait for a review, and that cannot be offered. */
  tools: z.strictObject({
    usable: z.int().nonnegative(),
    waiting: z.int().nonnegative(),
    unusable: z.int().nonnegative(),
    /** Of the schemas of usable ones, in estimated tokens. */
    tokens: z.int().nonnegative(),
  }),
  /** How many resources and prompts it offers. */
  offers: z.strictObject({ resources: z.int().nonnegative(), prompts: z.int().nonnegative() }),
});
export type Connector = z.infer<typeof Connector>;

/** Resources and prompts of a server, as of its last start. All texts come from the server and are untrusted. */
export const ConnectorOffers = z.strictObject({
  resources: z.array(
    z.strictObject({
      uri: z.string(),
      name: z.string(),
      description: z.string(),
      mimeType: z.string(),
      /** In bytes; null where the server does not say. */
      size: z.int().nonnegative().nullable(),
      /** What `uri`, a URI template (RFC 6570), wants filled in; empty for a plain address. */
      variables: z.array(z.strictObject({ name: z.string(), isRequired: z.boolean() })),
    }),
  ),
  prompts: z.array(
    z.strictObject({
      /** As the server calls it. */
      name: z.string(),
      title: z.string(),
      description: z.string(),
      arguments: z.array(
        z.strictObject({ name: z.string(), description: z.string(), isRequired: z.boolean() }),
      ),
    }),
  ),
});
export type ConnectorOffers = z.infer<typeof ConnectorOffers>;
export type OfferedResource = ConnectorOffers['resources'][number];
export type OfferedPrompt = ConnectorOffers['prompts'][number];

/** What a server says about a tool. All of it is text of strangers. */
export const ToolDescription = z.strictObject({
  title: z.string(),
  description: z.string(),
  /** JSON. */
  inputSchema: z.string(),
  /** JSON of what else it says: how its answers look, how it is to be called. Empty where it says nothing. */
  more: z.string(),
  /** JSON; what the server claims about it. Shown, never believed. */
  annotations: z.string(),
});
export type ToolDescription = z.infer<typeof ToolDescription>;

/**
 * `new`: not reviewed. `changed`: what the server says about it is not what was approved. `gone`: the server no longer
 * has it. Only `approved` ones are called.
 */
export const ConnectorToolState = z.enum(['new', 'approved', 'changed', 'gone', 'unusable']);

export const ConnectorTool = z.strictObject({
  /** As the server calls it. */
  name: z.string(),
  /** As models and rules call it: `connector__tool`. */
  fullName: z.string(),
  state: ConnectorToolState,
  /** Why it is `unusable`. */
  problem: z.string().nullable(),
  isEnabled: z.boolean(),
  /** The user says that a call may be repeated without harm. */
  isRepeatable: z.boolean(),
  /** What the server says now; for `gone`, what was approved. */
  now: ToolDescription,
  /** What was approved, where it differs. */
  approved: ToolDescription.nullable(),
  /** Of `now`: an approval names it. */
  sha256: z.string(),
  /** What is suspicious in `now`. */
  warnings: z.array(z.string()),
  tokens: z.int().nonnegative(),
});
export type ConnectorTool = z.infer<typeof ConnectorTool>;

/** A server in a pasted configuration. */
export const ImportedConnector = z.strictObject({
  name: z.string(),
  /** Null where it cannot be used. */
  draft: ConnectorDraft.nullable(),
  /** What was left out or guessed, or why it cannot be used. */
  notes: z.array(z.string()),
});
export type ImportedConnector = z.infer<typeof ImportedConnector>;

export const ConnectorLogLine = z.strictObject({
  at: z.number(),
  kind: z.enum(['state', 'call', 'stderr', 'message', 'problem']),
  text: z.string(),
});
export type ConnectorLogLine = z.infer<typeof ConnectorLogLine>;

/** Requests about connectors (MCP servers); a part of `REQUESTS`. Only the user makes them, never a tool. */
export const CONNECTOR_REQUESTS = {
  /** By name. `storage` says what seals values; null where nothing does, so that only `${NAME}` can be used. */
  'connectors.list': {
    effect: 'read',
    input: nothing,
    output: z.strictObject({ connectors: z.array(Connector), storage: z.string().nullable() }),
  },
  /** Reads an `mcp.json` of Claude desktop, VS Code or goose. Adds nothing. Throws `BAD_REQUEST`. */
  'connectors.read': {
    effect: 'read',
    input: z.strictObject({ text: z.string().max(1_000_000) }),
    output: z.strictObject({ found: z.array(ImportedConnector) }),
  },
  /** Starts nothing. Throws `BAD_REQUEST` that says what to correct, `CONFLICT` if the name is taken. */
  'connectors.add': {
    effect: 'once',
    input: z.strictObject({ name: z.string().max(200), draft: ConnectorDraft }),
    output: z.strictObject({ connector: Connector }),
  },
  'connectors.enable': {
    effect: 'once',
    input: z.strictObject({ connectorId: id, isEnabled: z.boolean() }),
    output: z.strictObject({ connector: Connector }),
  },
  /** Ends its server. Throws `NOT_FOUND`. */
  'connectors.remove': {
    effect: 'once',
    input: z.strictObject({ connectorId: id }),
    output: nothing,
  },
  /** What is known of its tools. With `refresh` the server is started and asked; throws `CONNECTOR_…`. */
  'connectors.tools': {
    effect: 'read',
    input: z.strictObject({ connectorId: id, refresh: z.boolean() }),
    output: z.strictObject({ tools: z.array(ConnectorTool) }),
  },
  /** Approves tools as they were shown: throws `CONFLICT` if one of them is another by now. */
  'connectors.approve': {
    effect: 'once',
    input: z.strictObject({
      connectorId: id,
      tools: z.array(z.strictObject({ name: z.string(), sha256: z.string() })).max(1_000),
    }),
    output: z.strictObject({ tools: z.array(ConnectorTool) }),
  },
  'connectors.changeTool': {
    effect: 'once',
    input: z.strictObject({
      connectorId: id,
      name: z.string(),
      isEnabled: z.boolean().optional(),
      isRepeatable: z.boolean().optional(),
    }),
    output: z.strictObject({ tools: z.array(ConnectorTool) }),
  },
  /** Ends its server, forgets its failures and starts it. Throws `CONNECTOR_…`. */
  'connectors.restart': {
    effect: 'once',
    input: z.strictObject({ connectorId: id }),
    output: z.strictObject({ connector: Connector }),
  },
  /**
   * Begins a sign-in: the user opens `url` in their browser; null where the server wants none. A second one replaces the
   * first. Throws `CONNECTOR_…`.
   */
  'connectors.signIn': {
    effect: 'once',
    input: z.strictObject({ connectorId: id }),
    output: z.strictObject({ url: z.string().nullable() }),
  },
  /** Waits for the sign-in that was begun. Throws why it did not happen. */
  'connectors.awaitSignIn': {
    effect: 'read',
    input: z.strictObject({ connectorId: id }),
    output: nothing,
  },
  /** Forgets the sign-in, and ends the connection. */
  'connectors.signOut': {
    effect: 'once',
    input: z.strictObject({ connectorId: id }),
    output: z.strictObject({ connector: Connector }),
  },
  /** The newest lines, oldest first. */
  'connectors.log': {
    effect: 'read',
    input: z.strictObject({ connectorId: id }),
    output: z.strictObject({ lines: z.array(ConnectorLogLine) }),
  },
  /** Resources and prompts of enabled connectors, as of their last start. Starts no server. */
  'connectors.offers': {
    effect: 'read',
    input: nothing,
    output: z.strictObject({
      offers: z.array(ConnectorOffers.extend({ connectorId: id, connector: z.string() })),
    }),
  },
  /**
   * Stores a resource as a file to attach, like `attachments.add`. Throws `CONNECTOR_…`, `ATTACHMENT_TOO_LARGE`, and
   * `BAD_REQUEST` where a variable is missing.
   */
  'connectors.attachResource': {
    effect: 'once',
    input: z.strictObject({
      connectorId: id,
      uri: z.string().min(1).max(OFFER_URI_CHARS),
      /** For a URI template. */
      variables: z.record(z.string(), z.string().max(OFFER_URI_CHARS)),
    }),
    output: AddedAttachment,
  },
  /** The text of a prompt, for the message box. Throws `CONNECTOR_…`. */
  'connectors.prompt': {
    effect: 'read',
    input: z.strictObject({
      connectorId: id,
      name: z.string().min(1).max(OFFER_NAME_CHARS),
      arguments: z.record(z.string(), z.string().max(100_000)),
    }),
    output: z.strictObject({ text: z.string() }),
  },
  /** A call by the user, outside any task: what it answers, as text. Throws `CONNECTOR_…`. */
  'connectors.call': {
    effect: 'once',
    input: z.strictObject({
      connectorId: id,
      tool: z.string(),
      arguments: z.record(z.string(), z.unknown()),
    }),
    output: z.strictObject({ text: z.string(), isError: z.boolean() }),
  },
} as const;
