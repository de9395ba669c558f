import { z } from 'zod';
import { APP_REQUESTS, TaskApp } from './apps.ts';
import { ARTIFACT_REQUESTS } from './artifacts.ts';
import { ATTACHMENT_REQUESTS } from './attachments.ts';
import { BROWSER_REQUESTS, BrowserFrame, BrowserState } from './browser.ts';
import { CONNECTOR_REQUESTS } from './connectors.ts';
import { DIAGNOSTICS_REQUESTS } from './diagnostics.ts';
import { EGRESS_PAGE_SIZE, EgressConnection } from './egress.ts';
import {
  ApprovalRule,
  BackgroundProgram,
  Message,
  ModelRef,
  RuleDraft,
  Run,
  SandboxReport,
  SetupReport,
  Thread,
} from './entities.ts';
import type { ErrorEnvelope } from './errors.ts';
import { WaitingQuestion } from './events/hitl.ts';
import { RunEvent } from './events/run-event.ts';
import { IMAGE_REQUESTS, ImageProgressNotice } from './images.ts';
import { LIBRARY_RESULTS, LibraryHit, LibraryState } from './library.ts';
import { ModelDownload } from './local-models.ts';
import { MODEL_REQUESTS } from './model-requests.ts';
import { USE_REQUESTS } from './model-use.ts';
import { ModelCheckItem, ModelPull } from './models.ts';
import { Plan } from './plans.ts';
import { PolicySummary } from './policy.ts';
import { RUN_REQUESTS } from './run-requests.ts';
import {
  SEARCH_QUERY_CHARS,
  SEARCH_RESULTS_LIMIT,
  SearchAnswer,
  SearchProviderName,
} from './search.ts';
import { Settings } from './settings.ts';
import { SIGN_IN_REQUESTS } from './sign-ins.ts';
import { SKILL_REQUESTS } from './skill-requests.ts';
import { SLIDE_REQUESTS } from './slides.ts';
import { TASK_SEARCH_REQUESTS } from './task-search.ts';
import { DataExport, USER_DATA_REQUESTS } from './user-data.ts';
import { FOLDER_REQUESTS } from './user-folder.ts';
import { PolicyLevel, ReportFormat } from './vocabulary.ts';
import { FILE_REQUESTS, SNAPSHOT_REQUESTS } from './workspace.ts';

export { ATTACHMENT_LIMIT_BYTES, EVENT_PAGE_SIZE } from './limits.ts';

const id = z.string().min(1).max(100);
const folder = z.string().min(1).max(4096);
const nothing = z.strictObject({});

interface RequestDefinition {
  /**
   * Whether the request may be repeated after a broken connection. `read` has no effect, or none the second
   * time, so it is repeated. `once` has an effect and may already have arrived, so it is repeated under the
   * same key: main answers a key that it knows with the first answer.
   */
  readonly effect: 'read' | 'once';
  /** Strict: an unknown field is refused. */
  readonly input: z.ZodType;
  readonly output: z.ZodType;
}

