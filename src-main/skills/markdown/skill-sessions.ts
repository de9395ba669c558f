import { AppError, type ErrorCode } from '#contract/errors.ts';
import type { SkillProgress, SkillStep } from '#contract/skills.ts';
import {
  ASKED_IN_SAME_ANSWER,
  CHECKPOINT_TOOL,
  type UserStops,
  userStop,
} from '../../hitl/user-stops.ts';
import type { SkillSessionStore } from '../../storage/skill-types.ts';
import { ALWAYS_ALLOWED } from './allowed-tools.ts';
import { LEAVE_CHECKPOINT, sameCheckpoint } from './parse-steps.ts';
import {
  describeLapsed,
  describeOpenCheckpoint,
  describeProgress,
  describeUnfinished,
  whatIsNext,
} from './progress-text.ts';
import type { SessionCall, SessionTask } from './session-call.ts';
import { SessionsOfTasks } from './sessions-of-tasks.ts';
import {
  answerCheckpoint,
  completeStep,
  noteUserMessage,
  readSubskill,
  requiredLeft,
  startProgress,
  stepOfCheckpoint,
  withRefusal,
} from './skill-progress.ts';
import {
  answerOf,
  grantsOf,
  isSameAnswer,
  StoredSession,
  sessionFromLog,
} from './stored-session.ts';
import { describeGrants, type GatedCall, isGranted } from './tool-grant.ts';

/** A skill as it is loaded: the steps and the tools from exactly the files of `sha256`. */
export interface LoadedSkill {
  readonly skill: string;
  readonly sha256: string;
  readonly steps: readonly SkillStep[];
  /** Names as in its front matter. */
  readonly allowedTools: readonly string[] | null;
}

export interface SkillSessionsParts {
  readonly store: SkillSessionStore;
  /** The run that a turn began with: a retry is not a new turn. */
  readonly turnOf?: (runId: string) => string;
  /** Whether a skill may be used now; one that may not makes no progress, and has no effect on later turns. */
  readonly isReady?: (skill: string) => boolean;
  /** Runs that the user stopped at a checkpoint of no skill. */
  readonly stops: UserStops;
}

const REFUSED_CALLS = 40;
const TO_LEAVE = `To leave the skill, ask with request_human_approval and the checkpoint ${LEAVE_CHECKPOINT}.`;

/** The session that blocks a call, and why. */
interface Block {
  readonly session: StoredSession;
  readonly why: string;
  /** Thrown, where the user stopped the skill. */
  readonly stop?: AppError;
}

/**
 * The progress of tasks in Markdown skills. It changes only through the skill tools; each change is stored in
 * one transaction with the result of its call, so that a run that resumes after a crash finds both or neither.
 * Calls that are not allowed throw, with the reason for the model.
 */
export class SkillSessions {
  readonly #known: SessionsOfTasks;
  readonly #turnOf: (runId: string) => string;
  readonly #isReady: (skill: string) => boolean;
  readonly #stops: UserStops;

  constructor({ store, turnOf = (id) => id, isReady = () => true, stops }: SkillSessionsParts) {
    this.#known = new SessionsOfTasks(store, turnOf);
    this.#stops = stops;
    this.#turnOf = turnOf;
    this.#isReady = isReady;
  }

  /**
   * Throws `TOOL_DENIED` for a call that may not be made: after the user stopped the run or the skill in this turn,
   * before a checkpoint is answered and read, or outside what the skills in effect allow.
   */
  gate(made: GatedCall, call: SessionCall): void {
    const stopped = this.#stops.at(call.runId);
    if (stopped !== null) throw userStop(`the task at the checkpoint ${stopped}`);
    const block = this.#findBlock(made, call) ?? this.#findBlockByQuestion(made, call);
    if (block === null) return;
    const { session, ...refusal } = block;
    this.#refuse(session, { what: made.name, code: 'TOOL_DENIED', ...refusal }, call);
  }

