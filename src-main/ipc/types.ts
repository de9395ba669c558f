import type { EgressConnection } from '#contract/egress.ts';
import type {
  ApprovalRule,
  Message,
  RuleDraft,
  Run,
  Settings,
  SetupReport,
  Snapshot,
  Thread,
} from '#contract/entities.ts';
import type { InterruptResponse, WaitingQuestion } from '#contract/events/hitl.ts';
import type { RunEvent } from '#contract/events/run-event.ts';
import type { LibraryHit, LibraryState } from '#contract/library.ts';
import type { Plan, PlanDraftStep } from '#contract/plans.ts';
import type { PushMessage, RequestInput, RequestName, RequestOutput } from '#contract/requests.ts';
import type { Dispose } from '../base/disposable.ts';
import type { Logger } from '../base/logger.ts';
import type { StartHostProcess } from '../models/embedded/host-process.ts';
import type { ModelApi } from '../models/types.ts';
import type { RunEventListener } from '../run/types.ts';
import type { SandboxService } from '../sandbox/types.ts';
import type { SearchApi } from '../search/search-api.ts';
import type { SkillApi } from '../skills/skill-api.ts';
import type { SecretSeal } from '../storage/secret-store.ts';

/** One window, whatever its transport. */
export interface Client {
  readonly id: string;
  /** Aborts when the window is gone. */
  readonly closed: AbortSignal;
  /** Sends at once; never throws. */
  send(message: PushMessage): void;
  /** True while sent messages pile up. Then nothing more is sent until `onDrain`. */
  isCongested(): boolean;
  /** Calls back each time the congestion ends. */
  onDrain(listener: () => void): Dispose;
}

/** One handler for each request of the contract. Inputs are parsed; failures are thrown. */
export type RequestHandlers = {
  readonly [Name in RequestName]: (
    input: RequestInput<Name>,
    client: Client,
  ) => RequestOutput<Name> | Promise<RequestOutput<Name>>;
};

/** Runs: their control, their state, their log. Unknown ids throw `NOT_FOUND`. */
export interface RunApi {
  start(input: RequestInput<'runs.start'>): Promise<RequestOutput<'runs.start'>>;
  /** Asks the run to stop; returns before it has stopped. Does nothing if it already ended. */
  cancel(runId: string): void | Promise<void>;
  /** Pauses at the next step. */
  pause(runId: string): void;
  /** Resumes a paused or parked run. Throws `CONFLICT` if it ended or is running. */
  resume(runId: string): Run;
  /** Repeats the last step of a failed run, as a new run. */
  retry(runId: string): Run;
  fork(runId: string, seq: number): Promise<RequestOutput<'runs.fork'>>;
  edit(runId: string, prompt: string): Promise<RequestOutput<'runs.edit'>>;
  /** Throws `ALREADY_ANSWERED`, `APPROVAL_MISMATCH`, `BAD_REQUEST`, `CONFLICT`. */
  respond(runId: string, interruptId: string, response: InterruptResponse): void | Promise<void>;
  review(runId: string, interruptId: string, argumentsText: string): RequestOutput<'runs.review'>;
  /** Every question without an answer, oldest first. */
  waiting(): WaitingQuestion[];
  exportText(runId: string): RequestOutput<'runs.export'>;
  importText(text: string): Promise<RequestOutput<'runs.import'>>;
  get(runId: string): Run;
  /** Whether this process runs it. */
  isActive(runId: string): boolean;
  /** All runs, newest first. */
  list(): Run[];
  /** A page of the log after `afterSeq`, oldest first. */
  events(runId: string, afterSeq: number, limit: number): readonly RunEvent[];
  /** Receives each new event of the run in order, once it is on disk. */
  listen(runId: string, listener: RunEventListener): Dispose;
  /** Resolves once the run ends or parks, with all its events on disk and published. */
  settled(runId: string): Promise<Run>;
}

export interface ThreadApi {
  /** Newest first; `search` matches titles. */
  list(search?: string): Thread[];
  get(threadId: string): { thread: Thread; messages: Message[]; runs: Run[] };
  rename(threadId: string, title: string): Thread;
  /** Deletes the task with its runs and workspace. Throws `CONFLICT` while one of its runs is active. */
  remove(threadId: string): Promise<void>;
}

export interface SnapshotApi {
  /** Newest first. */
  list(threadId: string): Snapshot[];
  /** Throws `CONFLICT` while a run of the task is active. */
  restore(threadId: string, snapshotId: string): Promise<RequestOutput<'snapshots.restore'>>;
}

/** Plans of runs, for users to view and edit. */
export interface PlanApi {
  /** Null for a run that has none. Throws `NOT_FOUND`. */
  get(runId: string): Plan | null;
  /** Throws `NOT_FOUND`, `CONFLICT`, `BAD_REQUEST`. */
  edit(runId: string, revision: number, steps: readonly PlanDraftStep[]): Plan;
}

/** Reports of runs, as files. */
export interface ReportApi {
  /** Throws `NOT_FOUND`, or `BAD_REQUEST` if no font can render the text. */
  export(input: RequestInput<'reports.export'>): Promise<{
    readonly fileName: string;
    readonly mimeType: string;
    readonly data: Buffer;
  }>;
}

