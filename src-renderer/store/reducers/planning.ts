import type { RunEventOf } from '#contract/events/run-event.ts';
import type { NoteItem, RunView } from '../run-view.ts';
import { findItem, putNote } from '../transcript.ts';

type PlanningEvent = RunEventOf<
  'plan_overview' | 'plan_step_completed' | 'todo_update' | 'verification'
>;

export function reducePlanning(view: RunView, event: PlanningEvent): RunView {
  switch (event.type) {
    case 'plan_overview':
      return putNote(view, event, {
        key: `plan ${event.revision}`,
        topic: 'plan',
        title: event.steps.map((step, index) => `${index + 1}. ${step.title}`).join('  '),
        detail: event.reason ?? '',
        state: 'neutral',
      });
    case 'plan_step_completed': {
      const key = `step ${event.stepId}`;
      return putNote(view, event, {
        key,
        topic: 'plan',
        title: findItem(view, 'note', key)?.item.title ?? event.stepId,
        detail: event.summary,
        state: STEP_STATES[event.status],
      });
    }
    case 'todo_update':
      return putNote(view, event, {
        key: 'todo',
        topic: 'plan',
        title: event.markdown,
        detail: '',
        state: 'neutral',
      });
    case 'verification':
      return putNote(view, event, {
        key: `verification ${event.verificationId}`,
        topic: 'verification',
        title: event.facts.map((fact) => fact.claim).join(' · '),
        detail: event.facts.map((fact) => fact.evidence).join(' · '),
        state: event.verdict === 'verified' ? 'ok' : 'failed',
      });
  }
}

export const STEP_STATES: Readonly<
  Record<RunEventOf<'plan_step_completed'>['status'], NoteItem['state']>
> = { completed: 'ok', failed: 'failed', skipped: 'neutral' };
