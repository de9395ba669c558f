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
 * What the stores promise, reading apart from writing: who only looks (`runs list`, an export, a
 * window) cannot change anything. All of it is synchronous and throws `DISK_FULL`, `STORAGE_FAILED`.
 */

export interface ThreadReader {
  /** Throws `NOT_FOUND`. */
  get(threadId: string): Thread;
  /** Newest work first. `search` is looked for in titles, without regard to case or width. */
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

/** How a run is over; `error` is there exactly when it has no answer. */
export interface RunEnd {
  readonly status: Extract<RunStatus, 'completed' | 'unverified' | 'failed' | 'cancelled'>;
  readonly endedAt: number;
  readonly error: { readonly code: ErrorCode; readonly message: string } | null;
}

export interface RunWriter extends RunReader {
  /** `endedAt` and `error` are there for a run that ended elsewhere: an import. */
  insert(run: Omit<Run, 'lastSeq'>): void;
  /** `why` is there for a run that waits because of something that failed. */
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
  /** 0 for a run that said nothing yet. */
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

/** The messages of a thread as models see them; `Item` is checked by whoever put it in. */
export interface TranscriptStore<Item> {
  /** Oldest first. */
  list(threadId: string): Item[];
  append(threadId: string, runId: string, items: readonly Item[]): void;
  /** What was there before a run, and what the run itself added so far. */
  split(threadId: string, runId: string): { readonly before: Item[]; readonly own: Item[] };
}

export interface SettingsStore {
  get(): Settings;
  /** Changes the given fields. Throws `BAD_REQUEST` for one that does not exist or does not fit. */
  update(changes: Readonly<Record<string, unknown>>): Settings;
}

export interface RuleStore {
  /** Newest first. */
  list(): ApprovalRule[];
  /**
   * Makes a rule, or changes the one with `ruleId`; another that covers the same is replaced. Throws
   * `NOT_FOUND`.
   */
  put(rule: RuleDraft, ruleId?: string | null): ApprovalRule;
  /** Throws `NOT_FOUND`. */
  delete(ruleId: string): void;
}

/** What of other parties (attached files, pages) came into a task. */
export interface TaintStore {
  sources(threadId: string): string[];
  add(threadId: string, source: string): void;
}

/** That a sandbox held, and what would have to change for that to be in doubt. */
export interface SandboxProof {
  readonly kind: SandboxKind;
  readonly fingerprint: string;
  readonly probes: readonly ProbeResult[];
  readonly at: number;
}

export interface ProofStore {
  get(kind: SandboxProof['kind']): SandboxProof | null;
  put(proof: SandboxProof): void;
  /** Forgets the proof, so that the wall is probed again. */
  delete(kind: SandboxProof['kind']): void;
}

/** What was learnt of models, by provider and name. */
export interface ProfileStore {
  get(model: ModelRef): ModelProfile | null;
  list(): ModelProfile[];
  put(profile: ModelProfile): void;
  delete(model: ModelRef): void;
}

/** What the first `covers` messages of a transcript were summed up to. */
export interface ContextSummary {
  readonly covers: number;
  readonly summary: string;
}

export interface SummaryStore {
  /** The one that covers most; null while there is none. */
  latest(threadId: string): ContextSummary | null;
  put(threadId: string, summary: ContextSummary): void;
}

/** Names an effect for good: the same call of the same answer, made again after a crash, is the same. */
export interface LedgerKey {
  readonly runId: string;
  readonly round: number;
  readonly callIndex: number;
  readonly argumentsSha256: string;
}

/** What is known of an effect: that it was about to happen, or that it happened and what it gave. */
export type LedgerEntry =
  | { readonly state: 'intended'; readonly before: unknown; readonly attempts: number }
  | { readonly state: 'done'; readonly output: unknown };

export interface LedgerStore {
  /** Null: it was never about to happen. */
  find(key: LedgerKey): LedgerEntry | null;
  /** On disk when it returns, before the effect begins. */
  intend(
    key: LedgerKey,
    call: { readonly toolName: string; readonly effect: ToolEffect; readonly before: unknown },
  ): void;
  /** On disk when it returns. `output` is JSON. */
  finish(key: LedgerKey, output: unknown): void;
}

/** A question to the person, and their answer once there is one. */
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
  /** Without an answer, oldest first. */
  openOf(runId: string): StoredInterrupt<Question>[];
  /** Of all runs that have no end, without an answer, oldest first. */
  open(): StoredInterrupt<Question>[];
  put(interrupt: Pick<StoredInterrupt<Question>, 'id' | 'runId' | 'subject' | 'question'>): void;
  /** Whether this was the first answer; a later one changes nothing. */
  answer(id: string, response: InterruptResponse, by: 'person' | 'rule' | 'policy'): boolean;
}

/** Does `work` in a transaction, on disk when it returns; `isResult` where it stores what a step gave. */
export type CommitStep = (
  threadId: string,
  work: () => void,
  about: { readonly isResult: boolean },
) => void;

/** A run by its own id and its task's. */
export interface RunPlace {
  readonly threadId: string;
  readonly runId: string;
}

/** Copies what a run left to another that has a row already. */
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

/** What models answered in rounds that are not done yet: JSON, checked by whoever put it in. */
export interface AnswerStore {
  /** Null: there is none. */
  find(runId: string, round: number): unknown;
  put(runId: string, round: number, answer: unknown): void;
}

/** How far the parts of a run are that are no rounds: its plan, its research. JSON, kept after its end. */
export interface RunStateStore {
  /** Null: there is none. */
  find(runId: string, part: string): unknown;
  /** Names of the parts that there are. */
  parts(runId: string): string[];
  put(runId: string, part: string, state: unknown): void;
}

/** The list of connections, which outlives runs and tasks. */
export interface EgressStore {
  /** On disk when it returns: what leaves is known before it leaves. */
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

/** A snapshot as it is stored. `manifest` is packed by whoever took it; equal ones have equal hashes. */
export interface StoredSnapshot extends Snapshot {
  readonly manifestSha256: string;
}

/** Snapshots of workspaces; the contents of their files lie elsewhere. They go with their task. */
export interface SnapshotStore {
  put(snapshot: StoredSnapshot, manifest: Uint8Array): void;
  /** Newest first. */
  list(threadId: string): StoredSnapshot[];
  /** Throws `NOT_FOUND`, for one of another task too. */
  get(threadId: string, snapshotId: string): StoredSnapshot;
  newest(threadId: string): StoredSnapshot | null;
  /** The state of a task's files when event `seq` of its run was said, as far as it is known. */
  atStep(step: {
    readonly threadId: string;
    readonly runId: string;
    readonly seq: number;
  }): StoredSnapshot | null;
  manifest(snapshotId: string): Uint8Array;
  /** The last result of a call that is in the run's log: what ends a step. 0 while there is none. */
  lastStep(runId: string): number;
  /** Of all tasks. */
  ids(): string[];
  /**
   * Removes those taken before `before`, but for the newest of each task whose run may go on, unless
   * `all`. How many it were.
   */
  expire(options: { readonly before: number; readonly all: boolean }): number;
}
