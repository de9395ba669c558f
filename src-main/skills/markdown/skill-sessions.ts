import { AppError, type ErrorCode } from '#contract/errors.ts';
import type { RunEventDraft } from '#contract/events/run-event.ts';
import type { SkillProgress, SkillStep } from '#contract/skills.ts';
import type { SkillSessionStore } from '../../storage/skill-types.ts';
import { ALWAYS_ALLOWED, mapAllowedTools } from './allowed-tools.ts';
import { LEAVE_CHECKPOINT, sameCheckpoint } from './parse-steps.ts';
import { describeLapsed, describePlace, describeUnfinished, whatIsNext } from './progress-text.ts';
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
import { StoredSession, sessionFromLog, sessionInTurn } from './stored-session.ts';
import { describeGrants, type GatedCall, isGranted, type ToolGrant } from './tool-grant.ts';

/** The call that a walk is asked about, and how what follows from it is stored. */
export interface SessionCall {
  readonly threadId: string;
  readonly runId: string;
  /** Of the answer that the call is part of. */
  readonly round: number;
  readonly toolCallId: string;
  readonly persist: (work: () => void) => void;
  readonly emit: (event: RunEventDraft) => void;
}

/** The task and its run, of which a place is asked. */
export type SessionTask = Pick<SessionCall, 'threadId' | 'runId'>;

/** A skill as it is walked: the steps and the tools of exactly the files of `sha256`. */
export interface LoadedSkill {
  readonly skill: string;
  readonly sha256: string;
  readonly steps: readonly SkillStep[];
  /** Names as its front matter has them. */
  readonly allowedTools: readonly string[] | null;
}

export interface SkillSessionsParts {
  readonly store: SkillSessionStore;
  /** The run that a turn began with: another try is no new turn. */
  readonly turnOf?: (runId: string) => string;
  /** Whether a skill may be used now; one that may not is not walked on, and holds no later turn. */
  readonly isReady?: (skill: string) => boolean;
}

const REFUSED_CALLS = 40;
/** Tasks whose stored sessions are kept in memory. */
const KNOWN_TASKS = 50;
const TO_LEAVE = `To leave the skill, ask with request_human_approval and the checkpoint ${LEAVE_CHECKPOINT}.`;

interface Held {
  readonly kept: StoredSession;
  readonly why: string;
}

/**
 * How far tasks are in Markdown skills. A walk moves only by the tools that skills are read with; each move
 * is stored in one transaction with the result of its call, so a run that goes on after a crash finds both
 * or neither. What may not be done throws, and the model is told why.
 */
export class SkillSessions {
  readonly #store: SkillSessionStore;
  readonly #turnOf: (runId: string) => string;
  readonly #isReady: (skill: string) => boolean;
  /** What will be on disk within a frame, by its task: whoever asks before that sees it all the same. */
  readonly #unstored = new Map<string, StoredSession>();
  /**
   * What is stored of a task, as it was read last: each call of a run asks several times, and mostly there is
   * nothing. Nobody else writes sessions while this process has the data folder.
   */
  readonly #stored = new Map<string, readonly StoredSession[]>();

  constructor({ store, turnOf = (runId) => runId, isReady = () => true }: SkillSessionsParts) {
    this.#store = store;
    this.#turnOf = turnOf;
    this.#isReady = isReady;
  }

  /**
   * Whether a call may be made at all: not after the person stopped the skill in this turn, not before what they
   * answered was read, and with nothing but what the skill allows. Throws `TOOL_DENIED`.
   */
  gate(made: GatedCall, call: SessionCall): void {
    const held = this.#hold(made, call) ?? this.#holdAfterAnswer(made, call);
    if (held === null) return;
    this.#refuse(held.kept, { what: made.name, why: held.why, code: 'TOOL_DENIED' }, call);
  }

