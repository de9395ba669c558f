import type { RunEventOf } from '#contract/events/run-event.ts';
import type { RunView } from '../run-view.ts';
import { findItem, putNote } from '../transcript.ts';
import { addLanes, isOfPlan } from './planning.ts';

type ParallelEvent = RunEventOf<'parallel_start' | 'parallel_task' | 'parallel_complete'>;

export function reduceParallel(view: RunView, event: ParallelEvent): RunView {
  const group = `group ${event.groupId}`;
  // Steps of the plan that run side by side are shown there.
  if (view.plan?.lanes.has(event.groupId)) return view;
  switch (event.type) {
    case 'parallel_start':
      if (isOfPlan(view, event.taskIds)) return addLanes(view, event);
      return putNote(view, event, {
        key: group,
        topic: 'parallel',
        title: event.title,
        detail: `0 / ${event.taskIds.length}`,
        state: 'running',
      });
    case 'parallel_task':
      return putNote(view, event, {
        key: `${group} ${event.taskId}`,
        topic: 'parallel',
        title: event.title,
        detail: '',
        state: event.status === 'completed' ? 'ok' : event.status,
      });
    case 'parallel_complete':
      return putNote(view, event, {
        key: group,
        topic: 'parallel',
        title: findItem(view, 'note', group)?.item.title ?? '',
        detail: `${event.completed} / ${event.completed + event.failed}`,
        state: event.failed === 0 ? 'ok' : 'failed',
      });
  }
}
