import { z } from 'zod';
import { SkillProgress } from '#contract/skills.ts';
import { mapAllowedTools } from './allowed-tools.ts';
import { noteUserMessage } from './skill-progress.ts';
import type { ToolGrant } from './tool-grant.ts';

/** An answer of a model, by its run and step. */
const StoredAnswerPlace = z.object({ runId: z.string(), answer: z.string() });

/** A skill session as it is stored with its task. */
export const StoredSession = z.object({
  walk: SkillProgress,
  /** Names as the skill's front matter has them. */
  allowedTools: z.array(z.string()).nullable(),
  /** The turn in which it last changed, by the run that the turn began with. */
  runId: z.string(),
  /** The turn in which the user stopped it: no more calls are allowed in that turn. */
  stoppedIn: z.string().nullable(),
  /** Calls that were refused, as far as refusals are kept: a repeated call is noted once. */
  refusedCalls: z.array(z.string()),
  /** The model's answer whose calls last moved the session. */
  movedIn: StoredAnswerPlace.nullable().default(null),
  /** The model's answer whose calls last asked the user. */
  askedIn: StoredAnswerPlace.nullable().default(null),
});
export type StoredSession = z.infer<typeof StoredSession>;

/** The session as of a turn: every turn after the last change began with a message of the user. */
export function sessionInTurn(session: StoredSession, turn: string): StoredSession {
  return session.runId === turn ? session : { ...session, walk: noteUserMessage(session.walk) };
}

/** A session from the progress in a run's log: a copied task has nothing more of it. */
export function sessionFromLog(progress: SkillProgress, runId: string): StoredSession {
  return {
    walk: progress,
    runId,
    allowedTools: progress.allowedTools ?? null,
    refusedCalls: [],
    stoppedIn: progress.isStopped === true ? runId : null,
    movedIn: null,
    askedIn: null,
  };
}

type AnswerPlace = z.infer<typeof StoredAnswerPlace>;

/** What the calls of its model may do; null where nothing is restricted. */
export function grantsOf({ allowedTools }: StoredSession): readonly ToolGrant[] | null {
  return mapAllowedTools(allowedTools).grants;
}

/** Where an answer is, from a call of it. */
export function answerOf({ runId, answer }: AnswerPlace): AnswerPlace {
  return { runId, answer };
}

export function isSameAnswer(
  place: StoredSession['movedIn'],
  { runId, answer }: AnswerPlace,
): boolean {
  return place !== null && place.runId === runId && place.answer === answer;
}
