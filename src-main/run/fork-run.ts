import type { Run, RunOrigin, Thread } from '#contract/entities.ts';
import { AppError } from '#contract/errors.ts';
import type { RunEvent } from '#contract/events/run-event.ts';
import { carryHandoffs } from '../agents/research/delegation.ts';
import type { ConversationPart, Transcript } from '../agents/transcript.ts';
import type { Clock } from '../base/clock.ts';
import { newId } from '../base/ids.ts';
import { isPlanEvent, type PlanAt, planAt } from '../orchestrator/plan-at.ts';
import { readPlanState, writePlanState } from '../orchestrator/plan-state.ts';
import type { RunCopier, RunJournal } from '../storage/types.ts';
import { turnOf } from './new-run.ts';
import { carryInstructions } from './run-instructions.ts';
import type { RunStores } from './run-record.ts';

export interface ForkParts {
  readonly stores: RunStores;
  readonly transcript: Pick<Transcript, 'split'>;
  readonly copier: RunCopier;
  readonly journal: RunJournal;
  /** Copies the files of one task to another that has none. */
  readonly copyWorkspace: (fromThreadId: string, toThreadId: string) => Promise<void>;
  /** Copies the files as they were at an event to a task that has none; false if no snapshot has them. */
  readonly copyFilesAt?: (step: RunStep, toThreadId: string) => Promise<boolean>;
  /** Copies the pictures that its messages refer to. */
  readonly copyPictures: (fromThreadId: string, toThreadId: string) => Promise<void>;
  readonly removeWorkspace: (threadId: string) => Promise<void>;
  /** Restores the skill sessions of a copy from its log; called in the transaction that creates the copy. */
  readonly restoreSessions?: (threadId: string) => void;
  readonly clock: Clock;
}

export interface RunStep {
  readonly threadId: string;
  readonly runId: string;
  readonly seq: number;
}

/** Which files a copy of a task has: those of the moment it was copied at, or the current ones. */
type FilesOf = NonNullable<RunOrigin['files']>;

const PAGE = 500;
const EVERYTHING = Number.MAX_SAFE_INTEGER;

/**
 * Copies a task as it was before a run, without that run's turn, and with the files as the run found them if
 * a snapshot has them. Throws `NOT_FOUND`.
 */
export async function copyTaskBefore(
  runId: string,
  parts: ForkParts,
): Promise<{ thread: Thread; files: FilesOf }> {
  const { stores, removeWorkspace } = parts;
  const run = stores.runs.get(runId);
  const threadId = newId('thr', parts.clock.now());
  const files = await copyFiles({ threadId: run.threadId, runId, seq: 0 }, threadId, parts);
  try {
    stores.transaction(() => {
      insertCopy(run, threadId, parts);
      parts.restoreSessions?.(threadId);
    });
  } catch (error) {
    await removeWorkspace(threadId);
    throw error;
  }
  return { thread: stores.threads.get(threadId), files };
}

async function copyFiles(
  step: RunStep,
  threadId: string,
  { copyFilesAt, copyWorkspace, copyPictures }: ForkParts,
): Promise<FilesOf> {
  await copyPictures(step.threadId, threadId);
  try {
    if ((await copyFilesAt?.(step, threadId)) === true) return 'snapshot';
  } catch (error) {
    // A damaged snapshot. It is verified before anything is written.
    if (!(error instanceof AppError && error.code === 'STORAGE_FAILED')) throw error;
  }
  await copyWorkspace(step.threadId, threadId);
  return 'today';
}

/**
 * Creates a task that shares a run's past up to the last complete round or step at or before event `seq`,
 * with a paused run that continues from there, by the plan of that moment if there was one. The original run
 * stays as it is. Throws `NOT_FOUND`, `BAD_REQUEST`, `CONFLICT`.
 */
export async function forkRun(
  { runId, seq }: { readonly runId: string; readonly seq: number },
  parts: ForkParts,
): Promise<{ run: Run; thread: Thread }> {
  const { stores, copier, journal, clock, removeWorkspace } = parts;
  const run = stores.runs.get(runId);
  if (seq > run.lastSeq) {
    throw new AppError(
      'BAD_REQUEST',
      `This run has ${run.lastSeq} events; there is no event ${seq}.`,
    );
  }
  const turn = turnOf(run, stores);
  const cut = cutAt(run, seq, parts);
  const now = clock.now();
  const threadId = newId('thr', now);
  const step = { threadId: run.threadId, runId, seq: cut.seq };
  const files = await copyFiles(step, threadId, parts);
  const fork: Run = {
    ...{ id: newId('run', now), threadId, status: 'paused', prompt: run.prompt },
    ...{ options: run.options, createdAt: now, startedAt: now, endedAt: null, lastSeq: cut.seq },
    error: null,
    origin: {
      kind: 'fork',
      runId,
      seq: cut.seq,
      messages: cut.parts.flatMap(({ messages }) => messages).length,
      files,
    },
  };
  try {
    stores.transaction(() => {
      insertCopy(run, threadId, parts);
      stores.runs.insert(fork);
      stores.messages.insert({ ...turn, id: newId('msg', now), threadId, runId: fork.id });
      copier.events({ from: runId, to: fork.id, upToSeq: cut.seq });
      copier.conversation({ from: runId, to: fork.id, entries: cut.parts });
      if (cut.plan !== null) writePlanState(journal, forRun(cut.plan, fork.id));
      carryInstructions(journal, { from: runId, to: fork.id });
      carryHandoffs(journal, { from: runId, to: fork.id, upTo: cut.events });
      parts.restoreSessions?.(threadId);
    });
  } catch (error) {
    await removeWorkspace(threadId);
    throw error;
  }
  return { run: stores.runs.get(fork.id), thread: stores.threads.get(threadId) };
}

