import { z } from 'zod';
import {
  ApprovalRule,
  CheckupReport,
  Message,
  ModelRef,
  ModelServer,
  Run,
  RunOptions,
  SandboxReport,
  Settings,
  Thread,
  WorkspaceEntry,
} from './entities.ts';
import type { ErrorEnvelope } from './errors.ts';
import { InterruptResponse } from './events/hitl.ts';
import { RunEvent } from './events/run-event.ts';
import { ATTACHMENT_LIMIT_BYTES, ATTACHMENT_LIMIT_COUNT, EVENT_PAGE_SIZE } from './limits.ts';
import { ModelCheckItem, ModelProfile, ModelPull, TierRecommendation } from './models.ts';

export { ATTACHMENT_LIMIT_BYTES, EVENT_PAGE_SIZE } from './limits.ts';

const id = z.string().min(1).max(100);
const empty = z.strictObject({});
const nothing = z.strictObject({});

/**
 * Every request a window may make: what it takes and what it gives. Inputs are strict: an unknown
 * field is refused. One table for both transports (IPC, WebSocket).
 */
export const REQUESTS = {
  'app.info': {
    input: empty,
    output: z.strictObject({
      version: z.string(),
      door: z.enum(['desktop', 'browser']),
      platform: z.string(),
      dataDir: z.string(),
    }),
  },
  'checkup.run': { input: empty, output: CheckupReport },

  'threads.list': {
    /** `search` matches titles; newest first. */
    input: z.strictObject({ search: z.string().max(200).optional() }),
    output: z.strictObject({ threads: z.array(Thread) }),
  },
  'threads.get': {
    input: z.strictObject({ threadId: id }),
    output: z.strictObject({
      thread: Thread,
      messages: z.array(Message),
      runs: z.array(Run),
    }),
  },
  'threads.rename': {
    input: z.strictObject({ threadId: id, title: z.string().min(1).max(200) }),
    output: z.strictObject({ thread: Thread }),
  },
  /** Deletes the task with its runs and workspace; refused while a run is going on. */
  'threads.delete': { input: z.strictObject({ threadId: id }), output: nothing },

  /** Takes a file in; the id goes into `runs.start`. `data` is base64. */
  'attachments.add': {
    input: z.strictObject({
      name: z.string().min(1).max(255),
      data: z.base64().max(Math.ceil(ATTACHMENT_LIMIT_BYTES / 3) * 4),
    }),
    output: z.strictObject({ attachmentId: id, name: z.string(), size: z.int() }),
  },

  'runs.start': {
    input: z.strictObject({
      /** Absent: a new task. */
      threadId: id.optional(),
      prompt: z.string().min(1).max(1_000_000),
      attachmentIds: z.array(id).max(ATTACHMENT_LIMIT_COUNT),
      /** What is left out comes from the settings. */
      options: RunOptions.partial(),
    }),
    output: z.strictObject({ run: Run, thread: Thread }),
  },
  'runs.cancel': { input: z.strictObject({ runId: id }), output: nothing },
  'runs.get': { input: z.strictObject({ runId: id }), output: z.strictObject({ run: Run }) },
  /** A page of the log after `afterSeq`, oldest first. */
  'runs.events': {
    input: z.strictObject({
      runId: id,
      afterSeq: z.int().nonnegative(),
      limit: z.int().min(1).max(EVENT_PAGE_SIZE).optional(),
    }),
    output: z.strictObject({ events: z.array(RunEvent), lastSeq: z.int().nonnegative() }),
  },
  /** From now on this window is pushed the run's events after `afterSeq`, in order, without gaps. */
  'runs.subscribe': {
    input: z.strictObject({ runId: id, afterSeq: z.int().nonnegative() }),
    output: z.strictObject({ run: Run }),
  },
  'runs.unsubscribe': { input: z.strictObject({ runId: id }), output: nothing },
  /** Answers an open interrupt; the first answer counts, later ones get `ALREADY_ANSWERED`. */
  'runs.respond': {
    input: z.strictObject({ runId: id, interruptId: id, response: InterruptResponse }),
    output: nothing,
  },

  'models.list': { input: empty, output: z.strictObject({ servers: z.array(ModelServer) }) },
  /** What is known of a model; its server is asked what was never asked before. */
  'models.profile': {
    input: z.strictObject({ model: ModelRef }),
    output: z.strictObject({ profile: ModelProfile }),
  },
  /**
   * Sets the model a dozen small tasks, which takes minutes; each that is done arrives as a
   * `model_check` push. One at a time. Refused while the model needs consent that it does not have.
   */
  'models.check': {
    input: z.strictObject({ model: ModelRef }),
    output: z.strictObject({ profile: ModelProfile }),
  },
  'models.cancelCheck': { input: empty, output: nothing },
  /** The best installed model for each tier. */
  'models.recommend': {
    input: empty,
    output: z.strictObject({ recommendations: z.array(TierRecommendation) }),
  },
  /** Starts to pull a model, or goes on where a pull was stopped; progress arrives as `model_pull`. */
  'models.pull': {
    input: z.strictObject({ model: ModelRef }),
    output: z.strictObject({ pull: ModelPull }),
  },
  'models.cancelPull': { input: z.strictObject({ model: ModelRef }), output: nothing },
  /** Pulls of this session, newest first. */
  'models.pulls': { input: empty, output: z.strictObject({ pulls: z.array(ModelPull) }) },

  'settings.get': { input: empty, output: z.strictObject({ settings: Settings }) },
  /** Changes the given fields. Not `Settings.partial()`: defaults must not overwrite. */
  'settings.update': {
    input: z.strictObject({ changes: z.record(z.string(), z.unknown()) }),
    output: z.strictObject({ settings: Settings }),
  },
  /** Stores a key under a server's name; it never comes back out. */
  'secrets.set': {
    input: z.strictObject({
      name: z.string().min(1).max(100),
      value: z.string().min(1).max(10_000),
    }),
    output: nothing,
  },
  'secrets.delete': {
    input: z.strictObject({ name: z.string().min(1).max(100) }),
    output: nothing,
  },
  'secrets.list': {
    input: empty,
    output: z.strictObject({ names: z.array(z.string()), storage: z.string() }),
  },
  'rules.list': { input: empty, output: z.strictObject({ rules: z.array(ApprovalRule) }) },
  'rules.delete': { input: z.strictObject({ ruleId: id }), output: nothing },

  'sandbox.status': {
    input: empty,
    output: z.strictObject({ sandboxes: z.array(SandboxReport) }),
  },
  /** Builds the Docker image; progress arrives as `sandbox_progress` pushes. */
  'sandbox.build': { input: empty, output: nothing },

  'files.list': {
    input: z.strictObject({ threadId: id }),
    output: z.strictObject({ entries: z.array(WorkspaceEntry), truncated: z.boolean() }),
  },
  /** Reads a file of the workspace. Text is decoded as UTF-8; `truncated` when over the limit. */
  'files.read': {
    input: z.strictObject({ threadId: id, path: z.string().min(1).max(4096) }),
    output: z.strictObject({
      path: z.string(),
      mimeType: z.string(),
      size: z.int().nonnegative(),
      encoding: z.enum(['utf8', 'base64']),
      data: z.string(),
      truncated: z.boolean(),
    }),
  },
} as const;

