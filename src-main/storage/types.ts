import type { EgressConnection } from '#contract/egress.ts';
import type {
  ApprovalRule,
  Message,
  ModelRef,
  ProbeResult,
  RuleDraft,
  Run,
  Thread,
} from '#contract/entities.ts';
import type { AppError, ErrorCode } from '#contract/errors.ts';
import type { InterruptResponse } from '#contract/events/hitl.ts';
import type { RunEvent, RunEventOf } from '#contract/events/run-event.ts';
import type { ModelProfile } from '#contract/models.ts';
import type { Settings } from '#contract/settings.ts';
import type { PolicyLevel, RunStatus, SandboxKind } from '#contract/vocabulary.ts';
import type { Snapshot } from '#contract/workspace.ts';
import type { StepPath } from '../base/step-path.ts';

/**
 * What the stores promise, with separate interfaces for reading and writing: code that only reads (`runs
 * list`, an export, a window) cannot change anything. Everything is synchronous and throws `DISK_FULL`,
 * `STORAGE_FAILED`.
 */

export interface ThreadReader {
  /** Throws `NOT_FOUND`. */
  get(threadId: string): Thread;
  /** Most recently updated first. `search` matches titles, ignoring case and width. */
  list(search?: string): Thread[];
}

export interface ThreadWriter extends ThreadReader {
  insert(thread: { readonly id: string; readonly title: string; readonly createdAt: number }): void;
  /** Throws `NOT_FOUND`. The task keeps its place in the list. */
  rename(threadId: string, title: string): Thread;
  /** Pins or archives it since `at`; null takes that back. Throws `NOT_FOUND`. */
  mark(threadId: string, mark: 'pinned' | 'archived', at: number | null): Thread;
  /** Chooses the approval level of a task; null leaves it to the settings. Throws `NOT_FOUND`. */
  setLevel(threadId: string, level: PolicyLevel | null): Thread;
  /** Something happened in the task: it moves to the front of the list. */
  touch(threadId: string, at: number): void;
  /** Deletes the task with its messages, transcript, runs and events. Throws `NOT_FOUND`. */
  delete(threadId: string): void;
}

export interface RunReader {
  /** Throws `NOT_FOUND`. */
  get(runId: string): Run;
  /** Newest first. */
  list(): Run[];
  /** Oldest first. */
  listOfThread(threadId: string): Run[];
}

/** How a run ended; `error` is set if and only if it has no answer. */
export interface RunEnd {
  readonly status: Extract<RunStatus, 'completed' | 'unverified' | 'failed' | 'cancelled'>;
  readonly endedAt: number;
  readonly error: { readonly code: ErrorCode; readonly message: string } | null;
}

export interface RunWriter extends RunReader {
  /** `endedAt` and `error` are set for a run that ended elsewhere: an import. */
  insert(run: Omit<Run, 'lastSeq'>): void;
  /** `why` is set for a run that waits because something failed. */
  setStatus(
    runId: string,
    status: 'queued' | 'running' | 'waiting' | 'paused',
    why?: Run['error'],
  ): void;
  end(runId: string, end: RunEnd): void;
  /** Runs without an end, oldest first. */
  unfinished(): Run[];
}

export interface EventReader {
  /** At most `limit` events after `afterSeq`, oldest first. */
  page(runId: string, afterSeq: number, limit: number): RunEvent[];
  /** The newest calls of all runs, newest first. */
  newestToolCalls(limit: number): RunEventOf<'tool_call'>[];
  /** Where the browser of a run was after its last action; null for none. */
  newestPage(runId: string): string | null;
  /** 0 for a run without events. */
  lastSeq(runId: string): number;
}

export interface EventWriter extends EventReader {
  /** All of them or none. */
  append(events: readonly RunEvent[]): void;
}

export interface MessageReader {
  /** Oldest first. */
  listOfThread(threadId: string): Message[];
  listOfRun(runId: string): Message[];
}

export interface MessageWriter extends MessageReader {
  insert(message: Message): void;
}

/** Settings that the policy of this computer sets. */
export interface ManagedSettings {
  /** They hold, whatever is stored. */
  readonly locked: Partial<Settings>;
  /** They hold until the user stores something else. */
  readonly defaults: Partial<Settings>;
  /** `MANAGED`: this setting is locked. */
  refusal(name: string): AppError;
}

