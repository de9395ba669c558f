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
import {
  SEARCH_QUERY_CHARS,
  SEARCH_RESULTS_LIMIT,
  SearchAnswer,
  SearchProviderName,
} from './search.ts';
import { SKILL_REQUESTS } from './skill-requests.ts';
import { ReportFormat } from './vocabulary.ts';

export { ATTACHMENT_LIMIT_BYTES, EVENT_PAGE_SIZE } from './limits.ts';

const id = z.string().min(1).max(100);
const folder = z.string().min(1).max(4096);
const empty = z.strictObject({});
const nothing = z.strictObject({});

/**
 * Every request a window may make, with its input and output. Inputs are strict: an unknown field is
 * refused. One table for both transports (IPC, WebSocket).
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
    /** `search` matches titles. Newest first. */
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
  /** Deletes the task with its runs and workspace; refused while one of its runs is active. */
  'threads.delete': { input: z.strictObject({ threadId: id }), output: nothing },

  /** Stores a file; pass its id to `runs.start`. `data` is base64. */
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
      /** Omitted options come from the settings. */
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
  /** Pushes the run's events after `afterSeq` to this window, in order, without gaps. */
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

  /** Resumes a run that was paused, parked or interrupted. */
  'runs.resume': { input: z.strictObject({ runId: id }), output: z.strictObject({ run: Run }) },
  /** Pauses the run at its next step, without interrupting the current one. */
  'runs.pause': { input: z.strictObject({ runId: id }), output: nothing },
  /** Repeats the last step of a failed or stopped run, as a new run in the same task. */
  'runs.retry': { input: z.strictObject({ runId: id }), output: z.strictObject({ run: Run }) },
  /**
   * Creates a paused task that shares this run's history up to an event. Its files come from the newest
   * snapshot at or before the event, or are a copy of the current files; `origin.files` says which.
   */
  'runs.fork': {
    input: z.strictObject({ runId: id, seq: z.int().nonnegative() }),
    output: z.strictObject({ run: Run, thread: Thread }),
  },
  /** Creates a task with everything before this run and another message in its place, and starts it. */
  'runs.edit': {
    input: z.strictObject({ runId: id, prompt: z.string().min(1).max(1_000_000) }),
    output: z.strictObject({ run: Run, thread: Thread }),
  },
  /** Prepares arguments that the user edited for approval: canonical, validated and scanned. */
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
  /** Exports the run as one JSON file, as `hyperagent runs export` writes it; refused over 64 MB. */
  'runs.export': {
    input: z.strictObject({ runId: id }),
    output: z.strictObject({ fileName: z.string(), text: z.string() }),
  },
  /** Imports an exported run as a new task, to inspect it. */
  'runs.import': {
    input: z.strictObject({ text: z.string().max(RUN_FILE_LIMIT_CHARS) }),
    output: z.strictObject({ run: Run, thread: Thread }),
  },
  /** Every question without an answer, oldest first. */
  'runs.waiting': { input: empty, output: z.strictObject({ questions: z.array(WaitingQuestion) }) },

  /** The plan of a run; null if it has none. */
  'plans.get': {
    input: z.strictObject({ runId: id }),
    output: z.strictObject({ plan: Plan.nullable() }),
  },
  /**
   * Reorders, removes and adds pending steps. `revision` is the one the user saw; `CONFLICT` if the plan
   * changed since, or the run ended.
   */
  'plans.edit': {
    input: z.strictObject({
      runId: id,
      revision: z.int().nonnegative(),
      steps: z.array(PlanDraftStep).min(1).max(MAX_EDITED_STEPS),
    }),
    output: z.strictObject({ plan: Plan }),
  },

  /** Searches immediately, for the user. `SEARCH_FAILED` says what to do if no provider answered. */
  'search.try': {
    input: z.strictObject({
      query: z.string().min(1).max(SEARCH_QUERY_CHARS),
      limit: z.int().min(1).max(SEARCH_RESULTS_LIMIT),
      /** Absent: from the settings. */
      provider: SearchProviderName.optional(),
    }),
    output: SearchAnswer,
  },
  /** Exports a report of a run as a file; the newest by default. `data` is base64. */
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
  /** Stores a key under a server's name. No request returns it. */
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
  /** Creates a rule, or changes the one with `ruleId`. */
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
      /** Arguments of some of these calls. */
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
  /** Background programs of a task. If `isKnown` is false, the list may be incomplete. */
  'sandbox.programs': {
    input: z.strictObject({ threadId: id }),
    output: z.strictObject({ programs: z.array(BackgroundProgram), isKnown: z.boolean() }),
  },
  /** Ends all background programs and the shells of the task. */
  'sandbox.endPrograms': { input: z.strictObject({ threadId: id }), output: nothing },

  /** Requested connections, newest first: of one run, or of all runs and the app itself. */
  'egress.list': {
    input: z.strictObject({
      runId: id.optional(),
      /** Only connections before this one, for the next page. */
      beforeId: z.int().positive().optional(),
      limit: z.int().min(1).max(EGRESS_PAGE_SIZE).optional(),
    }),
    output: z.strictObject({ connections: z.array(EgressConnection) }),
  },

  /** The attached folders with their index status. */
  'library.list': { input: empty, output: LibraryState },
  /** Attaches a folder and starts to index it. `path` is absolute or starts with `~/`. */
  'library.add': { input: z.strictObject({ path: folder }), output: LibraryState },
  /** Detaches a folder and deletes its index; the files are not touched. */
  'library.remove': { input: z.strictObject({ path: folder }), output: LibraryState },
  /** Scans one folder or all for changes. */
  'library.refresh': { input: z.strictObject({ path: folder.optional() }), output: LibraryState },
  /** Matching documents, best first. */
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
  /** Reads a file of the workspace. Text is decoded as UTF-8; `truncated` if it is over the limit. */
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

  /** Snapshots of a task's files, newest first. */
  'snapshots.list': {
    input: z.strictObject({ threadId: id }),
    output: z.strictObject({ snapshots: z.array(Snapshot) }),
  },
  /**
   * Restores the files of a task; refused while one of its runs is active. The current files become a
   * snapshot first, and files that it could not contain stay in place.
   */
  'snapshots.restore': {
    input: z.strictObject({ threadId: id, snapshotId: id }),
    output: z.strictObject({
      /** The files before the restore, to undo it. */
      before: Snapshot,
      /** The files now. */
      now: Snapshot,
      /** Files that are in no snapshot and were therefore not removed; at most 100. */
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

/** Messages that main sends without a request. */
export const PushMessage = z.discriminatedUnion('kind', [
  /** The next events of a subscribed run. */
  z.strictObject({ kind: z.literal('events'), runId: id, events: z.array(RunEvent) }),
  /** A run changed its status. */
  z.strictObject({ kind: z.literal('run_changed'), run: Run }),
  z.strictObject({ kind: z.literal('thread_changed'), thread: Thread }),
  z.strictObject({ kind: z.literal('thread_deleted'), threadId: id }),
  z.strictObject({ kind: z.literal('settings_changed'), settings: Settings }),
  /** All open questions, whenever they change. */
  z.strictObject({ kind: z.literal('waiting_changed'), questions: z.array(WaitingQuestion) }),
  z.strictObject({ kind: z.literal('sandbox_progress'), line: z.string() }),
  /** A task of a model check is done; `of` is the total. */
  z.strictObject({
    kind: z.literal('model_check'),
    model: ModelRef,
    item: ModelCheckItem,
    index: z.int().nonnegative(),
    of: z.int().positive(),
  }),
  /** A connection was requested, or ended. */
  z.strictObject({ kind: z.literal('egress'), connection: EgressConnection }),
  z.strictObject({ kind: z.literal('model_pull'), pull: ModelPull }),
  /** The library's index progressed, or its folders changed. */
  z.strictObject({ kind: z.literal('library_changed'), library: LibraryState }),
  /** A skill was added, changed or removed; windows reload their lists. */
  z.strictObject({ kind: z.literal('skills_changed') }),
  /** The user changed the plan of a run. */
  z.strictObject({ kind: z.literal('plan_changed'), plan: Plan }),
  /** The daily check found damage; the next start offers to restore a backup. */
  z.strictObject({ kind: z.literal('database_damaged') }),
]);
export type PushMessage = z.infer<typeof PushMessage>;

/** The window's access to main: `window.hyperagent`, or the same over a WebSocket. */
export interface HyperagentBridge {
  request<Name extends RequestName>(
    name: Name,
    input: RequestInput<Name>,
  ): Promise<RequestResult<Name>>;
  /** Sends `runs.cancel`. A separate method, so that it works without parsing under load. */
  cancel(runId: string): Promise<RequestResult<'runs.cancel'>>;
  /** Calls back for every push until the returned function is called. */
  onEvent(listener: (message: PushMessage) => void): () => void;
}
