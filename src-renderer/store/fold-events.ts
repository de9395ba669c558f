import type { RunEvent } from '#contract/events/run-event.ts';
import { contentReducers } from './reducers/content.ts';
import { hitlReducers } from './reducers/hitl.ts';
import { lifecycleReducers } from './reducers/lifecycle.ts';
import { parallelReducers } from './reducers/parallel.ts';
import { planningReducers } from './reducers/planning.ts';
import { researchReducers } from './reducers/research.ts';
import { sandboxReducers } from './reducers/sandbox.ts';
import { skillReducers } from './reducers/skills.ts';
import { toolReducers } from './reducers/tools.ts';
import type { Reducers, RunView } from './run-view.ts';

/**
 * The view after `events`, which are in order. Known events are skipped; at a gap the fold stops, and
 * `lastSeq` of the view says from where to read the log. The result takes over the structures inside
 * `view`, which must not be read afterwards.
 */
export function foldEvents(view: RunView, events: readonly RunEvent[]): RunView {
  let next = view;
  for (const event of events) {
    if (event.seq <= next.lastSeq) continue;
    if (event.seq > next.lastSeq + 1) break;
    const startedAt = next.lastSeq === 0 ? event.at : next.startedAt;
    next = { ...reduceEvent(next, event), lastSeq: event.seq, startedAt };
  }
  return next;
}

/** Does not compile while a type of event has no reducer. */
const REDUCERS: Reducers = {
  ...lifecycleReducers,
  ...contentReducers,
  ...toolReducers,
  ...researchReducers,
  ...sandboxReducers,
  ...skillReducers,
  ...hitlReducers,
  ...planningReducers,
  ...parallelReducers,
};

function reduceEvent(view: RunView, event: RunEvent): RunView {
  // A window that is older than main ignores types that it does not know.
  if (!Object.hasOwn(REDUCERS, event.type)) return view;
  // The record pairs each type with the reducer for it, which the compiler cannot follow here.
  const reduce = REDUCERS[event.type] as (view: RunView, event: RunEvent) => RunView;
  return reduce(view, event);
}
