import { z } from 'zod';
import { AppError, type ErrorCode } from '#contract/errors.ts';
import type { RunEventDraft } from '#contract/events/run-event.ts';
import { type SkillStep, SkillWalk } from '#contract/skills.ts';
import type { SkillWalkStore } from '../../storage/skill-types.ts';
import { ALWAYS_ALLOWED } from './allowed-tools.ts';
import { LEAVE_CHECKPOINT, sameCheckpoint } from './parse-steps.ts';
import {
  answerInWalk,
  completeInWalk,
  type Moved,
  readInWalk,
  requiredLeft,
  startWalk,
  withRefusal,
} from './walk.ts';
import { describePlace, describeUnfinished, whatIsNext } from './walk-text.ts';

/** The call that a walk is asked about, and how what follows from it is stored. */
export interface WalkCall {
  readonly threadId: string;
  readonly runId: string;
  readonly toolCallId: string;
  readonly persist: (work: () => void) => void;
  readonly emit: (event: RunEventDraft) => void;
}

/** The task and its run, of which a place is asked. */
export type WalkTask = Pick<WalkCall, 'threadId' | 'runId'>;

/** A skill as it is walked: the steps and the tools of exactly the files of `sha256`. */
export interface WalkedSkill {
  readonly skill: string;
  readonly sha256: string;
  readonly steps: readonly SkillStep[];
  readonly allowedTools: readonly string[] | null;
}

const KeptWalk = z.object({
  walk: SkillWalk,
  allowedTools: z.array(z.string()).nullable(),
  /** The run in which it was last moved. */
  runId: z.string(),
  /** The run in which the person said no to it: there nothing more may be done. */
  stoppedIn: z.string().nullable(),
  /** Calls that were refused, as far as refusals are kept: one that is made again is told once. */
  refusedCalls: z.array(z.string()),
});
type KeptWalk = z.infer<typeof KeptWalk>;
const REFUSED_CALLS = 40;
/** Tasks whose stored walks are kept in memory. */
const KNOWN_TASKS = 50;

/**
 * How far tasks are in Markdown skills. A walk moves only by the tools that skills are read with; each move
 * is stored in one transaction with the result of its call, so a run that goes on after a crash finds both
 * or neither. What may not be done throws, and the model is told why.
 */
export class SkillWalks {
  readonly #store: SkillWalkStore;
  /** What will be on disk within a frame, by its run: whoever asks before that sees it all the same. */
  readonly #unstored = new Map<string, KeptWalk>();
  /**
   * What is stored of a task, as it was read last: each call of a run asks several times, and mostly there is
   * nothing. Nobody else writes walks while this process has the data folder.
   */
  readonly #stored = new Map<string, readonly KeptWalk[]>();

  constructor(store: SkillWalkStore) {
    this.#store = store;
  }

  /**
   * Whether a call may be made at all: not after the person stopped the skill in this turn, and with no
   * other tools than the skill allows. Throws `TOOL_DENIED`.
   */
  gate(toolName: string, call: WalkCall): void {
    const held = this.#hold(toolName, call);
    if (held === null) return;
    this.#refuse(held.kept, { what: toolName, why: held.why, code: 'TOOL_DENIED' }, call);
  }

  /** Whether `gate` would refuse a call now; nothing is noted. */
  isHeld(toolName: string, task: WalkTask): boolean {
    return this.#hold(toolName, task) !== null;
  }