/** Every request a window may make. One table for both transports (IPC, WebSocket). */
export const REQUESTS = {
  ...SKILL_REQUESTS,
  ...MODEL_REQUESTS,
  ...RUN_REQUESTS,
  ...TASK_SEARCH_REQUESTS,
  ...USE_REQUESTS,
  ...FOLDER_REQUESTS,
  ...USER_DATA_REQUESTS,
  ...DIAGNOSTICS_REQUESTS,
  ...ARTIFACT_REQUESTS,
  ...SLIDE_REQUESTS,
  ...IMAGE_REQUESTS,
  ...ATTACHMENT_REQUESTS,
  ...BROWSER_REQUESTS,
  ...APP_REQUESTS,
  ...SIGN_IN_REQUESTS,
  ...CONNECTOR_REQUESTS,
  'app.info': {
    effect: 'read',
    input: nothing,
    output: z.strictObject({
      version: z.string(),
      entryPoint: z.enum(['desktop', 'browser']),
      platform: z.string(),
      dataDir: z.string(),
      /** Null where this computer has none. */
      policy: PolicySummary.nullable(),
    }),
  },
  'setup.check': { effect: 'read', input: nothing, output: SetupReport },

  'threads.list': {
    effect: 'read',
    /** `search` matches titles. Newest first. */
    input: z.strictObject({ search: z.string().max(200).optional() }),
    output: z.strictObject({ threads: z.array(Thread) }),
  },
  'threads.get': {
    effect: 'read',
    input: z.strictObject({ threadId: id }),
    output: z.strictObject({
      thread: Thread,
      messages: z.array(Message),
      runs: z.array(Run),
    }),
  },
  'threads.rename': {
    effect: 'once',
    input: z.strictObject({ threadId: id, title: z.string().min(1).max(200) }),
    output: z.strictObject({ thread: Thread }),
  },
  /** Pins or archives the task, or takes that back. A task that is archived is no longer pinned. */
  'threads.mark': {
    effect: 'once',
    input: z.strictObject({ threadId: id, mark: z.enum(['pinned', 'archived']), on: z.boolean() }),
    output: z.strictObject({ thread: Thread }),
  },
  /** Chooses the approval level of a task, from its next call on; null leaves it to the settings. */
  'threads.setLevel': {
    effect: 'once',
    input: z.strictObject({ threadId: id, level: PolicyLevel.nullable() }),
    output: z.strictObject({ thread: Thread }),
  },
  /** The conversation of a task as a file to share, without secrets. `data` is base64. */
  'threads.export': {
    effect: 'read',
    input: z.strictObject({ threadId: id, format: ReportFormat }),
    output: z.strictObject({ fileName: z.string(), mimeType: z.string(), data: z.base64() }),
  },
  /** Deletes the task with its runs and workspace; refused while one of its runs is active. */
  'threads.delete': { effect: 'once', input: z.strictObject({ threadId: id }), output: nothing },

  /** Searches immediately, for the user. `SEARCH_FAILED` says what to do if no provider answered. */
  'search.try': {
    // The service may count and charge each search.
    effect: 'once',
    input: z.strictObject({
      query: z.string().min(1).max(SEARCH_QUERY_CHARS),
      limit: z.int().min(1).max(SEARCH_RESULTS_LIMIT),
      /** Absent: from the settings. */
      provider: SearchProviderName.optional(),
    }),
    output: SearchAnswer,
  },

  'settings.get': {
    effect: 'read',
    input: nothing,
    output: z.strictObject({ settings: Settings }),
  },
  /** Changes the given fields. Not `Settings.partial()`: defaults must not overwrite. */
  'settings.update': {
    effect: 'once',
    input: z.strictObject({ changes: z.record(z.string(), z.unknown()) }),
    output: z.strictObject({ settings: Settings }),
  },
  /** Stores a key under a server's name. No request returns it. */
  'secrets.set': {
    effect: 'once',
    input: z.strictObject({
      name: z.string().min(1).max(100),
      value: z.string().min(1).max(10_000),
    }),
    output: nothing,
  },
  'secrets.delete': {
    effect: 'once',
    input: z.strictObject({ name: z.string().min(1).max(100) }),
    output: nothing,
  },
  'secrets.list': {
    effect: 'read',
    input: nothing,
    output: z.strictObject({ names: z.array(z.string()), storage: z.string().nullable() }),
  },
  'rules.list': {
    effect: 'read',
    input: nothing,
    output: z.strictObject({ rules: z.array(ApprovalRule) }),
  },
  /** Creates a rule, or changes the one with `ruleId`. */
  'rules.put': {
    effect: 'once',
    input: z.strictObject({ ruleId: id.nullable(), rule: RuleDraft }),
    output: z.strictObject({ rule: ApprovalRule }),
  },
  /** How many of the newest calls (of any tool, at most 200) the rule would have decided. */
  'rules.try': {
    effect: 'read',
    input: z.strictObject({ rule: RuleDraft }),
    output: z.strictObject({
      decided: z.int().nonnegative(),
      of: z.int().nonnegative(),
      /** Arguments of some of these calls. */
      examples: z.array(z.string()),
    }),
  },
  'rules.delete': { effect: 'once', input: z.strictObject({ ruleId: id }), output: nothing },

  'sandbox.status': {
    effect: 'read',
    input: nothing,
    output: z.strictObject({ sandboxes: z.array(SandboxReport) }),
  },
  /** Builds the Docker image; progress arrives as `sandbox_progress` pushes. */
  'sandbox.build': { effect: 'once', input: nothing, output: nothing },
  /** Background programs of a task. If `isKnown` is false, the list may be incomplete. */
  'sandbox.programs': {
    effect: 'read',
    input: z.strictObject({ threadId: id }),
    output: z.strictObject({ programs: z.array(BackgroundProgram), isKnown: z.boolean() }),
  },
  /** Ends all background programs and the shells of the task. */
  'sandbox.endPrograms': {
    // By the time of a reconnect, the user may have started a program to keep.
    effect: 'once',
    input: z.strictObject({ threadId: id }),
    output: nothing,
  },

  /** Requested connections, newest first: of one run, or of all runs and the app itself. */
  'egress.list': {
    effect: 'read',
    input: z.strictObject({
      runId: id.optional(),
      /** Only connections before this one, for the next page. */
      beforeId: z.int().positive().optional(),
      limit: z.int().min(1).max(EGRESS_PAGE_SIZE).optional(),
    }),
    output: z.strictObject({ connections: z.array(EgressConnection) }),
  },

  /** The attached folders with their index status. */
  'library.list': { effect: 'read', input: nothing, output: LibraryState },
  /** Attaches a folder and starts to index it. `path` is absolute or starts with `~/`. */
  'library.add': { effect: 'once', input: z.strictObject({ path: folder }), output: LibraryState },
  /** Detaches a folder and deletes its index; the files are not touched. */
  'library.remove': {
    effect: 'once',
    input: z.strictObject({ path: folder }),
    output: LibraryState,
  },
  /** Scans one folder or all for changes. */
  'library.refresh': {
    effect: 'once',
    input: z.strictObject({ path: folder.optional() }),
    output: LibraryState,
  },
  /** Matching documents, best first; or those with this part of a name or title, the newest first. */
  'library.search': {
    effect: 'read',
    input: z.strictObject({
      query: z.string().min(1).max(2_000),
      by: z.literal('name').optional(),
      limit: z.int().min(1).max(LIBRARY_RESULTS).optional(),
    }),
    output: z.strictObject({ hits: z.array(LibraryHit) }),
  },

  ...FILE_REQUESTS,
  ...SNAPSHOT_REQUESTS,
} as const satisfies Readonly<Record<string, RequestDefinition>>;

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
  z.strictObject({ kind: z.literal('model_download'), download: ModelDownload }),
  z.strictObject({ kind: z.literal('data_export'), export: DataExport }),
  /** The library's index progressed, or its folders changed. */
  z.strictObject({ kind: z.literal('library_changed'), library: LibraryState }),
  /** A skill was added, changed or removed; windows reload their lists. */
  z.strictObject({ kind: z.literal('skills_changed') }),
  /** What the agent made changed, in any task; windows reload their lists. */
  z.strictObject({ kind: z.literal('artifacts_changed') }),
  /** The user changed a file of a task. */
  z.strictObject({ kind: z.literal('file_changed'), threadId: id, path: z.string() }),
  /** The browser of a task changed: its page, its tabs, or who has control. */
  z.strictObject({ kind: z.literal('browser_changed'), browser: BrowserState }),
  /** A connector was added, changed or removed, or its state or tools changed; windows reload what they show. */
  z.strictObject({ kind: z.literal('connectors_changed') }),
  /** A picture is being made. It is shown, and kept nowhere. */
  z.strictObject({ kind: z.literal('image_progress'), progress: ImageProgressNotice }),
  /** The app of a task changed: its server, or its preview. */
  z.strictObject({ kind: z.literal('app_changed'), app: TaskApp }),
  /** A picture of a page, only to windows that watch it. It is drawn, and kept nowhere. */
  z.strictObject({ kind: z.literal('browser_frame'), frame: BrowserFrame }),
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
