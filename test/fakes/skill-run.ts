import type { Message, RunOptions } from '#contract/entities.ts';
import type { RunEventDraft } from '#contract/events/run-event.ts';
import type { SkillExecution, SkillProgress } from '#contract/skills.ts';
import type { RunStatus } from '#contract/vocabulary.ts';
import type { FakeBridge } from './fake-bridge.ts';
import { fakeRun } from './fake-state.ts';
import { fakeThread } from './fake-thread.ts';

const CALL = 'call-skill';
const EXECUTION = 'run-t-skill~call-skill';

export const ANALYSIS_OUTPUT = {
  summary: 'West leads with **3385.00**, and the rest follows:\n\n- North is close behind.',
  row_count: 12_400,
  checked: true,
  totals: [
    { region: 'West', revenue: 3385 },
    { region: 'North', revenue: 3353.5 },
  ],
  charts: ['sales-by-region.svg'],
  notes: ['Two rows had no region.'],
  code: 'print(sum([1, 2]))',
  language: 'python',
  sources: [
    { title: 'Handbook', url: 'https://example.org/handbook', snippet: 'How it is added.' },
  ],
  warning: null,
};

/** A stage of a skill, or with null the skill itself. */
export function skillStage(
  id: string,
  stage: string | null,
  status: 'running' | 'completed' | 'failed',
  { description = stage ?? id, executionId = EXECUTION, toolCallId = CALL } = {},
): RunEventDraft {
  const name = stage === null ? `skill_${id}` : `skill_${id}.${stage}`;
  const skill = { id, executionId, toolCallId };
  return { type: 'stage', name, status, description, skill };
}

export function skillCall(toolCallId: string, skillId: string): RunEventDraft {
  return {
    ...{
      type: 'tool_call',
      toolCallId,
      name: 'invoke_skill',
      risk: 'medium',
      effect: 'idempotent',
    },
    ...{ agent: 'executor', round: 1 },
    arguments: { skill_id: skillId, params: { question: 'Who leads?', path: 'sales.csv' } },
  };
}

export function skillResult(
  toolCallId: string,
  content: string,
  more: Partial<Extract<RunEventDraft, { type: 'tool_result' }>> = {},
): RunEventDraft {
  return {
    ...{ type: 'tool_result', toolCallId, name: 'invoke_skill', status: 'ok', content },
    ...{ durationMs: 4_200, ...more },
  };
}

const CHILD = { executionId: `${EXECUTION}.2`, toolCallId: CALL };

/** A skill that plans, runs a program, calls another skill, and gives a result. */
export const SKILL_RUN: readonly RunEventDraft[] = [
  skillCall(CALL, 'data_analysis'),
  skillStage('data_analysis', null, 'running', { description: 'Skill Data Analysis' }),
  skillStage('data_analysis', 'plan', 'running', { description: 'Plan the analysis' }),
  skillStage('data_analysis', 'plan', 'completed', { description: 'Plan the analysis' }),
  skillStage('data_analysis', 'code', 'running', { description: 'Calculate' }),
  {
    ...{ type: 'tool_call', toolCallId: `${CALL}.1`, name: 'execute_code', risk: 'medium' },
    ...{ effect: 'opaque', agent: 'executor', round: 1 },
    arguments: { language: 'python', code: 'print(3385.0)' },
  },
  {
    ...{ type: 'tool_result', toolCallId: `${CALL}.1`, name: 'execute_code', status: 'ok' },
    ...{ content: '3385.0', durationMs: 900 },
  },
  skillStage('data_visualization', null, 'running', { description: 'Skill Charts', ...CHILD }),
  skillStage('data_visualization', 'draw', 'running', { description: 'Draw a chart', ...CHILD }),
  skillStage('data_visualization', 'draw', 'completed', { description: 'Draw a chart', ...CHILD }),
  skillStage('data_visualization', null, 'completed', { description: 'Skill Charts', ...CHILD }),
  skillStage('data_analysis', 'code', 'completed', { description: 'Calculate' }),
  skillStage('data_analysis', null, 'completed', { description: 'Skill Data Analysis' }),
  {
    ...{ type: 'skill_output', skillId: 'data_analysis', executionId: EXECUTION },
    ...{ toolCallId: CALL, output: ANALYSIS_OUTPUT },
  },
  skillResult(CALL, '{"success": true}'),
];