  #hold(
    toolName: string,
    task: WalkTask,
  ): { readonly kept: KeptWalk; readonly why: string } | null {
    const stopped = this.#kept(task).find(({ stoppedIn }) => stoppedIn === task.runId);
    if (stopped !== undefined) {
      const why = `The person stopped the skill ${stopped.walk.skill}. Make no more calls in this turn: say what was done and what was not, and end.`;
      return { kept: stopped, why };
    }
    const kept = this.#inForce(task);
    if (kept === null || kept.allowedTools === null || ALWAYS_ALLOWED.has(toolName)) return null;
    if (kept.allowedTools.includes(toolName)) return null;
    const allowed = kept.allowedTools.join(', ') || 'no tool but those of skills';
    const why = `The skill ${kept.walk.skill} allows ${allowed}; ${toolName} is not among them. To leave the skill, ask with request_human_approval and the checkpoint ${LEAVE_CHECKPOINT}.`;
    return { kept, why };
  }

  /** Begins a skill, or goes on with it. Throws `SKILL_STEP_SKIPPED` while another one is not done. */
  load({ skill, sha256, steps, allowedTools }: WalkedSkill, call: WalkCall): SkillWalk {
    const other = this.#inForce(call);
    if (other !== null && other.walk.skill !== skill) {
      const left = requiredLeft(other.walk);
      if (left.length > 0) {
        const why = `The skill ${other.walk.skill} is not done. ${whatIsNext(other.walk)} To leave it, ask with request_human_approval and the checkpoint ${LEAVE_CHECKPOINT}.`;
        this.#refuse(other, { what: `load_skill ${skill}`, why, code: 'SKILL_STEP_SKIPPED' }, call);
      }
      this.#put({ ...other, walk: { ...other.walk, status: 'completed' } }, call);
    }
    const known = this.#find(skill, call);
    const goesOn = known?.walk.status === 'active' && known.walk.sha256 === sha256;
    const begun: KeptWalk = goesOn
      ? { ...known, runId: call.runId }
      : {
          walk: startWalk(skill, sha256, steps),
          allowedTools: allowedTools === null ? null : [...allowedTools],
          ...{ runId: call.runId, stoppedIn: null, refusedCalls: [] },
        };
    this.#put(begun, call);
    return begun.walk;
  }

  /** The skill that a task is in; null for none. */
  current(call: WalkTask): SkillWalk | null {
    return this.#inForce(call)?.walk ?? null;
  }

  /** A file of a skill is about to be given. Throws `SKILL_STEP_SKIPPED` where a step before it is not done. */
  read(
    skill: string,
    file: { readonly path: string; readonly sha256: string },
    call: WalkCall,
  ): void {
    const kept = this.#find(skill, call);
    if (kept === null || kept.walk.status !== 'active') {
      throw new AppError(
        'SKILL_STEP_SKIPPED',
        `Load ${skill} with load_skill first: it is not at work in this task.`,
      );
    }
    const what = `read_file ${file.path}`;
    if (kept.walk.sha256 !== file.sha256) {
      const why = `${skill} was changed since it was loaded. Load it again with load_skill; its steps begin anew.`;
      this.#refuse(kept, { what, why, code: 'SKILL_STEP_SKIPPED' }, call);
    }
    this.#move(kept, { what, moved: readInWalk(kept.walk, file.path) }, call);
  }

  /** A checkpoint is about to be put to the person. Throws `SKILL_STEP_SKIPPED` where a step before it is not done. */
  mayAsk(checkpoint: string, call: WalkCall): void {
    const kept = this.#inForce(call);
    if (kept === null) return;
    const moved = answerInWalk(kept.walk, checkpoint);
    if (moved.ok) return;
    const what = `request_human_approval ${checkpoint}`;
    this.#refuse(kept, { what, why: moved.why, code: 'SKILL_STEP_SKIPPED' }, call);
  }

  /** The person answered a checkpoint; `cancelled` where they said no: that ends the skill. */
  answered(checkpoint: string, isYes: boolean, call: WalkCall): void {
    const kept = this.#inForce(call);
    if (kept === null) return;
    const isLeaving = sameCheckpoint(checkpoint, LEAVE_CHECKPOINT);
    // A no to leaving is no more than that.
    if (isLeaving && !isYes) return;
    if (isLeaving || !isYes) {
      const stoppedIn = isLeaving ? null : call.runId;
      this.#put({ ...kept, stoppedIn, walk: { ...kept.walk, status: 'cancelled' } }, call);
      return;
    }
    const moved = answerInWalk(kept.walk, checkpoint);
    if (moved.ok && moved.walk !== kept.walk) this.#put({ ...kept, walk: moved.walk }, call);
  }

  /** A step is said to be done. Throws `SKILL_STEP_SKIPPED` with what is missing. */
  complete(skill: string, step: number, call: WalkCall): SkillWalk {
    const kept = this.#find(skill, call);
    if (kept === null) {
      throw new AppError(
        'SKILL_STEP_SKIPPED',
        `Load ${skill} with load_skill first: it is not at work in this task.`,
      );
    }
    const what = `complete_skill_step ${step}`;
    return this.#move(kept, { what, moved: completeInWalk(kept.walk, step) }, call);
  }

  /** What the model is told of its place at the end of each request; null where it is in no skill. */
  place(task: WalkTask): string | null {
    const kept = this.#inForce(task);
    return kept === null ? null : describePlace(kept.walk, kept.allowedTools);
  }

  /** The skill that a turn may not end in yet, with what is left undone; null where it may end. */
  unfinished(task: WalkTask): { readonly skill: string; readonly missing: string } | null {
    const walk = this.current(task);
    const missing = walk === null ? null : describeUnfinished(walk);
    return walk === null || missing === null ? null : { skill: walk.skill, missing };
  }

  /**
   * The skill that holds the task: one with steps left holds it over turns; one that nothing is left of
   * holds the turn in which it was last moved.
   */
  #inForce(task: WalkTask): KeptWalk | null {
    const active = this.#kept(task).filter(({ walk }) => walk.status === 'active');
    return (
      active.find(({ walk, runId }) => runId === task.runId || requiredLeft(walk).length > 0) ??
      null
    );
  }

  #kept({ threadId, runId }: WalkTask): readonly KeptWalk[] {
    const stored = this.#storedOf(threadId);
    if (this.#unstored.size === 0) return stored;
    const unstored = [...this.#unstored]
      .filter(([key, kept]) => key.startsWith(`${threadId}/`) && kept.runId === runId)
      .map(([, kept]) => kept);
    const names = new Set(unstored.map(({ walk }) => walk.skill));
    return [...unstored.reverse(), ...stored.filter(({ walk }) => !names.has(walk.skill))];
  }

  #storedOf(threadId: string): readonly KeptWalk[] {
    const known = this.#stored.get(threadId);
    if (known !== undefined) return known;
    const stored = this.#store.list(threadId).map((state) => KeptWalk.parse(state));
    const [oldest] = this.#stored.keys();
    if (oldest !== undefined && this.#stored.size >= KNOWN_TASKS) this.#stored.delete(oldest);
    this.#stored.set(threadId, stored);
    return stored;
  }

  #find(skill: string, call: WalkTask): KeptWalk | null {
    return this.#kept(call).find(({ walk }) => walk.skill === skill) ?? null;
  }

  #move(
    kept: KeptWalk,
    { what, moved }: { readonly what: string; readonly moved: Moved },
    call: WalkCall,
  ): SkillWalk {
    if (!moved.ok) this.#refuse(kept, { what, why: moved.why, code: 'SKILL_STEP_SKIPPED' }, call);
    if (moved.walk !== kept.walk) this.#put({ ...kept, walk: moved.walk }, call);
    return moved.walk;
  }

  #refuse(
    kept: KeptWalk,
    { what, why, code }: { readonly what: string; readonly why: string; readonly code: ErrorCode },
    call: WalkCall,
  ): never {
    if (!kept.refusedCalls.includes(call.toolCallId)) {
      const refusedCalls = [...kept.refusedCalls, call.toolCallId].slice(-REFUSED_CALLS);
      this.#put({ ...kept, refusedCalls, walk: withRefusal(kept.walk, what, why) }, call);
    }
    throw new AppError(code, why);
  }

  #put(changed: KeptWalk, { threadId, runId, persist, emit }: WalkCall): void {
    const kept: KeptWalk = { ...changed, runId };
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