  /** Whether `gate` will refuse a call, after those `before` it in the same answer; records nothing. */
  isBlocked(made: GatedCall, task: SessionTask, before: readonly GatedCall[] = []): boolean {
    if (this.isStopped(task) || this.#findBlock(made, task) !== null) return true;
    const isAfterAnswer = before.some(({ name }) => name === CHECKPOINT_TOOL);
    return isAfterAnswer && !ALWAYS_ALLOWED.has(made.name) && this.#current(task) !== null;
  }

  /** Whether the user stopped the run, or a skill in its turn: nothing more runs in it. */
  isStopped(task: SessionTask): boolean {
    return this.#stops.at(task.runId) !== null || this.#stoppedSession(task) !== null;
  }

  #stoppedSession(task: SessionTask): StoredSession | null {
    const turn = this.#turnOf(task.runId);
    return this.#known.of(task).find(({ stoppedIn }) => stoppedIn === turn) ?? null;
  }

  #findBlock(made: GatedCall, task: SessionTask): Block | null {
    if (this.#known.of(task).length === 0) return null;
    const stopped = this.#stoppedSession(task);
    if (stopped !== null) {
      const stop = userStop(`the skill ${stopped.walk.skill}`);
      return { session: stopped, why: stop.message, stop };
    }
    if (ALWAYS_ALLOWED.has(made.name)) return null;
    for (const session of this.#inEffect(task)) {
      const grants = grantsOf(session);
      if (grants === null || isGranted(grants, made)) {
        const open = made.isRead === true ? null : describeOpenCheckpoint(session.walk);
        if (open === null) continue;
        return { session, why: open };
      }
      const allowed = describeGrants(grants).join(', ') || 'only the tools for skills';
      const isOther = !grants.some(({ tool }) => tool === made.name);
      const not = isOther ? `${made.name} is not among them` : `this ${made.name} is not`;
      const why = `The skill ${session.walk.skill} allows ${allowed}; ${not}. ${TO_LEAVE}`;
      return { session, why };
    }
    return null;
  }

