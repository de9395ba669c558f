import type { RunEventOf } from '#contract/events/run-event.ts';
import type { RunView } from '../run-view.ts';
import { putNote } from '../transcript.ts';

export function reduceSkills(view: RunView, event: RunEventOf<'skill_output'>): RunView {
  return putNote(view, event, {
    key: `skill ${event.executionId}`,
    topic: 'skill',
    title: event.skillId,
    detail: event.downloadUrl ?? event.previewUrl ?? '',
    state: 'ok',
  });
}