export interface AttachmentApi {
  /** Stores a file until a run uses it. Throws `ATTACHMENT_TOO_LARGE`. */
  add(name: string, data: Uint8Array): Promise<RequestOutput<'attachments.add'>>;
}

export interface SettingsApi {
  get(): Settings;
  /** Throws `BAD_REQUEST` for an unknown field or a value that does not fit. */
  update(changes: Readonly<Record<string, unknown>>): Settings;
}

export interface SecretApi {
  set(name: string, value: string): void;
  delete(name: string): void;
  names(): string[];
  /** Where secrets are stored, as text for the user; null if they cannot be stored. */
  readonly storage: string | null;
}

/** Search in the user's own folders. */
export interface LibraryApi {
  list(): LibraryState;
  /** Attaches a folder and starts to index it. Throws `BAD_REQUEST`, `LIBRARY_UNREADABLE`. */
  add(path: string): Promise<LibraryState>;
  /** Throws `NOT_FOUND`. */
  remove(path: string): LibraryState;
  /** Scans one folder or all for changes. Throws `NOT_FOUND`. */
  refresh(path?: string): LibraryState;
  /** Best first. */
  find(
    query: string,
    options: { readonly limit?: number | undefined; readonly signal: AbortSignal },
  ): Promise<LibraryHit[]>;
  /** Resolves once the index is up to date. */
  settled(): Promise<void>;
}

/** The recorded network connections. */
export interface EgressApi {
  /** Newest first, at most a page. */
  list(filter: RequestInput<'egress.list'>): EgressConnection[];
}

export interface RuleApi {
  list(): ApprovalRule[];
  /** Creates or changes a rule. Throws `BAD_REQUEST`, `NOT_FOUND`. */
  put(rule: RuleDraft, ruleId: string | null): ApprovalRule;
  try(rule: RuleDraft): RequestOutput<'rules.try'>;
  delete(ruleId: string): void;
}

/** A tool of the catalogue, for `tools list`. */
export interface ToolSummary {
  readonly name: string;
  readonly category: string;
  readonly description: string;
  /** `varies` if it depends on the arguments. */
  readonly risk: string;
  readonly effect: string;
  readonly parameters: Readonly<Record<string, unknown>>;
}

/** The services that entry points and handlers use. */
export interface AppServices {
  readonly info: RequestOutput<'app.info'>;
  readonly runs: RunApi;
  readonly threads: ThreadApi;
  readonly plans: PlanApi;
  readonly reports: ReportApi;
  readonly attachments: AttachmentApi;
  readonly snapshots: SnapshotApi;
  readonly settings: SettingsApi;
  readonly secrets: SecretApi;
  readonly egress: EgressApi;
  readonly rules: RuleApi;
  readonly search: SearchApi;
  readonly skills: SkillApi;
  readonly library: LibraryApi;
  readonly models: ModelApi;
  readonly sandbox: Pick<
    SandboxService,
    'report' | 'prepare' | 'forTask' | 'programs' | 'endPrograms'
  >;
  readonly setupCheck: (signal: AbortSignal) => Promise<SetupReport>;
  readonly tools: () => ToolSummary[];
  /** Writes a whole run to a file. Throws `NOT_FOUND`, `BAD_REQUEST`, `DISK_FULL`. */
  readonly exportRun: (runId: string, file: string) => Promise<void>;
}

/** A message for every window. Of two notices about the same subject only the later one is guaranteed to arrive. */
export type Notice = Exclude<PushMessage, { kind: 'events' }>;
export type Broadcast = (notice: Notice) => void;

export interface ComposeOptions {
  readonly dataDir: string;
  readonly entryPoint: 'desktop' | 'browser' | 'terminal';
  /** Whether a user can answer questions here; if not, a question parks its run immediately. */
  readonly attended: boolean;
  /** Only reads stored data, so it may run next to a process that uses the same folder. */
  readonly readOnly: boolean;
  /** Attaches to the folder of another process: answers questions and starts nothing. */
  readonly secondary?: boolean;
  /** Encrypts stored keys; null if the platform has no real keychain. */
  readonly seal: SecretSeal | null;
  readonly modelOverrides?: { readonly baseUrl?: string; readonly apiKey?: string };
  /** The process belongs to the app: if its main thread hangs for good it is killed, so that runs can resume. */
  readonly ownsProcess?: boolean;
  /** Starts the process of an embedded model, if not with Node's `fork`. */
  readonly startHost?: StartHostProcess;
}

/** The app without an entry point. Disposing stops runs at a point where they can resume, and releases everything. */
export interface App extends AsyncDisposable {
  readonly services: AppServices;
  readonly logger: Logger;
  /** Receives what is broadcast to windows. */
  onBroadcast(listener: Broadcast): Dispose;
  /** Publishes the address of this process to later ones. It must not contain a token. */
  announce(address: string): void;
  /** Redacts `secret` from everything that is stored, shown or sent from now on. */
  keepSecret(secret: string): void;
}

/** What `compose.ts` exports. Throws `DATA_DIR_…`, `DATABASE_…`. */
export type Compose = (options: ComposeOptions) => Promise<App>;