const FAILED: readonly RunEventDraft[] = [
  skillCall('call-late', 'web_research'),
  skillStage('web_research', null, 'running', { executionId: 'late', toolCallId: 'call-late' }),
  skillStage('web_research', 'search', 'running', {
    ...{ description: 'Search', executionId: 'late', toolCallId: 'call-late' },
  }),
  skillResult(
    'call-late',
    JSON.stringify({ error: 'It took longer than 300 seconds.', error_code: 'SKILL_TIMED_OUT' }),
    { status: 'error', errorCode: 'SKILL_TIMED_OUT' },
  ),
];

/** The exam tutor, after its first step and a try to pass over the second. */
export function examSession(more: Partial<SkillProgress> = {}): RunEventDraft {
  const walk: SkillProgress = {
    ...{ skill: 'exam-tutor', sha256: 'd'.repeat(64), status: 'active' },
    steps: [
      {
        ...{ number: 1, title: 'Ask what the exam is about', subskills: [] },
        ...{ checkpoints: ['topic'], status: 'done', read: [], answered: ['topic'] },
      },
      {
        ...{ number: 2, title: 'Write the questions', subskills: ['questions.md'] },
        ...{ checkpoints: [], status: 'pending', read: [], answered: [] },
      },
    ],
    refusals: [{ what: 'Finish step 2', why: 'The file questions.md was not read in this step.' }],
    ...more,
  };
  return { type: 'skill_walk', walkId: 'w1', walk };
}

const DONE: RunEventDraft = {
  ...{ type: 'complete', outcome: 'completed', answer: 'West leads.', durationMs: 9_000 },
  ...{ rounds: 2, toolCalls: 3 },
};

/** A task in which skills did their work, and the executions of it. */
export function addSkillTask(bridge: FakeBridge, now: number): void {
  const add = (
    threadId: string,
    status: RunStatus,
    { drafts, more = {} }: { drafts: readonly RunEventDraft[]; more?: Partial<RunOptions> },
  ): void => {
    const title = 'Who leads in sales?';
    bridge.state.threads.unshift(fakeThread({ id: threadId, title, at: now, status }));
    const plain = fakeRun(`run-${threadId}`, threadId, { prompt: title, createdAt: now, status });
    const run = { ...plain, options: { ...plain.options, ...more } };
    const message: Message = {
      ...{ id: `m-${threadId}`, threadId, runId: run.id, role: 'user', content: title },
      ...{ attachments: [], createdAt: now },
    };
    bridge.state.messages.push(message);
    bridge.addLog(run, drafts);
  };
  const skill = { id: 'data_analysis', params: {} };
  add('t-skill-alone', 'completed', { drafts: [...SKILL_RUN, DONE], more: { skill } });
  add('t-skill', 'completed', { drafts: [...SKILL_RUN, ...FAILED, examSession(), DONE] });
  add('t-skill-live', 'running', { drafts: SKILL_RUN.slice(0, 5) });
  bridge.skills.executions = fakeExecutions(now);
}

function fakeExecutions(now: number): SkillExecution[] {
  const one: SkillExecution = {
    ...{ id: EXECUTION, skillId: 'data_analysis', runId: 'run-t-skill', threadId: 't-skill' },
    ...{ parentId: null, depth: 1, status: 'completed', error: null },
    input: { question: 'Who leads?', path: 'sales.csv' },
    ...{ output: ANALYSIS_OUTPUT, startedAt: now - 60_000, endedAt: now - 55_800 },
    events: [
      { at: now - 59_000, name: 'plan', status: 'completed', description: 'Plan the analysis' },
    ],
  };
  return [
    one,
    {
      ...{ ...one, id: 'execution-2', status: 'failed', output: null, events: [] },
      error: { code: 'SKILL_TIMED_OUT', message: 'It took longer than 300 seconds.' },
    },
  ];
}
