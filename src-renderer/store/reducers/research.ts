import type { RunEventOf } from '#contract/events/run-event.ts';
import type { RunView } from '../run-view.ts';
import { putNote } from '../transcript.ts';

type ResearchEvent = RunEventOf<
  'source' | 'routing' | 'handoff' | 'search_plan' | 'knowledge_update' | 'report'
>;

export function reduceResearch(view: RunView, event: ResearchEvent): RunView {
  switch (event.type) {
    case 'source':
      return putNote(view, event, {
        key: `source ${event.index}`,
        topic: 'research',
        title: `${event.index}. ${event.title}`,
        detail: event.url,
        state: 'neutral',
      });
    case 'routing':
      return putNote(view, event, {
        key: `routing ${event.seq}`,
        topic: 'research',
        title: event.reason,
        detail: '',
        state: 'neutral',
      });
    case 'handoff':
      return putNote(view, event, {
        key: `handoff ${event.handoffId}`,
        topic: 'research',
        title: event.task,
        detail: `${event.from} → ${event.to}`,
        state: 'neutral',
      });
    case 'search_plan':
      return putNote(view, event, {
        key: `search ${event.planId}`,
        topic: 'research',
        title: event.queries.join(' · '),
        detail: event.scenario ?? '',
        state: 'neutral',
      });
    case 'knowledge_update':
      return putNote(view, event, {
        key: `knowledge ${event.updateId}`,
        topic: 'research',
        title: event.summary,
        detail: event.openQuestions.join(' · '),
        state: 'neutral',
      });
    case 'report':
      return putNote(view, event, {
        key: `report ${event.reportId}`,
        topic: 'research',
        title: event.title,
        detail: event.path ?? '',
        state: 'ok',
      });
  }
}
