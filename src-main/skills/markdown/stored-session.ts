import { z } from 'zod';
import { SkillProgress } from '#contract/skills.ts';
import { noteUserMessage } from './skill-progress.ts';

/** A walk as it is stored beside its task. */
export const StoredSession = z.object({
  walk: SkillProgress,
  /** Names as the skill's front matter has them. */
  allowedTools: z.array(z.string()).nullable(),
  /** The turn in which it was last moved, by the run that the turn began with. */
  runId: z.string(),
  /** The turn in which the person said no to it: there nothing more may be done. */
  stoppedIn: z.string().nullable(),
  /** Calls that were refused, as far as refusals are kept: one that is made again is told once. */
  refusedCalls: z.array(z.string()),
  /** The answer in whose calls the model was last given something of it. */
  movedIn: z.object({ runId: z.string(), round: z.number() }).nullable().default(null),
  /** The answer in whose calls the person was last asked. */
  askedIn: z.object({ runId: z.string(), round: z.number() }).nullable().default(null),
});
export type StoredSession = z.infer<typeof StoredSession>;

/** As it stands in a turn: one that came after the last move began with words of the person. */
export function sessionInTurn(kept: StoredSession, turn: string): StoredSession {
  return kept.runId === turn ? kept : { ...kept, walk: noteUserMessage(kept.walk) };
}

/** A walk that was found in the log of a run: in a copy of a task there is no more of it. */
export function sessionFromLog(walk: SkillProgress, runId: string): StoredSession {
  return {
    ...{ walk, runId, allowedTools: walk.allowedTools ?? null, refusedCalls: [] },
    ...{ stoppedIn: walk.isStopped === true ? runId : null, movedIn: null, askedIn: null },
  };
}
