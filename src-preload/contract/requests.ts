import { z } from 'zod';
import { EGRESS_PAGE_SIZE, EgressConnection } from './egress.ts';
import {
  ApprovalRule,
  BackgroundProgram,
  Message,
  ModelRef,
  RuleDraft,
  Run,
  RunOptions,
  SandboxReport,
  Settings,
  SetupReport,
  Snapshot,
  Thread,
  WorkspaceEntry,
} from './entities.ts';
import type { ErrorEnvelope } from './errors.ts';
import { InterruptResponse, WaitingQuestion } from './events/hitl.ts';
import { RunEvent } from './events/run-event.ts';
import { LIBRARY_RESULTS, LibraryHit, LibraryState } from './library.ts';
import {
  ATTACHMENT_LIMIT_BYTES,
  ATTACHMENT_LIMIT_COUNT,
  EVENT_PAGE_SIZE,
  RUN_FILE_LIMIT_CHARS,
} from './limits.ts';
import { MODEL_REQUESTS } from './model-requests.ts';
import { ModelCheckItem, ModelPull } from './models.ts';
import { MAX_EDITED_STEPS, Plan, PlanDraftStep } from './plans.ts';
import { SEARCH_QUERY_CHARS, SEARCH_RESULTS_LIMIT, SearchAnswer } from './search.ts';
import { SKILL_REQUESTS } from './skill-requests.ts';
import { ReportFormat, SearchProviderName } from './vocabulary.ts';

export { ATTACHMENT_LIMIT_BYTES, EVENT_PAGE_SIZE } from './limits.ts';

const id = z.string().min(1).max(100);
const folder = z.string().min(1).max(4096);
const empty = z.strictObject({});
const nothing = z.strictObject({});

/**
 * Every request a window may make: what it takes and what it gives. Inputs are strict: an unknown
 * field is refused. One table for both transports (IPC, WebSocket).
 */
