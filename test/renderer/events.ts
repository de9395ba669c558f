import type { RunEvent, RunEventDraft } from '#contract/events/run-event.ts';
import { CSV_RUN, FAKE_SHA } from '../fakes/csv-run.ts';

/** Numbers drafts as main does: gapless from 1, a tenth of a second apart. */
export function log(drafts: readonly RunEventDraft[], runId = 'run'): RunEvent[] {
  return drafts.map((draft, index) => {
    return { runId, seq: index + 1, at: 1_000 + index * 100, ...draft } as RunEvent;
  });
}

/** The whole CSV task, approved. */
export const CSV_LOG = log([
  ...CSV_RUN.before,
  {
    ...{ type: 'interrupt_response', interruptId: 'q1', by: 'person' },
    response: { action: 'approve', argumentsSha256: FAKE_SHA, always: false },
  },
  ...CSV_RUN.after,
]);

/** One event at least of every type, in an order that a run could have. */
export const EVERY_TYPE = log([
  { type: 'routing', route: 'complex', agent: 'planner', reason: 'Several steps' },
  {
    ...{ type: 'plan_overview', revision: 0, reason: 'first' },
    steps: [
      { id: 's1', title: 'Look', goal: 'g', toolsHint: [], expectedEvidence: [], dependsOn: [] },
      {
        id: 's2',
        title: 'Write',
        goal: 'g',
        toolsHint: [],
        expectedEvidence: [],
        dependsOn: ['s1'],
      },
    ],
  },
  { type: 'plan_step', stepId: 's1', title: 'Look', status: 'running' },
  { type: 'search_plan', planId: 'p1', queries: ['a', 'b'] },
  { type: 'parallel_start', groupId: 'g1', title: 'Two at once', taskIds: ['t1', 't2'] },
  { type: 'parallel_task', groupId: 'g1', taskId: 't1', title: 'One', status: 'running' },
  { type: 'source', index: 1, url: 'https://example.org', title: 'A source' },
  { type: 'parallel_task', groupId: 'g1', taskId: 't1', title: 'One', status: 'completed' },
  { type: 'parallel_complete', groupId: 'g1', completed: 1, failed: 1 },
  { type: 'knowledge_update', updateId: 'k1', summary: 'Known', openQuestions: ['Why?'] },
  {
    type: 'handoff',
    handoffId: 'h1',
    from: 'planner',
    to: 'executor',
    task: 'Do it',
    artifacts: [],
  },
  { type: 'browser_stream', streamUrl: 'ws://127.0.0.1:1', label: 'Browser' },
  { type: 'browser_action', actionId: 'b1', action: 'click', target: 'Next', status: 'running' },
  { type: 'browser_action', actionId: 'b1', action: 'click', target: 'Next', status: 'completed' },
  { type: 'skill_output', skillId: 'data', executionId: 'e1', output: {} },
  {
    ...{ type: 'skill_walk', walkId: 'w1' },
    walk: { skill: 'exam-tutor', sha256: 'a', status: 'active', steps: [], refusals: [] },
  },
  { type: 'todo_update', markdown: '- [x] Look' },
  {
    type: 'plan_step_completed',
    revision: 0,
    stepId: 's1',
    status: 'completed',
    summary: 'Seen',
    durationMs: 5,
  },
  {
    ...{ type: 'verification', verificationId: 'v1', verdict: 'unverified' },
    facts: [{ claim: 'A file is there', holds: false, evidence: 'It is not' }],
  },
  {
    ...{
      type: 'interrupt',
      interruptId: 'i1',
      kind: 'input',
      title: 'A question',
      message: 'How?',
    },
    ...{ reasons: [], options: [], attentionMs: 1000 },
  },
  {
    type: 'interrupt_response',
    interruptId: 'i1',
    response: { action: 'input', text: 'So' },
    by: 'person',
  },
  { type: 'image', index: 0, path: 'a.png', mimeType: 'image/png', bytes: 3, alt: 'a' },
  { type: 'error', code: 'ROUND_LIMIT', message: 'Too many rounds.', details: {}, kept: 'All' },
]);