  /** Whether `gate` will refuse a call, after those `before` it in the same answer; nothing is noted. */
  isHeld(made: GatedCall, task: SessionTask, before: readonly GatedCall[] = []): boolean {
    if (this.#hold(made, task) !== null) return true;
    const isAfterAnswer = before.some(({ name }) => name === 'request_human_approval');
    return isAfterAnswer && !ALWAYS_ALLOWED.has(made.name) && this.#current(task) !== null;
  }

  #hold(made: GatedCall, task: SessionTask): Held | null {
    const known = this.#kept(task);
    if (known.length === 0) return null;
    const turn = this.#turnOf(task.runId);
    const stopped = known.find(({ stoppedIn }) => stoppedIn === turn);
    if (stopped !== undefined) {
      const why = `The person stopped the skill ${stopped.walk.skill}. Make no more calls in this turn: say what was done and what was not, and end.`;
      return { kept: stopped, why };
    }
    if (ALWAYS_ALLOWED.has(made.name)) return null;
    for (const kept of this.#holding(task)) {
      const grants = grantsOf(kept);
      if (grants === null || isGranted(grants, made)) continue;
      const allowed = describeGrants(grants).join(', ') || 'no tool but those of skills';
      const isOther = !grants.some(({ tool }) => tool === made.name);
      const not = isOther ? `${made.name} is not among them` : `this ${made.name} is not`;
      return { kept, why: `The skill ${kept.walk.skill} allows ${allowed}; ${not}. ${TO_LEAVE}` };
    }
    return null;
  }

