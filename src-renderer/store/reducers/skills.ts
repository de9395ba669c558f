import type { RunEventOf } from '#contract/events/run-event.ts';
import type { RunView } from '../run-view.ts';
import { putNote } from '../transcript.ts';

export function reduceSkills(
  view: RunView,
  event: RunEventOf<'skill_output' | 'skill_walk'>,
): RunView {
  if (event.type === 'skill_walk') {
    const done = event.walk.steps.filter(({ status }) => status === 'done').length;
    return putNote(view, event, {
      key: `walk ${event.walkId}`,
      topic: 'skill',
      title: event.walk.skill,
      detail: `${done}/${event.walk.steps.length}`,
      state: 'ok',
    });
  }
  return putNote(view, event, {
    key: `skill ${event.executionId}`,
    topic: 'skill',
    title: event.skillId,
    detail: event.downloadUrl ?? event.previewUrl ?? '',
    state: 'ok',
  });
}