function forRun(state: PlanAt['state'], runId: string): PlanAt['state'] {
  return { ...state, plan: { ...state.plan, runId } };
}

interface Cut {
  /** What of the run's own conversation is kept, and the last event that belongs to it. */
  readonly parts: readonly ConversationPart[];
  readonly seq: number;
  /** The plan as it was then; null if there was none. */
  readonly plan: PlanAt['state'] | null;
  readonly events: readonly RunEvent[];
}

/** What of a run is complete at an event: rounds of its conversation, then the steps of its plan. */
function cutAt(run: Run, seq: number, { stores, transcript, journal }: ForkParts): Cut {
  const { own } = transcript.split(run.threadId, run.id);
  const events = eventsUpTo(stores, run.id, seq);
  const stored = readPlanState(journal, run.id);
  const planned = stored === null ? null : planAt(stored, events);
  if (planned === null) {
    if (own.length === 0) {
      throw new AppError('CONFLICT', 'This run has no conversation of its own to continue.');
    }
    const whole = lastWholeRound(own, events);
    return { ...whole, plan: null, events: upTo(whole.seq, events) };
  }
  // The plan's answer is written again; messages from before the plan are kept.
  const before = upTo(planned.seq, events);
  const { parts } = lastWholeRound(own, before);
  return { parts, seq: planned.seq, plan: planned.state, events: before };
}

function upTo(seq: number, events: readonly RunEvent[]): RunEvent[] {
  return events.filter((event) => event.seq <= seq);
}

/** Inserts the thread with copies of all runs before this one. */
function insertCopy(run: Run, threadId: string, parts: ForkParts): void {
  const { stores, copier, transcript, clock } = parts;
  const now = clock.now();
  const { title, level } = stores.threads.get(run.threadId);
  stores.threads.insert({ id: threadId, title: copyTitle(title), createdAt: now });
  if (level !== undefined) stores.threads.setLevel(threadId, level);
  copier.taint(run.threadId, threadId);
  copier.folder(run.threadId, threadId);
  const runs = stores.runs.listOfThread(run.threadId);
  const before = runs.slice(
    0,
    runs.findIndex(({ id }) => id === run.id),
  );
  for (const old of before) {
    const copy: Run = { ...old, id: newId('run', old.createdAt), threadId };
    stores.runs.insert(copy);
    for (const message of stores.messages.listOfRun(old.id)) {
      const id = newId('msg', message.createdAt);
      stores.messages.insert({ ...message, id, threadId, runId: copy.id });
    }
    copier.events({ from: old.id, to: copy.id, upToSeq: EVERYTHING });
    const { own } = transcript.split(old.threadId, old.id);
    copier.conversation({ from: old.id, to: copy.id, entries: own });
  }
}

function copyTitle(title: string): string {
  const match = /^(.*) \((\d+)\)$/s.exec(title);
  return match === null ? `${title} (2)` : `${match[1]} (${Number(match[2]) + 1})`;
}

const COUNTED: ReadonlySet<RunEvent['type']> = new Set([
  'tool_result',
  'usage',
  'handoff',
  'complete',
]);

function eventsUpTo({ events }: RunStores, runId: string, seq: number): RunEvent[] {
  const all: RunEvent[] = [];
  for (let last = 0; last < seq; ) {
    const page = events.page(runId, last, Math.min(PAGE, seq - last));
    if (page.length === 0) break;
    // Keeps in memory only what shows where rounds and steps end, and what they cost.
    all.push(...page.filter((event) => isPlanEvent(event) || COUNTED.has(event.type)));
    last = page.at(-1)?.seq ?? seq;
  }
  return all;
}

/** What of a run's conversation is complete by these events, and the last event that belongs to it. */
function lastWholeRound(
  own: readonly ConversationPart[],
  events: readonly RunEvent[],
): { readonly parts: readonly ConversationPart[]; readonly seq: number } {
  const resultAt = new Map<string, number>();
  let end = 0;
  for (const event of events) {
    if (event.type === 'tool_result') resultAt.set(event.toolCallId, event.seq);
    else if (event.type === 'complete') end = event.seq - 1;
  }
  const parts: ConversationPart[] = [];
  let seq = 0;
  for (const part of own) {
    for (const message of part.messages) {
      if (message.role !== 'assistant') continue;
      const calls = message.toolCalls ?? [];
      const ends =
        calls.length === 0
          ? [end === 0 ? undefined : end]
          : calls.map(({ id }) => resultAt.get(id));
      if (ends.some((one) => one === undefined)) return { parts, seq };
      seq = Math.max(seq, ...ends.map((one) => one ?? 0));
    }
    parts.push(part);
  }
  return { parts, seq };
}
