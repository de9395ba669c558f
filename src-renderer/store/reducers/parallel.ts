import type { Reducers, RunView } from '../run-view.ts';
import { findItem, putNote } from '../transcript.ts';
import { addLanes, isOfPlan } from './planning.ts';

export const parallelReducers = {
  parallel_start: (view, event) => {
    if (isInPlan(view, event)) return view;
    if (isOfPlan(view, event.taskIds)) return addLanes(view, event);
    return putNote(view, event, {
      key: keyOf(event),
      topic: 'parallel',
      title: event.title,
      detail: `0 / ${event.taskIds.length}`,
      state: 'running',
    });
  },
  parallel_task: (view, event) => {
    if (isInPlan(view, event)) return view;
    return putNote(view, event, {
      key: `${keyOf(event)} ${event.taskId}`,
      topic: 'parallel',
      title: event.title,
      detail: '',
      state: event.status === 'completed' ? 'ok' : event.status,
    });
  },
  parallel_complete: (view, event) => {
    if (isInPlan(view, event)) return view;
    return putNote(view, event, {
      key: keyOf(event),
      topic: 'parallel',
      title: findItem(view, 'note', keyOf(event))?.item.title ?? '',
      detail: `${event.completed} / ${event.completed + event.failed}`,
      state: event.failed === 0 ? 'ok' : 'failed',
    });
  },
} satisfies Partial<Reducers>;

interface OfGroup {
  readonly groupId: string;
}

const keyOf = ({ groupId }: OfGroup): string => `group ${groupId}`;

/** Steps of the plan that run side by side are shown there. */
function isInPlan(view: RunView, { groupId }: OfGroup): boolean {
  return view.plan?.lanes.has(groupId) === true;
}
