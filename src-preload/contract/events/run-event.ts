import { z } from 'zod';
import { contentEvents } from './content.ts';
import { hitlEvents } from './hitl.ts';
import { lifecycleEvents } from './lifecycle.ts';
import { parallelEvents } from './parallel.ts';
import { planningEvents } from './planning.ts';
import { researchEvents } from './research.ts';
import { sandboxEvents } from './sandbox.ts';
import { skillEvents } from './skills.ts';
import { toolEvents } from './tools.ts';

/** All events of a run. The ordered log of these is the single source of truth about a run. */
export const RunEvent = z.discriminatedUnion('type', [
  ...lifecycleEvents,
  ...contentEvents,
  ...toolEvents,
  ...researchEvents,
  ...sandboxEvents,
  ...skillEvents,
  ...hitlEvents,
  ...planningEvents,
  ...parallelEvents,
]);
export type RunEvent = z.infer<typeof RunEvent>;

export type RunEventType = RunEvent['type'];

/** The member of the union with this `type`. */
export type RunEventOf<Type extends RunEventType> = Extract<RunEvent, { type: Type }>;

/** An event before the run service numbers it. */
export type RunEventDraft = {
  [Type in RunEventType]: Omit<RunEventOf<Type>, 'runId' | 'seq' | 'at'>;
}[RunEventType];
