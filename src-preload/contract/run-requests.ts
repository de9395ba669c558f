import { z } from 'zod';
import { Run, RunOptions, Thread } from './entities.ts';
import { InterruptResponse, WaitingQuestion } from './events/hitl.ts';
import { RunEvent } from './events/run-event.ts';
import { ATTACHMENT_LIMIT_COUNT, EVENT_PAGE_SIZE, RUN_FILE_LIMIT_CHARS } from './limits.ts';
import { MAX_EDITED_STEPS, Plan, PlanDraftStep } from './plans.ts';
import { GivenFolder } from './user-folder.ts';
import { PolicyLevel, ReportFormat } from './vocabulary.ts';

const id = z.string().min(1).max(100);
const nothing = z.strictObject({});

/** Requests about runs, their plans and their reports; a part of `REQUESTS`. */
export const RUN_REQUESTS = {
  'runs.start': {
    effect: 'once',
    input: z.strictObject({
      /** Absent: a new task. */
      threadId: id.optional(),
      prompt: z.string().min(1).max(1_000_000),
      attachmentIds: z.array(id).max(ATTACHMENT_LIMIT_COUNT),
      /** Copied into the workspace; a task has at most one. */
      folder: GivenFolder.optional(),
      /** Omitted options come from the settings. */
      options: RunOptions.partial(),
      /** The approval level of the task from now on. Absent: it keeps its own, or the settings decide. */
      level: PolicyLevel.exactOptional(),
    }),
    output: z.strictObject({ run: Run, thread: Thread }),
  },
  'runs.cancel': {
    // A user who wanted to stop the run still does after a reconnect.
    effect: 'read',
    input: z.strictObject({ runId: id }),
    output: nothing,
  },
  'runs.get': {
    effect: 'read',
    input: z.strictObject({ runId: id }),
    output: z.strictObject({ run: Run }),
  },
  /** A page of the log after `afterSeq`, oldest first. */
  'runs.events': {
    effect: 'read',
    input: z.strictObject({
      runId: id,
      afterSeq: z.int().nonnegative(),
      limit: z.int().min(1).max(EVENT_PAGE_SIZE).optional(),
    }),
    output: z.strictObject({ events: z.array(RunEvent), lastSeq: z.int().nonnegative() }),
  },
  /** Pushes the run's events after `afterSeq` to this window, in order, without gaps. */
  'runs.subscribe': {
    effect: 'read',
    input: z.strictObject({ runId: id, afterSeq: z.int().nonnegative() }),
    output: z.strictObject({ run: Run }),
  },
  'runs.unsubscribe': { effect: 'read', input: z.strictObject({ runId: id }), output: nothing },
  /** Answers an open interrupt; the first answer counts, later ones get `ALREADY_ANSWERED`. */
  'runs.respond': {
    effect: 'once',
    input: z.strictObject({ runId: id, interruptId: id, response: InterruptResponse }),
    output: nothing,
  },

  /** Resumes a run that was paused, parked or interrupted. */
  'runs.resume': {
    effect: 'once',
    input: z.strictObject({ runId: id }),
    output: z.strictObject({ run: Run }),
  },
  /** Pauses the run at its next step, without interrupting the current one. */
  'runs.pause': { effect: 'once', input: z.strictObject({ runId: id }), output: nothing },
  /** Repeats the last step of a failed or stopped run, as a new run in the same task. */
  'runs.retry': {
    effect: 'once',
    input: z.strictObject({ runId: id }),
    output: z.strictObject({ run: Run }),
  },
  /**
   * Creates a paused task that shares this run's history up to an event. Its files come from the newest
   * snapshot at or before the event, or are a copy of the current files; `origin.files` says which.
   */
  'runs.fork': {
    effect: 'once',
    input: z.strictObject({ runId: id, seq: z.int().nonnegative() }),
    output: z.strictObject({ run: Run, thread: Thread }),
  },
  /** Creates a task with everything before this run and another message in its place, and starts it. */
  'runs.edit': {
    effect: 'once',
    input: z.strictObject({ runId: id, prompt: z.string().min(1).max(1_000_000) }),
    output: z.strictObject({ run: Run, thread: Thread }),
  },
  /** Prepares arguments that the user edited for approval: canonical, validated and scanned. */
  'runs.review': {
    effect: 'read',
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
    effect: 'read',
    input: z.strictObject({ runId: id }),
    output: z.strictObject({ fileName: z.string(), text: z.string() }),
  },
  /** Imports an exported run as a new task, to inspect it. */
  'runs.import': {
    effect: 'once',
    input: z.strictObject({ text: z.string().max(RUN_FILE_LIMIT_CHARS) }),
    output: z.strictObject({ run: Run, thread: Thread }),
  },
  /** Every question without an answer, oldest first. */
  'runs.waiting': {
    effect: 'read',
    input: nothing,
    output: z.strictObject({ questions: z.array(WaitingQuestion) }),
  },

  /** The plan of a run; null if it has none. */
  'plans.get': {
    effect: 'read',
    input: z.strictObject({ runId: id }),
    output: z.strictObject({ plan: Plan.nullable() }),
  },
  /**
   * Reorders, removes and adds pending steps. `revision` is the one the user saw; `CONFLICT` if the plan
   * changed since, or the run ended.
   */
  'plans.edit': {
    effect: 'once',
    input: z.strictObject({
      runId: id,
      revision: z.int().nonnegative(),
      steps: z.array(PlanDraftStep).min(1).max(MAX_EDITED_STEPS),
    }),
    output: z.strictObject({ plan: Plan }),
  },

  /** Exports a report of a run as a file; the newest by default. `data` is base64. */
  'reports.export': {
    effect: 'read',
    input: z.strictObject({
      runId: id,
      reportId: z.string().max(300).optional(),
      format: ReportFormat,
    }),
    output: z.strictObject({ fileName: z.string(), mimeType: z.string(), data: z.base64() }),
  },
} as const;