  /** Blocks a call that the model wrote before it could read the user's answer. */
  #findBlockByQuestion(made: GatedCall, call: SessionCall): Block | null {
    if (ALWAYS_ALLOWED.has(made.name)) return null;
    const session = this.#known.of(call).find(({ askedIn }) => isSameAnswer(askedIn, call));
    if (session === undefined) return null;
    return { session, why: ASKED_IN_SAME_ANSWER };
  }

  /** Begins a skill, or continues it. Throws `SKILL_STEP_SKIPPED` while another one is not done. */
  load({ skill, sha256, steps, allowedTools }: LoadedSkill, call: SessionCall): SkillProgress {
    this.#onlyIn(skill, `load_skill ${skill}`, call);
    for (const other of this.#inEffect(call)) {
      // A skill without steps is never done, and stays in effect for the rest of the turn.
      const isDone = other.walk.steps.length > 0 && requiredLeft(other.walk).length === 0;
      if (other.walk.skill === skill || !isDone) continue;
      this.#put({ ...other, walk: { ...other.walk, status: 'completed' } }, call);
    }
    const known = this.#find(skill, call);
    const continues = known?.walk.status === 'active' && known.walk.sha256 === sha256;
    const begun: StoredSession = continues
      ? known
      : sessionFromLog(startProgress(skill, sha256, { steps, allowedTools }), call.runId);
    this.#put({ ...begun, movedIn: answerOf(call) }, call);
    return begun.walk;
  }

  /** The progress of the task's current skill; null for none. */
  current(task: SessionTask): SkillProgress | null {
    return this.#current(task)?.walk ?? null;
  }

  /** Notes that the model reads a file of a skill. Throws `SKILL_STEP_SKIPPED` where an earlier step is not done. */
  read(
    skill: string,
    file: { readonly path: string; readonly sha256: string },
    call: SessionCall,
  ): void {
    const what = `read_file ${file.path}`;
    const session = this.#loaded(skill, { what, sha256: file.sha256 }, call);
    if (session.walk.status !== 'active') throw notLoaded(skill);
    const moved = readSubskill(session.walk, file.path);
    if (!moved.ok)
      this.#refuse(session, { what, why: moved.why, code: 'SKILL_STEP_SKIPPED' }, call);
    this.#put({ ...session, walk: moved.progress, movedIn: answerOf(call) }, call);
  }

  /**
   * Checks a checkpoint before the user is asked, and returns its step in words; null where no step has it.
   * Throws `SKILL_STEP_SKIPPED` where an earlier step is not done.
   */
  mayAsk(checkpoint: string, call: SessionCall): string | null {
    const session = this.#current(call);
    if (session === null) return null;
    const moved = answerCheckpoint(session.walk, checkpoint);
    if (moved.ok) return stepOfCheckpoint(session.walk, checkpoint);
    const what = `request_human_approval ${checkpoint}`;
    this.#refuse(session, { what, why: moved.why, code: 'SKILL_STEP_SKIPPED' }, call);
  }

  /** Notes the user's answer to a checkpoint; a denial ends the skill, and where there is none, the run. */
  answered(checkpoint: string, isApproved: boolean, call: SessionCall): void {
    const session = this.#current(call);
    const isLeaving = sameCheckpoint(checkpoint, LEAVE_CHECKPOINT);
    if (session === null) {
      if (!isApproved && !isLeaving) this.#stops.note(checkpoint, call);
      return;
    }
    // The user wants to stay in the skill: nothing changes.
    if (isLeaving && !isApproved) return;
    if (isLeaving) {
      for (const left of this.#inEffect(call)) {
        this.#put({ ...left, walk: { ...left.walk, status: 'cancelled' } }, call);
      }
      return;
    }
    if (!isApproved) {
      const progress: SkillProgress = { ...session.walk, status: 'cancelled', isStopped: true };
      this.#put({ ...session, stoppedIn: this.#turnOf(call.runId), walk: progress }, call);
      return;
    }
    const moved = answerCheckpoint(session.walk, checkpoint);
    const progress = noteUserMessage(moved.ok ? moved.progress : session.walk);
    this.#put(
      { ...session, walk: progress, movedIn: answerOf(call), askedIn: answerOf(call) },
      call,
    );
  }

  /** Notes a message of the user in the middle of a turn. */
  noteMessage(call: SessionCall): void {
    const session = this.#current(call);
    if (session === null) return;
    this.#put({ ...session, walk: noteUserMessage(session.walk), movedIn: answerOf(call) }, call);
  }

  /** Completes a step. Throws `SKILL_STEP_SKIPPED` with what is missing. */
  complete(
    { skill, sha256, step }: Pick<LoadedSkill, 'skill' | 'sha256'> & { readonly step: number },
    call: SessionCall,
  ): SkillProgress {
    const what = `complete_skill_step ${step}`;
    const session = this.#loaded(skill, { what, sha256 }, call);
    const refuse = (why: string): never =>
      this.#refuse(session, { what, why, code: 'SKILL_STEP_SKIPPED' }, call);
    const moved = completeStep(session.walk, step);
    if (!moved.ok) return refuse(moved.why);
    if (moved.progress === session.walk) return session.walk;
    if (isSameAnswer(session.movedIn, call)) {
      return refuse(
        'This answer has other calls for this skill, and you have not read their results yet. Read them, do what the step says, and complete it after that, one step per answer.',
      );
    }
    this.#put({ ...session, walk: moved.progress, movedIn: answerOf(call) }, call);
    return moved.progress;
  }

  /** The progress text for the end of each request; null where no skill is in effect. */
  place(task: SessionTask): string | null {
    const session = this.#current(task);
    if (session === null) return null;
    if (!this.#isReady(session.walk.skill)) return describeLapsed(session.walk);
    const others = this.#inEffect(task).filter(({ walk }) => walk.skill !== session.walk.skill);
    const restricting = others.flatMap((other) => {
      const grants = grantsOf(other);
      return grants === null ? [] : [{ skill: other.walk.skill, grants }];
    });
    return describeProgress(session.walk, grantsOf(session), restricting);
  }

  /** The skill because of which a turn may not end yet, and what is missing; null where it may end. */
  unfinished(task: SessionTask): { readonly skill: string; readonly missing: string } | null {
    const progress = this.current(task);
    const missing = progress === null ? null : describeUnfinished(progress);
    return progress === null || missing === null ? null : { skill: progress.skill, missing };
  }

  /** Restores the sessions of a copied task from its log. */
  restoreFromLog(threadId: string): void {
    const last = new Map<string, StoredSession>();
    for (const { runId, walk } of this.#known.logged(threadId)) {
      const known = StoredSession.shape.walk.parse(walk);
      last.delete(known.skill);
      last.set(known.skill, sessionFromLog(known, this.#turnOf(runId)));
    }
    this.#known.replace(threadId, [...last.values()]);
  }

  /** Throws `SKILL_STEP_SKIPPED` while the task has steps left in another skill. */
  #onlyIn(skill: string, what: string, call: SessionCall): void {
    const other = this.#current(call);
    if (other === null || other.walk.skill === skill || !this.#hasStepsLeft(other)) return;
    const why = `The skill ${other.walk.skill} is not done. ${whatIsNext(other.walk)} ${TO_LEAVE}`;
    this.#refuse(other, { what, why, code: 'SKILL_STEP_SKIPPED' }, call);
  }

  /** A skill that was loaded in this task, if its files are still the same. Throws `SKILL_STEP_SKIPPED`. */
  #loaded(
    skill: string,
    { what, sha256 }: { readonly what: string; readonly sha256: string },
    call: SessionCall,
  ): StoredSession {
    this.#onlyIn(skill, what, call);
    const session = this.#find(skill, call);
    if (session === null) throw notLoaded(skill);
    if (session.walk.status !== 'active' || session.walk.sha256 === sha256) return session;
    const why = `${skill} has changed since it was loaded. Load it again with load_skill; its steps start over.`;
    return this.#refuse(session, { what, why, code: 'SKILL_STEP_SKIPPED' }, call);
  }

  /** Of the skills in effect: the one with steps left, else the one that changed last. */
  #current(task: SessionTask): StoredSession | null {
    const inEffect = this.#inEffect(task);
    return inEffect.find((session) => this.#hasStepsLeft(session)) ?? inEffect[0] ?? null;
  }

  /**
   * The skills in effect for a task: one with steps left across turns, as long as it may be used; any other
   * in the turn in which it last changed. A call must satisfy all of them.
   */
  #inEffect(task: SessionTask): StoredSession[] {
    const known = this.#known.of(task);
    if (known.length === 0) return [];
    const turn = this.#turnOf(task.runId);
    return known.filter(
      (session) =>
        session.walk.status === 'active' && (session.runId === turn || this.#hasStepsLeft(session)),
    );
  }

  #hasStepsLeft({ walk }: StoredSession): boolean {
    return requiredLeft(walk).length > 0 && this.#isReady(walk.skill);
  }

  #find(skill: string, call: SessionTask): StoredSession | null {
    return this.#known.of(call).find(({ walk }) => walk.skill === skill) ?? null;
  }

  #refuse(
    session: StoredSession,
    {
      what,
      why,
      code,
      stop,
    }: Omit<Block, 'session'> & { readonly what: string; readonly code: ErrorCode },
    call: SessionCall,
  ): never {
    if (!session.refusedCalls.includes(call.toolCallId)) {
      const refusedCalls = [...session.refusedCalls, call.toolCallId].slice(-REFUSED_CALLS);
      this.#put({ ...session, refusedCalls, walk: withRefusal(session.walk, what, why) }, call);
    }
    throw stop ?? new AppError(code, why);
  }

  #put(changed: StoredSession, { threadId, runId, persist, emit }: SessionCall): void {
    const session: StoredSession = { ...changed, runId: this.#turnOf(runId) };
    const key = this.#known.put(threadId, session, persist);
    emit({ type: 'skill_walk', walkId: key, walk: session.walk });
  }
}

function notLoaded(skill: string): AppError {
  return new AppError(
    'SKILL_STEP_SKIPPED',
    `Load ${skill} with load_skill first: it is not loaded in this task.`,
  );
}