export type RequestName = keyof typeof REQUESTS;
export type RequestInput<Name extends RequestName> = z.infer<(typeof REQUESTS)[Name]['input']>;
export type RequestOutput<Name extends RequestName> = z.infer<(typeof REQUESTS)[Name]['output']>;

/** What every request resolves to; it never rejects across the boundary. */
export type RequestResult<Name extends RequestName> =
  | { readonly ok: true; readonly data: RequestOutput<Name> }
  | { readonly ok: false; readonly error: ErrorEnvelope };

/** What main sends without being asked. */
export const PushMessage = z.discriminatedUnion('kind', [
  /** The next events of a subscribed run. */
  z.strictObject({ kind: z.literal('events'), runId: id, events: z.array(RunEvent) }),
  /** A run changed its status. */
  z.strictObject({ kind: z.literal('run_changed'), run: Run }),
  z.strictObject({ kind: z.literal('thread_changed'), thread: Thread }),
  z.strictObject({ kind: z.literal('thread_deleted'), threadId: id }),
  z.strictObject({ kind: z.literal('settings_changed'), settings: Settings }),
  z.strictObject({ kind: z.literal('sandbox_progress'), line: z.string() }),
  /** A task of a model check is done; `of` is how many there are. */
  z.strictObject({
    kind: z.literal('model_check'),
    model: ModelRef,
    item: ModelCheckItem,
    index: z.int().nonnegative(),
    of: z.int().positive(),
  }),
  z.strictObject({ kind: z.literal('model_pull'), pull: ModelPull }),
]);
export type PushMessage = z.infer<typeof PushMessage>;

/** What the window sees of main: `window.hyperagent`, or the same over a WebSocket. */
export interface HyperagentBridge {
  request<Name extends RequestName>(
    name: Name,
    input: RequestInput<Name>,
  ): Promise<RequestResult<Name>>;
  /** Cancels a run; a request like any other, apart so that it needs no parsing under load. */
  cancel(runId: string): Promise<RequestResult<'runs.cancel'>>;
  /** Calls back for every push until the returned function is called. */
  onEvent(listener: (message: PushMessage) => void): () => void;
}
