import type { RunEventOf } from '#contract/events/run-event.ts';
import type { NoteItem, RunView } from '../run-view.ts';
import { putNote } from '../transcript.ts';

type SkillEvent = RunEventOf<'skill_output' | 'plan_step'>;

const STATES: Readonly<Record<RunEventOf<'plan_step'>['status'], NoteItem['state']>> = {
  pending: 'neutral',
  running: 'running',
  completed: 'ok',
  failed: 'failed',
  skipped: 'neutral',
};

export function reduceSkills(view: RunView, event: SkillEvent): RunView {
  switch (event.type) {
    case 'skill_output':
      return putNote(view, event, {
        key: `skill ${event.executionId}`,
        topic: 'skill',
        title: event.skillId,
        detail: event.downloadUrl ?? event.previewUrl ?? '',
        state: 'ok',
      });
    case 'plan_step':
      return putNote(view, event, {
        key: `step ${event.stepId}`,
        topic: 'plan',
        title: event.title,
        detail: event.detail ?? '',
        state: STATES[event.status],
      });
  }
}