export interface SettingsStore {
  get(): Settings;
  /** Changes the given fields. Throws `BAD_REQUEST` for an unknown field or an invalid value, `MANAGED` for a locked one. */
  update(changes: Readonly<Record<string, unknown>>): Settings;
}

export interface RuleStore {
  /** Newest first. */
  list(): ApprovalRule[];
  /**
   * Creates a rule, or changes the one with `ruleId`. Replaces another rule for the same calls. Throws
   * `NOT_FOUND`.
   */
  put(rule: RuleDraft, ruleId?: string | null): ApprovalRule;
  /** Throws `NOT_FOUND`. */
  delete(ruleId: string): void;
}

/** The untrusted sources (attached files, pages) that a task has read. */
export interface TaintStore {
  sources(threadId: string): string[];
  add(threadId: string, source: string): void;
}

/** A passed isolation check; it must be repeated when the fingerprint changes. */
export interface SandboxProof {
  readonly kind: SandboxKind;
  readonly fingerprint: string;
  readonly probes: readonly ProbeResult[];
  readonly at: number;
}

export interface ProofStore {
  get(kind: SandboxProof['kind']): SandboxProof | null;
  put(proof: SandboxProof): void;
  /** Forgets the proof, so that isolation is checked again. */
  delete(kind: SandboxProof['kind']): void;
}

/** What is known about models, by provider and name. */
export interface ProfileStore {
  get(model: ModelRef): ModelProfile | null;
  list(): ModelProfile[];
  put(profile: ModelProfile): void;
  delete(model: ModelRef): void;
}

/** A summary of the first `covers` messages of a transcript. */
export interface ContextSummary {
  readonly covers: number;
  readonly summary: string;
}

export interface SummaryStore {
  /** The one that covers the most messages; null if there is none yet. */
  latest(threadId: string): ContextSummary | null;
  put(threadId: string, summary: ContextSummary): void;
}

/**
 * What an entry of the journal says. The conversation of a run is its `turn`, `round` and `message` entries.
 *
 * - `turn`: the message that a run begins with.
 * - `answer`: what a model answered, before any of its calls runs.
 * - `round`: an answer and the results of its calls, which stand below it, are part of the conversation.
 * - `message`: another message of the conversation.
 * - `intent`: an effect is about to happen. `result`: what a call gave. `output`: the same, as versions of the
 *   app before the journal stored it.
 * - `work`: a piece of work of a skill. `branch`: a hand-over, by its call.
 * - `sources`: the first number of a branch's sources. `page`: the text of a source.
 * - `found`: what calls of the executor found, in the order of their numbers.
 * - `route`: what a model said about a task whose words leave its route open.
 * - `plan`, `research`, `opinions`: where the work is now; these and `found` are the only kinds that are replaced.
 * - `stop`: the user stopped the run at a checkpoint, and no more calls run in it.
 * - `checkpoint`, `channel`, `write`: what LangGraph stores.
 */
export const JOURNAL_KINDS = [
  'turn',
  'answer',
  'round',
  'message',
  'intent',
  'result',
  'output',
  'work',
  'branch',
  'sources',
  'page',
  'found',
  'route',
  'plan',
  'research',
  'opinions',
  'stop',
  'instructions',
  'checkpoint',
  'channel',
  'write',
] as const;
export type JournalKind = (typeof JOURNAL_KINDS)[number];

export interface JournalEntry {
  readonly runId: string;
  readonly step: StepPath;
  readonly kind: JournalKind;
  /** Tells apart entries of one kind at a step: the hash of a call's arguments, of a page's address. */
  readonly hash: string;
  /** JSON; the reader checks it. */
  readonly payload: unknown;
}

export type NewEntry = Omit<JournalEntry, 'runId' | 'hash'> & { readonly hash?: string };

/**
 * What runs have done, in the order in which it was done: everything that a run needs to go on after its
 * process ended, and each fact once. Events are the log of what was shown.
 */
export interface RunJournal {
  /** The entries at a step, oldest first; only those with `hash` if it is given. */
  at(runId: string, step: StepPath, hash?: string): JournalEntry[];
  newest(runId: string, step: StepPath, kind: JournalKind): JournalEntry | null;
  /** Oldest first. */
  list(runId: string, kind: JournalKind): JournalEntry[];
  /** The conversation of a task, over all its runs, oldest first. */
  conversation(threadId: string): JournalEntry[];
  /** The greatest number of a source in the logs of a task; 0 if it has none. */
  lastSourceNumber(threadId: string): number;
  append(runId: string, entry: NewEntry): void;
  /** Appends in place of entries of the same kind and hash at the same step. */
  put(runId: string, entry: NewEntry): void;
}

