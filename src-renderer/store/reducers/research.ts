import { defined } from '#contract/defined.ts';
import type { RunEvent, RunEventOf } from '#contract/events/run-event.ts';
import {
  countSources,
  NO_PROGRESS,
  type ResearchProgress,
  type ResearchView,
  researchPhase,
} from '../research-view.ts';
import type { Reducers, RunView } from '../run-view.ts';
import { suggest } from '../suggest.ts';
import { putItem } from '../transcript.ts';

export const researchReducers = {
  routing: (view, event) => {
    const { route, agent, reason, seq } = event;
    return putItem(view, event, { kind: 'routing', key: `routing ${seq}`, route, agent, reason });
  },
  handoff: (view, event) => {
    const { handoffId, from, to, task, artifacts } = event;
    const key = `handoff ${handoffId}`;
    return putItem(view, event, { kind: 'handoff', key, from, to, task, artifacts });
  },
  source: addSource,
  search_plan: (view, event) =>
    progress(view, event, (before) => ({
      depth: event.depth ?? before.depth,
      scenario: event.scenario ?? before.scenario,
      subQuestions: joined(before.subQuestions, event.subQuestions ?? []),
      queries: joined(before.queries, event.queries),
    })),
  knowledge_update: (view, event) =>
    progress(view, event, (before) => ({
      coverage: event.coverage ?? before.coverage,
      openQuestions: event.openQuestions,
      summary: event.summary,
    })),
  report: addReport,
} satisfies Partial<Reducers>;

/** A stage that is a phase of research moves its card. */
export function noteResearchPhase(view: RunView, event: RunEventOf<'stage'>): RunView {
  const phase = researchPhase(event.name);
  if (phase === null) return view;
  return progress(view, event, ({ phases }) => ({
    phases: new Map(phases).set(phase, event.status),
  }));
}

/** Ends the research of a run. */
export function endResearch(view: RunView, event: RunEvent): RunView {
  const before = view.research.progress;
  return before === null || before.isOver ? view : progress(view, event, () => ({ isOver: true }));
}

function addSource(view: RunView, event: RunEventOf<'source'>): RunView {
  const { index } = event;
  const { url, title, snippet, foundBy, excerpts, toolCallId, isRead } = {
    ...view.research.sources.get(index),
    ...event,
  };
  const source = defined({ index, url, title, snippet, foundBy, excerpts, toolCallId, isRead });
  const sources = new Map(view.research.sources).set(index, source);
  const changed = suggest(withResearch(view, event, { sources }), 'sources');
  if (view.research.progress !== null && toolCallId === undefined) {
    return progress(changed, event, () => ({}));
  }
  return putItem(changed, event, { kind: 'sources', key: 'sources', count: sources.size });
}

function addReport(view: RunView, event: RunEventOf<'report'>): RunView {
  const earlier = view.research.reports.filter(({ reportId }) => reportId !== event.reportId);
  const changed = withResearch(view, event, { reports: [...earlier, event] });
  const ended = changed.research.progress === null ? changed : endResearch(changed, event);
  const { reportId, title, path = null, citations, contradictions, gaps } = event;
  return putItem(suggest(ended, 'report'), event, {
    kind: 'report',
    key: `report ${reportId}`,
    reportId,
    title,
    path,
    citations: citations.length,
    doubtful: citations.filter(({ supported }) => !supported).length,
    contradictions: contradictions.length,
    gaps: gaps.length,
  });
}

function progress(
  view: RunView,
  event: RunEvent,
  change: (before: ResearchProgress) => Partial<ResearchProgress>,
): RunView {
  const before = view.research.progress ?? NO_PROGRESS;
  const counts = countSources(view.research.sources);
  const after: ResearchProgress = { ...before, ...counts, ...change(before) };
  const changed = withResearch(view, event, { progress: after });
  return putItem(changed, event, { kind: 'research', key: 'research', progress: after });
}

function withResearch(
  view: RunView,
  event: { readonly seq: number },
  change: Partial<ResearchView>,
): RunView {
  return { ...view, research: { ...view.research, ...change, version: event.seq } };
}

function joined(before: readonly string[], more: readonly string[]): readonly string[] {
  return [...new Set([...before, ...more])];
}
