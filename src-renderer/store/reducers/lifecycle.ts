import type { RunEventOf } from '#contract/events/run-event.ts';
import { addCosts } from '#contract/run-costs.ts';
import type { NoteItem, Reducers, RunEnd, RunView } from '../run-view.ts';
import { addItem, putNote, setActivity, settle, stopItems } from '../transcript.ts';
import { endPlan, notShown } from './planning.ts';
import { endResearch, noteResearchPhase } from './research.ts';
import { noteSkillStage } from './skills.ts';

export const lifecycleReducers = {
  stage: reduceStage,
  usage: (view, event) => setActivity(addUsage(settle(view, event), event), event, 'model'),
  complete: (view, event) =>
    conclude(showAnswer(settle(view, event), event), event, {
      kind: 'complete',
      outcome: event.outcome,
      answer: event.answer,
      notShown: event.outcome === 'unverified' ? notShown(view) : [],
      durationMs: event.durationMs,
      rounds: event.rounds,
      toolCalls: event.toolCalls,
    }),
  error: (view, event) =>
    conclude(settle(view, event), event, {
      kind: 'error',
      code: event.code,
      message: event.message,
      kept: event.kept ?? null,
    }),
} satisfies Partial<Reducers>;

/**
 * Notes that stay visible: changes to the conversation, findings, hints to a looping model, background
 * programs.
 */
function lastingTopic({ name, status }: RunEventOf<'stage'>): NoteItem['topic'] | null {
  // A change of strategy has no duration; its name is numbered.
  if (/^change_strategy\b/.test(name)) return 'strategy';
  if (status === 'running') return null;
  return name === 'context' || name === 'guardrails' || name === 'background' ? name : null;
}

/** A repeated stage (with its elapsed seconds) keeps its start time. */
function reduceStage(before: RunView, event: RunEventOf<'stage'>): RunView {
  const view = noteSkillStage(noteResearchPhase(before, event), event);
  const topic = lastingTopic(event);
  if (topic !== null) {
    const key = `${event.name}-${event.seq}`;
    const note = { topic, title: event.description, detail: '', state: 'neutral' } as const;
    return clearStage(putNote(settle(view, event), event, { key, ...note }), event);
  }
  const { activity } = view;
  if (event.status !== 'running') return clearStage(view, event);
  const since = activity.stageName === event.name ? activity.since : event.at;
  return {
    ...view,
    activity: { kind: activity.kind, stage: event.description, stageName: event.name, since },
  };
}

function clearStage(view: RunView, event: RunEventOf<'stage'>): RunView {
  const { activity } = view;
  if (activity.stageName !== event.name) return view;
  return { ...view, activity: { ...activity, stage: null, stageName: null, since: event.at } };
}

function addUsage(view: RunView, event: RunEventOf<'usage'>): RunView {
  // Requests outside of the conversation do not count towards its context window.
  const isBeside = event.parts === undefined && event.contextWindow === undefined;
  const last = isBeside ? view.usage.last : event;
  return { ...view, usage: { last, costs: addCosts(view.usage.costs, event) } };
}

/** Shows an answer that came without token events. */
function showAnswer(view: RunView, event: RunEventOf<'complete'>): RunView {
  const last = view.transcript.items.findLast((item) => item.kind === 'text');
  const shown = last !== undefined && event.answer.trimEnd().endsWith(last.source.trim());
  if (shown || event.answer.trim() === '') return view;
  return addItem(view, event, {
    kind: 'text',
    key: 'answer',
    messageId: 'answer',
    source: event.answer,
    finished: true,
    firstOfMessage: true,
    definitions: '',
  });
}

function conclude(view: RunView, event: RunEventOf<'complete' | 'error'>, end: RunEnd): RunView {
  const stopped = endPlan(endResearch(stopItems(view, event), event), event);
  const ended = addItem({ ...stopped, end }, event, { kind: 'end', key: 'end', end });
  const quiet = { ...ended, questions: { version: event.seq, open: new Map() } };
  return setActivity(quiet, event, 'ended');
}