export const REQUESTS = {
  ...SKILL_REQUESTS,
  ...MODEL_REQUESTS,
  'app.info': {
    input: empty,
    output: z.strictObject({
      version: z.string(),
      entryPoint: z.enum(['desktop', 'browser']),
      platform: z.string(),
      dataDir: z.string(),
    }),
  },
  'setup.check': { input: empty, output: SetupReport },

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

  /** Lets a run that is paused, parked or left behind go on from where it was. */
  'runs.resume': { input: z.strictObject({ runId: id }), output: z.strictObject({ run: Run }) },
  /** Stops at the next step, for a while; nothing that is at work is cut off. */
  'runs.pause': { input: z.strictObject({ runId: id }), output: nothing },
  /** Does the last step of a failed or stopped run again, as a run of its own in the same task. */
  'runs.retry': { input: z.strictObject({ runId: id }), output: z.strictObject({ run: Run }) },
  /**
   * A new task that shares this run's past up to an event; it is paused. Its files are those of the newest
   * snapshot at or before the event, else a copy of today's: `origin.files` of the run says which.
   */
  'runs.fork': {
    input: z.strictObject({ runId: id, seq: z.int().nonnegative() }),
    output: z.strictObject({ run: Run, thread: Thread }),
  },
  /** A new task with all that was before this run, and another message in its place; starts to work on it. */
  'runs.edit': {
    input: z.strictObject({ runId: id, prompt: z.string().min(1).max(1_000_000) }),
    output: z.strictObject({ run: Run, thread: Thread }),
  },
  /** What arguments that the person changed would be asked about as: canonical, checked and scanned. */
  'runs.review': {
    input: z.strictObject({
      runId: id,
      interruptId: id,
      argumentsText: z.string().max(2_000_000),
    }),
    output: z.strictObject({
      argumentsText: z.string(),
      argumentsSha256: z.string().length(64),
      reasons: z.array(z.string()),
    }),
  },
  /** The run as one file, JSON as `hyperagent runs export` writes it; refused over 64 MB. */
  'runs.export': {
    input: z.strictObject({ runId: id }),
    output: z.strictObject({ fileName: z.string(), text: z.string() }),
  },
  /** Takes an exported run in as a task of its own, to be looked at. */
  'runs.import': {
    input: z.strictObject({ text: z.string().max(RUN_FILE_LIMIT_CHARS) }),
    output: z.strictObject({ run: Run, thread: Thread }),
  },
  /** Every question without an answer, oldest first. */
  'runs.waiting': { input: empty, output: z.strictObject({ questions: z.array(WaitingQuestion) }) },

  /** The plan of a run; null for one that has none. */
  'plans.get': {
    input: z.strictObject({ runId: id }),
    output: z.strictObject({ plan: Plan.nullable() }),
  },
  /**
   * Reorders, drops and adds steps that have not begun. `revision` is the one that was looked at;
   * `CONFLICT` where the plan has changed since, or the run has ended.
   */
  'plans.edit': {
    input: z.strictObject({
      runId: id,
      revision: z.int().nonnegative(),
      steps: z.array(PlanDraftStep).min(1).max(MAX_EDITED_STEPS),
    }),
    output: z.strictObject({ plan: Plan }),
  },

  /** Searches now, for the person: `SEARCH_FAILED` says what to do where nobody answered. */
  'search.try': {
    input: z.strictObject({
      query: z.string().min(1).max(SEARCH_QUERY_CHARS),
      limit: z.int().min(1).max(SEARCH_RESULTS_LIMIT),
      /** Absent: as the settings say. */
      provider: SearchProviderName.optional(),
    }),
    output: SearchAnswer,
  },
  /** A report of a run as a file; the newest where none is named. `data` is base64. */
  'reports.export': {
    input: z.strictObject({
      runId: id,
      reportId: z.string().max(300).optional(),
      format: ReportFormat,
    }),
    output: z.strictObject({ fileName: z.string(), mimeType: z.string(), data: z.base64() }),
  },

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
    output: z.strictObject({ names: z.array(z.string()), storage: z.string().nullable() }),
  },
  'rules.list': { input: empty, output: z.strictObject({ rules: z.array(ApprovalRule) }) },
  /** Makes a rule, or changes the one with `ruleId`. */
  'rules.put': {
    input: z.strictObject({ ruleId: id.nullable(), rule: RuleDraft }),
    output: z.strictObject({ rule: ApprovalRule }),
  },
  /** How many of the newest calls (of any tool, at most 200) the rule would have decided. */
  'rules.try': {
    input: z.strictObject({ rule: RuleDraft }),
    output: z.strictObject({
      decided: z.int().nonnegative(),
      of: z.int().nonnegative(),
      /** Arguments of some of them. */
      examples: z.array(z.string()),
    }),
  },
  'rules.delete': { input: z.strictObject({ ruleId: id }), output: nothing },

  'sandbox.status': {
    input: empty,
    output: z.strictObject({ sandboxes: z.array(SandboxReport) }),
  },
  /** Builds the Docker image; progress arrives as `sandbox_progress` pushes. */
  'sandbox.build': { input: empty, output: nothing },
  /** What goes on in the background of a task. `isKnown`: where it is false, there may be more. */
  'sandbox.programs': {
    input: z.strictObject({ threadId: id }),
    output: z.strictObject({ programs: z.array(BackgroundProgram), isKnown: z.boolean() }),
  },
  /** Ends all of it, and the shells of the task. */
  'sandbox.endPrograms': { input: z.strictObject({ threadId: id }), output: nothing },

  /** Connections that were asked for, newest first: of one run, or of all and of the app itself. */
  'egress.list': {
    input: z.strictObject({
      runId: id.optional(),
      /** Only those before this one: the next page. */
      beforeId: z.int().positive().optional(),
      limit: z.int().min(1).max(EGRESS_PAGE_SIZE).optional(),
    }),
    output: z.strictObject({ connections: z.array(EgressConnection) }),
  },

  /** The attached folders, and how far their index is. */
  'library.list': { input: empty, output: LibraryState },
  /** Attaches a folder and starts to index it. `path` is absolute, or begins with `~/`. */
  'library.add': { input: z.strictObject({ path: folder }), output: LibraryState },
  /** Detaches a folder and forgets what its files say; the files stay as they are. */
  'library.remove': { input: z.strictObject({ path: folder }), output: LibraryState },
  /** Looks for what changed: in one folder, or in all. */
  'library.refresh': { input: z.strictObject({ path: folder.optional() }), output: LibraryState },
  /** Documents that fit, best first. */
  'library.search': {
    input: z.strictObject({
      query: z.string().min(1).max(2_000),
      limit: z.int().min(1).max(LIBRARY_RESULTS).optional(),
    }),
    output: z.strictObject({ hits: z.array(LibraryHit) }),
  },

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

  /** States of a task's files that can be had back, newest first. */
  'snapshots.list': {
    input: z.strictObject({ threadId: id }),
    output: z.strictObject({ snapshots: z.array(Snapshot) }),
  },
  /**
   * Sets the files of a task back; refused while a run of it is at work. The present state is kept as a
   * snapshot of its own first, and what that could not hold stays where it is.
   */
  'snapshots.restore': {
    input: z.strictObject({ threadId: id, snapshotId: id }),
    output: z.strictObject({
      /** The state before, to go back to. */
      before: Snapshot,
      /** The state now. */
      now: Snapshot,
      /** What no snapshot holds and was therefore not removed; at most 100. */
      kept: z.array(z.string()),
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
  /** What waits for the person, whenever that changes. */
  z.strictObject({ kind: z.literal('waiting_changed'), questions: z.array(WaitingQuestion) }),
  z.strictObject({ kind: z.literal('sandbox_progress'), line: z.string() }),
  /** A task of a model check is done; `of` is how many there are. */
  z.strictObject({
    kind: z.literal('model_check'),
    model: ModelRef,
    item: ModelCheckItem,
    index: z.int().nonnegative(),
    of: z.int().positive(),
  }),
  /** A connection was asked for, or ended. */
  z.strictObject({ kind: z.literal('egress'), connection: EgressConnection }),
  z.strictObject({ kind: z.literal('model_pull'), pull: ModelPull }),
  /** The index of the library went on, or its folders changed. */
  z.strictObject({ kind: z.literal('library_changed'), library: LibraryState }),
  /** A skill came, changed or went; lists are asked for again. */
  z.strictObject({ kind: z.literal('skills_changed') }),
  /** The person changed the plan of a run. */
  z.strictObject({ kind: z.literal('plan_changed'), plan: Plan }),
  /** The daily check found damage; the next start offers to restore a backup. */
  z.strictObject({ kind: z.literal('database_damaged') }),
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
