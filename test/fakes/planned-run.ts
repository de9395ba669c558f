import type { Message } from '#contract/entities.ts';
import type { RunEventDraft } from '#contract/events/run-event.ts';
import type { PlanStep } from '#contract/plans.ts';
import type { RunStatus } from '#contract/vocabulary.ts';
import { newPlanState } from '#main/orchestrator/plan-state.ts';
import type { FakeBridge } from './fake-bridge.ts';
import { fakeRun } from './fake-state.ts';
import { fakeThread } from './fake-thread.ts';
import { RESEARCH_DONE, RESEARCH_LIVE } from './research-run.ts';

/** Runs with plans as the orchestrator logs them. For windows without a main. */

const step = (
  id: string,
  title: string,
  dependsOn: readonly string[],
  more: Partial<PlanStep> = {},
): PlanStep => ({
  ...{ id, title, goal: title, toolsHint: ['execute_code'], expectedEvidence: [] },
  dependsOn: [...dependsOn],
  ...more,
});

/** A step, a pair that runs side by side, and one that needs both. */
export const PLAN_STEPS: readonly PlanStep[] = [
  step('s1', 'Look at the columns of both exports', [], {
    goal: 'Know the columns, their types and how many rows each file has.',
    expectedEvidence: [{ kind: 'figure', target: '8 rows' }],
  }),
  step('s2', 'Total the orders by region', ['s1'], {
    expectedEvidence: [{ kind: 'file', target: 'orders-by-region.csv' }],
  }),
  step('s3', 'Total the returns by region', ['s1'], {
    expectedEvidence: [
      { kind: 'file', target: 'returns-by-region.csv' },
      { kind: 'exit_code', target: 'python total.py' },
    ],
  }),
  step('s4', 'Draw both as one chart and write a summary', ['s2', 's3'], {
    expectedEvidence: [
      { kind: 'file', target: 'summary.md' },
      { kind: 'judgement', target: 'The summary names the region with the most returns' },
    ],
  }),
];

const call = (id: string, stepId: string, code: string): RunEventDraft => ({
  ...{ type: 'tool_call', toolCallId: id, name: 'execute_code', risk: 'high', effect: 'opaque' },
  ...{ arguments: { language: 'python', code }, agent: 'executor', round: 1, stepId },
});
const result = (id: string, content: string): RunEventDraft => ({
  ...{ type: 'tool_result', toolCallId: id, name: 'execute_code', status: 'ok', content },
  ...{ durationMs: 640, sandboxLevel: 'bubblewrap' },
});
const begins = (stepId: string): RunEventDraft => {
  const title = PLAN_STEPS.find(({ id }) => id === stepId)?.title ?? stepId;
  return { type: 'plan_step', stepId, title, status: 'running' };
};
const ends = (
  stepId: string,
  status: 'completed' | 'failed',
  summary: string,
  revision = 0,
): RunEventDraft => ({
  ...{ type: 'plan_step_completed', revision, stepId, status, summary, durationMs: 4_200 },
});
const checked = (
  stepId: string | undefined,
  verdict: 'verified' | 'unverified' | 'failed',
  ...facts: readonly (readonly [string, boolean, string])[]
): RunEventDraft => ({
  ...{ type: 'verification', verificationId: `v ${stepId} ${facts.length} ${verdict}`, verdict },
  ...(stepId === undefined ? {} : { stepId }),
  facts: facts.map(([claim, holds, evidence]) => ({ claim, holds, evidence })),
});

const OPENING: readonly RunEventDraft[] = [
  {
    ...{ type: 'routing', route: 'complex', agent: 'planner' },
    reason: 'Several steps that build on each other: "then", "both", "and write".',
  },
  { type: 'plan_overview', revision: 0, steps: [...PLAN_STEPS] },
  {
    type: 'todo_update',
    markdown:
      '# Todo\n\n- [ ] Look at the columns of both exports\n- [ ] Total the orders by region\n- [ ] Total the returns by region\n- [ ] Draw both as one chart and write a summary\n',
  },
];

const FIRST_STEP: readonly RunEventDraft[] = [
  begins('s1'),
  call('c1', 's1', 'print(len(open("orders.csv").readlines()))'),
  result('c1', '8 rows'),
  checked('s1', 'verified', ['"8 rows" stands in the output', true, 'in the output of call c1']),
  ends('s1', 'completed', 'Both files have 8 rows: date, region, product, units, revenue.'),
];

/** Two steps at work at the same time. */
export const PLANNED_LIVE: readonly RunEventDraft[] = [
  ...OPENING,
  ...FIRST_STEP,
  {
    ...{ type: 'parallel_start', groupId: 'p1', title: '2 steps at the same time' },
    taskIds: ['s2', 's3'],
  },
  begins('s2'),
  begins('s3'),
  {
    ...{ type: 'parallel_task', groupId: 'p1', taskId: 's2', status: 'running' },
    title: 'Total the orders by region',
  },
  {
    ...{ type: 'parallel_task', groupId: 'p1', taskId: 's3', status: 'running' },
    title: 'Total the returns by region',
  },
  call('c2', 's2', 'orders.groupby("region")["revenue"].sum()'),
  call('c3', 's3', 'returns.groupby("region")["revenue"].sum()'),
];

