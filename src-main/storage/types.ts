import type {
  ApprovalRule,
  Message,
  ModelRef,
  ProbeResult,
  Run,
  Settings,
  Thread,
} from '#contract/entities.ts';
import type { ErrorCode } from '#contract/errors.ts';
import type { RunEvent } from '#contract/events/run-event.ts';
import type { ModelProfile } from '#contract/models.ts';
import type { RunStatus } from '#contract/vocabulary.ts';

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
  insert(run: Omit<Run, 'lastSeq' | 'endedAt' | 'error'>): void;
  setStatus(runId: string, status: 'running' | 'waiting'): void;
  end(runId: string, end: RunEnd): void;
  /** Runs without an end, oldest first. */
  unfinished(): Run[];
}

export interface EventReader {
  /** At most `limit` events after `afterSeq`, oldest first. */
  page(runId: string, afterSeq: number, limit: number): RunEvent[];
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
}

export interface SettingsStore {
  get(): Settings;
  /** Changes the given fields. Throws `BAD_REQUEST` for one that does not exist or does not fit. */
  update(changes: Readonly<Record<string, unknown>>): Settings;
}

export interface RuleStore {
  /** Newest first. */
  list(): ApprovalRule[];
  /** A rule for the same tool and pattern is replaced. */
  add(rule: Pick<ApprovalRule, 'toolName' | 'pattern' | 'decision'>): ApprovalRule;
  /** Throws `NOT_FOUND`. */
  delete(ruleId: string): void;
}

/** That a sandbox held, and what would have to change for that to be in doubt. */
export interface SandboxProof {
  readonly kind: 'docker' | 'os';
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