  /** A call that was written before the person answered may not be what they answered. */
  #holdAfterAnswer(made: GatedCall, call: SessionCall): Held | null {
    if (ALWAYS_ALLOWED.has(made.name)) return null;
    const kept = this.#kept(call).find(({ askedIn }) => isSameAnswer(askedIn, call));
    if (kept === undefined) return null;
    const why =
      'The person was asked in this same answer. Read what they said; then make the call, if it still fits.';
    return { kept, why };
  }

  /** Begins a skill, or goes on with it. Throws `SKILL_STEP_SKIPPED` while another one is not done. */
  load({ skill, sha256, steps, allowedTools }: LoadedSkill, call: SessionCall): SkillProgress {
    this.#onlyIn(skill, `load_skill ${skill}`, call);
    for (const other of this.#holding(call)) {
      // One without steps is never done, and holds what is left of the turn beside this one.
      const isDone = other.walk.steps.length > 0 && requiredLeft(other.walk).length === 0;
      if (other.walk.skill === skill || !isDone) continue;
      this.#put({ ...other, walk: { ...other.walk, status: 'completed' } }, call);
    }
    const known = this.#find(skill, call);
    const goesOn = known?.walk.status === 'active' && known.walk.sha256 === sha256;
    const begun: StoredSession = goesOn
      ? known
      : sessionFromLog(startProgress(skill, sha256, { steps, allowedTools }), call.runId);
    this.#put({ ...begun, movedIn: answerOf(call) }, call);
    return begun.walk;
  }

  /** The skill that a task is in; null for none. */
  current(task: SessionTask): SkillProgress | null {
    return this.#current(task)?.walk ?? null;
  }

  /** A file of a skill is about to be given. Throws `SKILL_STEP_SKIPPED` where a step before it is not done. */
  read(
    skill: string,
    file: { readonly path: string; readonly sha256: string },
    call: SessionCall,
  ): void {
    const what = `read_file ${file.path}`;
    const kept = this.#walked(skill, { what, sha256: file.sha256 }, call);
    if (kept.walk.status !== 'active') throw notLoaded(skill);
    const moved = readSubskill(kept.walk, file.path);
    if (!moved.ok) this.#refuse(kept, { what, why: moved.why, code: 'SKILL_STEP_SKIPPED' }, call);
    this.#put({ ...kept, walk: moved.walk, movedIn: answerOf(call) }, call);
  }

  /**
   * A checkpoint is about to be put to the person: the step that asks for it, in words; null where none does.
   * Throws `SKILL_STEP_SKIPPED` where a step before it is not done.
   */
  mayAsk(checkpoint: string, call: SessionCall): string | null {
    const kept = this.#current(call);
    if (kept === null) return null;
    const moved = answerCheckpoint(kept.walk, checkpoint);
    if (moved.ok) return stepOfCheckpoint(kept.walk, checkpoint);
    const what = `request_human_approval ${checkpoint}`;
    this.#refuse(kept, { what, why: moved.why, code: 'SKILL_STEP_SKIPPED' }, call);
  }

  /** The person answered a checkpoint; `isYes` is false where they said no: that ends the skill. */
  answered(checkpoint: string, isYes: boolean, call: SessionCall): void {
    const kept = this.#current(call);
    if (kept === null) return;
    const isLeaving = sameCheckpoint(checkpoint, LEAVE_CHECKPOINT);
    // A no to leaving is no more than that.
    if (isLeaving && !isYes) return;
    if (isLeaving) {
      for (const left of this.#holding(call)) {
        this.#put({ ...left, walk: { ...left.walk, status: 'cancelled' } }, call);
      }
      return;
    }
    if (!isYes) {
      const walk: SkillProgress = { ...kept.walk, status: 'cancelled', isStopped: true };
      this.#put({ ...kept, stoppedIn: this.#turnOf(call.runId), walk }, call);
      return;
    }
    const moved = answerCheckpoint(kept.walk, checkpoint);
    const walk = noteUserMessage(moved.ok ? moved.walk : kept.walk);
    this.#put({ ...kept, walk, movedIn: answerOf(call), askedIn: answerOf(call) }, call);
  }

  /** The person said something in the middle of a turn. */
  heard(call: SessionCall): void {
    const kept = this.#current(call);
    if (kept === null) return;
    this.#put({ ...kept, walk: noteUserMessage(kept.walk), movedIn: answerOf(call) }, call);
  }

  /** A step is said to be done. Throws `SKILL_STEP_SKIPPED` with what is missing. */
  complete(
    { skill, sha256, step }: Pick<LoadedSkill, 'skill' | 'sha256'> & { readonly step: number },
    call: SessionCall,
  ): SkillProgress {
    const what = `complete_skill_step ${step}`;
    const kept = this.#walked(skill, { what, sha256 }, call);
    const refuse = (why: string): never =>
      this.#refuse(kept, { what, why, code: 'SKILL_STEP_SKIPPED' }, call);
    const moved = completeStep(kept.walk, step);
    if (!moved.ok) return refuse(moved.why);
    if (moved.walk === kept.walk) return kept.walk;
    if (isSameAnswer(kept.movedIn, call)) {
      return refuse(
        'Other calls for this skill came in this same answer, and their results were not read yet. Read them, do what the step says, and complete it after that, one step an answer.',
      );
    }
    this.#put({ ...kept, walk: moved.walk, movedIn: answerOf(call) }, call);
    return moved.walk;
  }

  /** What the model is told of its place at the end of each request; null where it is in no skill. */
  place(task: SessionTask): string | null {
    const kept = this.#current(task);
    if (kept === null) return null;
    if (!this.#isReady(kept.walk.skill)) return describeLapsed(kept.walk);
    const others = this.#holding(task).filter(({ walk }) => walk.skill !== kept.walk.skill);
    const narrowing = others.flatMap((other) => {
      const grants = grantsOf(other);
      return grants === null ? [] : [{ skill: other.walk.skill, grants }];
    });
    return describePlace(kept.walk, grantsOf(kept), narrowing);
  }

  /** The skill that a turn may not end in yet, with what is left undone; null where it may end. */
  unfinished(task: SessionTask): { readonly skill: string; readonly missing: string } | null {
    const walk = this.current(task);
    const missing = walk === null ? null : describeUnfinished(walk);
    return walk === null || missing === null ? null : { skill: walk.skill, missing };
  }

  /** Puts a copy of a task where its log says that it is. */
  takeFromLog(threadId: string): void {
    const last = new Map<string, StoredSession>();
    for (const { runId, walk } of this.#store.logged(threadId)) {
      const known = StoredSession.shape.walk.parse(walk);
      last.delete(known.skill);
      last.set(known.skill, sessionFromLog(known, this.#turnOf(runId)));
    }
    this.#stored.delete(threadId);
    for (const [skill, kept] of last) this.#store.put(threadId, skill, kept);
  }

  /** Throws `SKILL_STEP_SKIPPED` while the task has steps left in another skill. */
  #onlyIn(skill: string, what: string, call: SessionCall): void {
    const other = this.#current(call);
    if (other === null || other.walk.skill === skill || !this.#hasStepsLeft(other)) return;
    const why = `The skill ${other.walk.skill} is not done. ${whatIsNext(other.walk)} ${TO_LEAVE}`;
    this.#refuse(other, { what, why, code: 'SKILL_STEP_SKIPPED' }, call);
  }

  /** A skill that was loaded in this task, with the files that it was loaded with. Throws `SKILL_STEP_SKIPPED`. */
  #walked(
    skill: string,
    { what, sha256 }: { readonly what: string; readonly sha256: string },
    call: SessionCall,
  ): StoredSession {
    this.#onlyIn(skill, what, call);
    const kept = this.#find(skill, call);
    if (kept === null) throw notLoaded(skill);
    if (kept.walk.status !== 'active' || kept.walk.sha256 === sha256) return kept;
    const why = `${skill} was changed since it was loaded. Load it again with load_skill; its steps begin anew.`;
    return this.#refuse(kept, { what, why, code: 'SKILL_STEP_SKIPPED' }, call);
  }

  /** Of the skills that hold the task: the one with steps left, else the one that was moved last. */
  #current(task: SessionTask): StoredSession | null {
    const holding = this.#holding(task);
    return holding.find((kept) => this.#hasStepsLeft(kept)) ?? holding[0] ?? null;
  }

  /**
   * The skills that hold a task: one with steps left does over turns, as long as it may be used; any other
   * in the turn in which it was last moved. What they allow holds together.
   */
  #holding(task: SessionTask): StoredSession[] {
    const known = this.#kept(task);
    if (known.length === 0) return [];
    const turn = this.#turnOf(task.runId);
    return known.filter(
      (kept) => kept.walk.status === 'active' && (kept.runId === turn || this.#hasStepsLeft(kept)),
    );
  }

  #hasStepsLeft({ walk }: StoredSession): boolean {
    return requiredLeft(walk).length > 0 && this.#isReady(walk.skill);
  }

  /** Newest first. */
  #kept({ threadId, runId }: SessionTask): StoredSession[] {
    const known = this.#storedOf(threadId);
    if (known.length + this.#unstored.size === 0) return [];
    const turn = this.#turnOf(runId);
    const stored = known.map((kept) => sessionInTurn(kept, turn));
    if (this.#unstored.size === 0) return stored;
    const unstored = [...this.#unstored]
      .filter(([key, kept]) => key.startsWith(`${threadId}/`) && kept.runId === turn)
      .map(([, kept]) => kept);
    const names = new Set(unstored.map(({ walk }) => walk.skill));
    return [...unstored.reverse(), ...stored.filter(({ walk }) => !names.has(walk.skill))];
  }

  #storedOf(threadId: string): readonly StoredSession[] {
    const known = this.#stored.get(threadId);
    if (known !== undefined) return known;
    const stored = this.#store.list(threadId).map((state) => StoredSession.parse(state));
    const [oldest] = this.#stored.keys();
    if (oldest !== undefined && this.#stored.size >= KNOWN_TASKS) this.#stored.delete(oldest);
    this.#stored.set(threadId, stored);
    return stored;
  }

  #find(skill: string, call: SessionTask): StoredSession | null {
    return this.#kept(call).find(({ walk }) => walk.skill === skill) ?? null;
  }

  #refuse(
    kept: StoredSession,
    { what, why, code }: { readonly what: string; readonly why: string; readonly code: ErrorCode },
    call: SessionCall,
  ): never {
    if (!kept.refusedCalls.includes(call.toolCallId)) {
      const refusedCalls = [...kept.refusedCalls, call.toolCallId].slice(-REFUSED_CALLS);
      this.#put({ ...kept, refusedCalls, walk: withRefusal(kept.walk, what, why) }, call);
    }
    throw new AppError(code, why);
  }

  #put(changed: StoredSession, { threadId, runId, persist, emit }: SessionCall): void {
    const kept: StoredSession = { ...changed, runId: this.#turnOf(runId) };
    const { skill } = kept.walk;
    const key = `${threadId}/${skill}`;
    this.#unstored.delete(key);
    this.#unstored.set(key, kept);
    persist(() => {
      // Also where the transaction is not stored after all: then it is read again.
      this.#stored.delete(threadId);
      this.#store.put(threadId, skill, kept);
      if (this.#unstored.get(key) === kept) this.#unstored.delete(key);
    });
    emit({ type: 'skill_walk', walkId: key, walk: kept.walk });
  }
}

function grantsOf({ allowedTools }: StoredSession): readonly ToolGrant[] | null {
  return mapAllowedTools(allowedTools).grants;
}

function answerOf({ runId, round }: SessionCall): { runId: string; round: number } {
  return { runId, round };
}

function isSameAnswer(answer: StoredSession['movedIn'], { runId, round }: SessionCall): boolean {
  return answer !== null && answer.runId === runId && answer.round === round;
}

function notLoaded(skill: string): AppError {
  return new AppError(
    'SKILL_STEP_SKIPPED',
    `Load ${skill} with load_skill first: it is not at work in this task.`,
  );
}
