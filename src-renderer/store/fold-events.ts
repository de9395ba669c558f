import type { RunEvent } from '#contract/events/run-event.ts';
import { reduceContent } from './reducers/content.ts';
import { reduceHitl } from './reducers/hitl.ts';
import { reduceLifecycle } from './reducers/lifecycle.ts';
import { reduceParallel } from './reducers/parallel.ts';
import { reducePlanning } from './reducers/planning.ts';
import { reduceResearch } from './reducers/research.ts';
import { reduceSandbox } from './reducers/sandbox.ts';
import { reduceSkills } from './reducers/skills.ts';
import { reduceTools } from './reducers/tools.ts';
import type { RunView } from './run-view.ts';

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

function reduceEvent(view: RunView, event: RunEvent): RunView {
  switch (event.type) {
    case 'stage':
    case 'complete':
    case 'error':
    case 'usage':
      return reduceLifecycle(view, event);
    case 'token':
    case 'reasoning':
    case 'image':
    case 'code_result':
      return reduceContent(view, event);
    case 'tool_call':
    case 'tool_result':
      return reduceTools(view, event);
    case 'source':
    case 'routing':
    case 'handoff':
    case 'search_plan':
    case 'knowledge_update':
    case 'report':
      return reduceResearch(view, event);
    case 'browser_stream':
    case 'browser_action':
    case 'workspace_update':
    case 'terminal_command':
    case 'terminal_output':
    case 'terminal_error':
    case 'terminal_complete':
      return reduceSandbox(view, event);
    case 'skill_output':
    case 'skill_walk':
      return reduceSkills(view, event);
    case 'interrupt':
    case 'interrupt_response':
      return reduceHitl(view, event);
    case 'plan_overview':
    case 'plan_step':
    case 'plan_step_completed':
    case 'todo_update':
    case 'verification':
      return reducePlanning(view, event);
    case 'parallel_start':
    case 'parallel_task':
    case 'parallel_complete':
      return reduceParallel(view, event);
    default:
      return passOver(view, event);
  }
}

/** Does not compile while an event type has no reducer. A window older than main ignores unknown types. */
function passOver(view: RunView, _event: never): RunView {
  return view;
}
