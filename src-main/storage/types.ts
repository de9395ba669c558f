import type { EgressConnection } from '#contract/egress.ts';
import type {
  ApprovalRule,
  Message,
  ModelRef,
  ProbeResult,
  RuleDraft,
  Run,
  Settings,
  Snapshot,
  Thread,
} from '#contract/entities.ts';
import type { ErrorCode } from '#contract/errors.ts';
import type { InterruptResponse } from '#contract/events/hitl.ts';
import type { RunEvent, RunEventOf } from '#contract/events/run-event.ts';
import type { ModelProfile } from '#contract/models.ts';
import type { RunStatus, SandboxKind, ToolEffect } from '#contract/vocabulary.ts';

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

/** The messages of a thread as models see them; the caller validates `Item`. */
export interface TranscriptStore<Item> {
  /** Oldest first. */
  list(threadId: string): Item[];
  append(threadId: string, runId: string, items: readonly Item[]): void;
  /** The messages before a run, and those that the run itself has added so far. */
  split(threadId: string, runId: string): { readonly before: Item[]; readonly own: Item[] };
}

export interface SettingsStore {
  get(): Settings;
  /** Changes the given fields. Throws `BAD_REQUEST` for an unknown field or an invalid value. */
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

/** Identifies an effect across restarts: the same call of the same answer, repeated after a crash, has the same key. */
export interface LedgerKey {
  readonly runId: string;
  readonly round: number;
  readonly callIndex: number;
  readonly argumentsSha256: string;
}

/** What is known about an effect: that it was about to happen, or that it happened, with its output. */
export type LedgerEntry =
  | { readonly state: 'intended'; readonly before: unknown; readonly attempts: number }
  | { readonly state: 'done'; readonly output: unknown };

export interface LedgerStore {
  /** Null if the effect was never intended. */
  find(key: LedgerKey): LedgerEntry | null;
  /** Call it before the effect begins. It is on disk when this returns. */
  intend(
    key: LedgerKey,
    call: { readonly toolName: string; readonly effect: ToolEffect; readonly before: unknown },
  ): void;
  /** On disk when it returns. `output` is JSON. */
  finish(key: LedgerKey, output: unknown): void;
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

/** A run, by its own id and its task's id. */
export interface RunPlace {
  readonly threadId: string;
  readonly runId: string;
}

/** Copies what a run stored to another run, which must already exist. */
export interface RunCopier {
  events(copy: { readonly from: string; readonly to: string; readonly upToSeq: number }): void;
  /** The first `items` messages of the run's own part. */
  transcript(copy: {
    readonly from: RunPlace;
    readonly to: RunPlace;
    readonly items: number;
  }): void;
  taint(fromThreadId: string, toThreadId: string): void;
}

/** Model answers of unfinished rounds: JSON, validated by the caller. */
export interface AnswerStore {
  /** Null if there is none. */
  find(runId: string, round: number): unknown;
  put(runId: string, round: number, answer: unknown): void;
}

/** The state of a run's plan, research and other parts outside its rounds. JSON, kept after the run ends. */
export interface RunStateStore {
  /** Null if there is none. */
  find(runId: string, part: string): unknown;
  /** The names of all stored parts. */
  parts(runId: string): string[];
  put(runId: string, part: string, state: unknown): void;
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
}

/** Snapshots of workspaces, deleted with their task. The contents of the files are stored elsewhere. */
export interface SnapshotStore {
  put(snapshot: StoredSnapshot, manifest: Uint8Array): void;
  /** Newest first. */
  list(threadId: string): StoredSnapshot[];
  /** Throws `NOT_FOUND`, also for a snapshot of another task. */
  get(threadId: string, snapshotId: string): StoredSnapshot;
  newest(threadId: string): StoredSnapshot | null;
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