/** A question to the user, and their answer once there is one. */
export interface StoredInterrupt<Question> {
  readonly id: string;
  readonly runId: string;
  readonly subject: string;
  readonly question: Question;
  readonly askedAt: number;
  readonly response: InterruptResponse | null;
}

export interface InterruptStore<Question> {
  /** The question of a run about this subject, asked now or before a crash. */
  find(runId: string, subject: string): StoredInterrupt<Question> | null;
  get(id: string): StoredInterrupt<Question> | null;
  /** Unanswered questions of a run, oldest first. */
  openOf(runId: string): StoredInterrupt<Question>[];
  /** Unanswered questions of all unfinished runs, oldest first. */
  open(): StoredInterrupt<Question>[];
  put(interrupt: Pick<StoredInterrupt<Question>, 'id' | 'runId' | 'subject' | 'question'>): void;
  /** Returns whether this was the first answer; a later one changes nothing. */
  answer(id: string, response: InterruptResponse, by: 'person' | 'rule' | 'policy'): boolean;
}

/** Does `work` in a transaction, which is on disk when this returns; `isResult` if it stores a step's result. */
export type CommitStep = (
  threadId: string,
  work: () => void,
  about: { readonly isResult: boolean },
) => void;

/** Copies what a run stored to another run, which must already exist. */
export interface RunCopier {
  events(copy: { readonly from: string; readonly to: string; readonly upToSeq: number }): void;
  /** Entries of a conversation, with the answers and results that they stand for. */
  conversation(copy: {
    readonly from: string;
    readonly to: string;
    readonly entries: readonly Pick<JournalEntry, 'step' | 'kind'>[];
  }): void;
  taint(fromThreadId: string, toThreadId: string): void;
  /** The user's own folder in a task, which the copy then has too. */
  folder(fromThreadId: string, toThreadId: string): void;
}

/** The log of network connections, which outlives runs and tasks. */
export interface EgressStore {
  /** On disk when it returns: a connection is recorded before anything leaves. */
  begin(
    line: Pick<
      EgressConnection,
      'runId' | 'actor' | 'host' | 'port' | 'address' | 'verdict' | 'reason'
    >,
  ): EgressConnection;
  finish(connection: EgressConnection): void;
  /** Newest first, at most a page. */
  list(filter: {
    readonly runId?: string | undefined;
    readonly beforeId?: number | undefined;
    readonly limit?: number | undefined;
  }): EgressConnection[];
}

/** A snapshot as it is stored. Equal manifests have equal hashes; the caller packs them. */
export interface StoredSnapshot extends Snapshot {
  readonly manifestSha256: string;
  /** The same without folders of tools, such as `node_modules`; null where it was stored before there was one. */
  readonly ownSha256: string | null;
}

/** Snapshots of workspaces, deleted with their task. The contents of the files are stored elsewhere. */
export interface SnapshotStore {
  put(snapshot: StoredSnapshot, manifest: Uint8Array): void;
  /** Newest first. */
  list(threadId: string): StoredSnapshot[];
  /** Throws `NOT_FOUND`, also for a snapshot of another task. */
  get(threadId: string, snapshotId: string): StoredSnapshot;
  newest(threadId: string): StoredSnapshot | null;
  /** Says whether the newest one has all that the model did to the files. Initially it has not. */
  setComplete(threadId: string, isComplete: boolean): void;
  isComplete(threadId: string): boolean;
  /** The state of a task's files at event `seq` of its run, as far as it is known. */
  atStep(step: {
    readonly threadId: string;
    readonly runId: string;
    readonly seq: number;
  }): StoredSnapshot | null;
  manifest(snapshotId: string): Uint8Array;
  /** Seq of the last tool result in the run's log, which ends a step; 0 if there is none yet. */
  lastStep(runId: string): number;
  /** Of all tasks. */
  ids(): string[];
  /**
   * Removes those taken before `before`, except the newest of each task with an unfinished run, unless `all`.
   * Returns how many.
   */
  expire(options: { readonly before: number; readonly all: boolean }): number;
}