/** A plan that is made again after a step failed, and an answer that says more than was shown. */
export const PLANNED_UNVERIFIED: readonly RunEventDraft[] = [
  ...PLANNED_LIVE,
  result('c2', 'West 3385'),
  checked('s2', 'verified', ['orders-by-region.csv exists and opens', true, '4 rows, 92 bytes']),
  ends('s2', 'completed', 'West leads with 3,385.00.'),
  result('c3', 'Traceback: KeyError: region'),
  checked(
    's3',
    'failed',
    ['returns-by-region.csv exists and opens', false, 'There is no such file.'],
    ['python total.py ends without an error', false, 'It ended with exit code 1.'],
  ),
  ends('s3', 'failed', 'returns.csv has no column "region".'),
  {
    ...{ type: 'parallel_task', groupId: 'p1', taskId: 's3', status: 'failed' },
    title: 'Total the returns by region',
  },
  { type: 'parallel_complete', groupId: 'p1', completed: 1, failed: 1 },
  {
    ...{ type: 'stage', name: 'change_strategy 3', status: 'running', agent: 'executor' },
    description:
      'The same call failed three times in a row; the model was told to try another way.',
  },
  {
    ...{ type: 'plan_overview', revision: 1 },
    steps: [
      ...PLAN_STEPS.slice(0, 2),
      step('s5', 'Find the region of each return by its order number', ['s1'], {
        expectedEvidence: [{ kind: 'file', target: 'returns-by-region.csv' }],
      }),
      step('s4', 'Draw both as one chart and write a summary', ['s2', 's5'], {
        expectedEvidence: [{ kind: 'file', target: 'summary.md' }],
      }),
    ],
    reason: 'Step s3 failed: returns.csv has no column "region".',
  },
  {
    ...{ type: 'plan_step', stepId: 's5', status: 'running' },
    title: 'Find the region of each return by its order number',
  },
  call('c4', 's5', 'returns.merge(orders, on="order")'),
  result('c4', '3 rows'),
  checked('s5', 'verified', ['returns-by-region.csv exists and opens', true, '3 rows']),
  ends('s5', 'completed', 'Three returns, two of them from the North.', 1),
  begins('s4'),
  checked(
    's4',
    'unverified',
    ['summary.md exists and opens', true, '1 kB'],
    ['The chart shows both', false, 'No picture was written.'],
  ),
  ends('s4', 'completed', 'The summary is in summary.md.', 1),
  checked(
    undefined,
    'unverified',
    ['summary.md exists and opens', true, '1 kB'],
    ['The chart shows both', false, 'No picture was written.'],
  ),
  { type: 'token', messageId: 'm9', text: 'The summary is written and the chart is drawn.' },
  {
    ...{ type: 'complete', outcome: 'unverified', durationMs: 48_200, rounds: 7, toolCalls: 4 },
    answer: 'The summary is written and the chart is drawn.',
  },
];

const ASKED: readonly RunEventDraft[] = [
  ...OPENING,
  {
    ...{ type: 'interrupt', interruptId: 'i-plan', kind: 'confirm', reasons: [] },
    title: 'Start with this plan?',
    message: `${PLAN_STEPS.map(({ title }, i) => `${i + 1}. ${title}`).join('\n')}\n\nYou can edit it in the Plan tab, now and while it runs.`,
    options: [],
    attentionMs: 300_000,
  },
];

const SIMPLE: readonly RunEventDraft[] = [
  { type: 'routing', route: 'simple', agent: 'executor', reason: 'One short question.' },
  { type: 'token', messageId: 'm1', text: 'Four.' },
  {
    ...{ type: 'complete', outcome: 'completed', answer: 'Four.', durationMs: 900 },
    ...{ rounds: 1, toolCalls: 0 },
  },
];

const ESCALATED: readonly RunEventDraft[] = [
  { type: 'routing', route: 'uncertain', agent: 'executor', reason: 'The wording does not say.' },
  { type: 'routing', route: 'complex', agent: 'executor', reason: 'The model made a plan.' },
  ...PLANNED_LIVE.slice(1),
];

/** Tasks with plans and research, at every stage of them. */
export function addPlans(bridge: FakeBridge, now: number): void {
  const add = (
    threadId: string,
    title: string,
    status: RunStatus,
    drafts: readonly RunEventDraft[],
  ): void => {
    bridge.state.threads.unshift(fakeThread({ id: threadId, title, at: now, status }));
    const run = fakeRun(`run-${threadId}`, threadId, { prompt: title, createdAt: now, status });
    const message: Message = {
      ...{ id: `m-${threadId}`, threadId, runId: run.id, role: 'user', content: title },
      ...{ attachments: [], createdAt: now },
    };
    bridge.state.messages.push(message);
    bridge.addLog(run, drafts);
  };
  add('t-planned', 'Compare orders and returns by region', 'running', PLANNED_LIVE);
  add('t-doubt', 'Compare orders and returns, with a chart', 'unverified', PLANNED_UNVERIFIED);
  add('t-ask-plan', 'Compare orders and returns, ask me first', 'waiting', ASKED);
  add('t-escalated', 'Make the docs searchable', 'running', ESCALATED);
  add('t-simple', 'Two and two', 'completed', SIMPLE);
  add('t-research', 'How good are heat pumps in old houses?', 'running', RESEARCH_LIVE);
  add('t-report', 'Heat pumps in old houses: a report', 'completed', RESEARCH_DONE);

  const live = newPlanState('run-t-planned', PLAN_STEPS);
  const reached = ['completed', 'running', 'running', 'pending'] as const;
  const steps = live.plan.steps.map((one, index) => ({
    ...one,
    status: reached[index] ?? ('pending' as const),
  }));
  bridge.plans.set('run-t-planned', { ...live, plan: { ...live.plan, steps } });
  bridge.plans.set('run-t-ask-plan', newPlanState('run-t-ask-plan', PLAN_STEPS));
}
