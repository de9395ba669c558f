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

/** One window, whatever carries its messages. */
export interface Client {
  readonly id: string;
  /** Aborts when the window is gone. */
  readonly closed: AbortSignal;
  /** Sends at once; never throws. */
  send(message: PushMessage): void;
  /** True while what was sent piles up on the way. Then nothing more is sent until `onDrain`. */
  isCongested(): boolean;
  /** Calls back each time the way is clear again. */
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
  /** Asks the run to stop; returns before it has. Harmless when it ended already. */
  cancel(runId: string): void | Promise<void>;
  /** Stops at the next step, for a while. */
  pause(runId: string): void;
  /** Lets a run that rests go on. Throws `CONFLICT` where it ended or is at work. */
  resume(runId: string): Run;
  /** The last step of a failed run again, as a run of its own. */
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
  /** Whether this process works on it. */
  isActive(runId: string): boolean;
  /** All runs, newest first. */
  list(): Run[];
  /** A page of the log after `afterSeq`, oldest first. */
  events(runId: string, afterSeq: number, limit: number): readonly RunEvent[];
  /** Hears of each event of the run from now on, once it is on disk, in order. */
  listen(runId: string, listener: RunEventListener): Dispose;
  /** The run once it ended or was parked; everything it said is on disk and was published. */
  settled(runId: string): Promise<Run>;
}

export interface ThreadApi {
  /** Newest first; `search` matches titles. */
  list(search?: string): Thread[];
  get(threadId: string): { thread: Thread; messages: Message[]; runs: Run[] };
  rename(threadId: string, title: string): Thread;
  /** Deletes the task with its runs and workspace. Throws `CONFLICT` while a run is going on. */
  remove(threadId: string): Promise<void>;
}

export interface SnapshotApi {
  /** Newest first. */
  list(threadId: string): Snapshot[];
  /** Throws `CONFLICT` while a run of the task is at work. */
  restore(threadId: string, snapshotId: string): Promise<RequestOutput<'snapshots.restore'>>;
}

/** Plans of runs, as people look at them and change them. */
export interface PlanApi {
  /** Null for a run that has none. Throws `NOT_FOUND`. */
  get(runId: string): Plan | null;
  /** Throws `NOT_FOUND`, `CONFLICT`, `BAD_REQUEST`. */
  edit(runId: string, revision: number, steps: readonly PlanDraftStep[]): Plan;
}

/** Reports of runs, as files. */
export interface ReportApi {
  /** Throws `NOT_FOUND`, and `BAD_REQUEST` where no font can draw it. */
  export(input: RequestInput<'reports.export'>): Promise<{
    readonly fileName: string;
    readonly mimeType: string;
    readonly data: Buffer;
  }>;
}

export interface AttachmentApi {
  /** Takes a file in until a run uses it. Throws `ATTACHMENT_TOO_LARGE`. */
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
  /** How they are kept, in words for the person; null where none can be. */
  readonly storage: string | null;
}

/** The person's own folders, found by what is in them. */
export interface LibraryApi {
  list(): LibraryState;
  /** Attaches a folder and starts to index it. Throws `BAD_REQUEST`, `LIBRARY_UNREADABLE`. */
  add(path: string): Promise<LibraryState>;
  /** Throws `NOT_FOUND`. */
  remove(path: string): LibraryState;
  /** Looks for what changed, in one folder or in all. Throws `NOT_FOUND`. */
  refresh(path?: string): LibraryState;
  /** Best first. */
  find(
    query: string,
    options: { readonly limit?: number | undefined; readonly signal: AbortSignal },
  ): Promise<LibraryHit[]>;
  /** Once the index is up to date. */
  settled(): Promise<void>;
}

/** The list of connections. */
export interface EgressApi {
  /** Newest first, at most a page. */
  list(filter: RequestInput<'egress.list'>): EgressConnection[];
}

export interface RuleApi {
  list(): ApprovalRule[];
  /** Makes a rule, or changes one. Throws `BAD_REQUEST`, `NOT_FOUND`. */
  put(rule: RuleDraft, ruleId: string | null): ApprovalRule;
  try(rule: RuleDraft): RequestOutput<'rules.try'>;
  delete(ruleId: string): void;
}

/** What the catalogue says of a tool, for `tools list`. */
export interface ToolSummary {
  readonly name: string;
  readonly category: string;
  readonly description: string;
  /** `varies` where it depends on the arguments. */
  readonly risk: string;
  readonly effect: string;
  readonly parameters: Readonly<Record<string, unknown>>;
}

/** Everything that doors and handlers need of the app behind them. */
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
  /** Writes all of a run to a file. Throws `NOT_FOUND`, `BAD_REQUEST`, `DISK_FULL`. */
  readonly exportRun: (runId: string, file: string) => Promise<void>;
}

/** News for every window. Of two about one thing only the later one is sure to arrive. */
export type Notice = Exclude<PushMessage, { kind: 'events' }>;
export type Broadcast = (notice: Notice) => void;

export interface ComposeOptions {
  readonly dataDir: string;
  readonly entryPoint: 'desktop' | 'browser' | 'terminal';
  /** Whether somebody can answer questions here; if not, a question parks its run at once. */
  readonly attended: boolean;
  /** Only looks at what is stored, and so may run beside a process that works on the same folder. */
  readonly readOnly: boolean;
  /** Works on the folder of another process: answers questions, and starts nothing. */
  readonly secondary?: boolean;
  /** Where the log also goes besides its file; null for nowhere. */
  readonly logTo: NodeJS.WritableStream | null;
  /** Seals keys; null where the platform offers no real seal. */
  readonly seal: SecretSeal | null;
  readonly modelOverrides?: { readonly baseUrl?: string; readonly apiKey?: string };
  /** The process is the app's own: one whose main thread stands for good is ended, so that runs go on. */
  readonly ownsProcess?: boolean;
  /** Starts the process of an embedded model, where it is not done as Node does. */
  readonly startHost?: StartHostProcess;
}

/** The app without an entry point. Disposing stops runs where they can go on later, and lets go of everything. */
export interface App extends AsyncDisposable {
  readonly services: AppServices;
  readonly logger: Logger;
  /** Windows hear what is broadcast here. */
  onBroadcast(listener: Broadcast): Dispose;
  /** Tells a second process where this one can be reached; give no token. */
  announce(address: string): void;
  /** From now on `secret` is taken out of everything that is stored, shown and sent on. */
  keepSecret(secret: string): void;
}

/** What `compose.ts` exports. Throws `DATA_DIR_…`, `DATABASE_…`. */
export type Compose = (options: ComposeOptions) => Promise<App>;
