import { describe, expect, it } from 'vitest';
import type { RunEvent } from '#contract/events/run-event.ts';
import type { Plan, PlanStepState } from '#contract/plans.ts';
import { Settings } from '#contract/settings.ts';
import { newPlanState } from '#main/orchestrator/plan-state.ts';
import { AGENT_LIMITS } from '#renderer/settings/agents-section.tsx';
import { foldEvents } from '#renderer/store/fold-events.ts';
import {
  mergeEdit,
  moveRow,
  type PlanEdit,
  startEdit,
  toDraft,
} from '#renderer/store/plan-edit.ts';
import { type PlanView, planRows, progressOf, shownPlan } from '#renderer/store/plan-view.ts';
import {
  NO_PROGRESS,
  placeOf,
  questionsOf,
  type ResearchProgress,
  researchEnd,
  researchPhase,
} from '#renderer/store/research-view.ts';
import { emptyRunView, type RunView } from '#renderer/store/run-view.ts';
import { PLAN_STEPS, PLANNED_LIVE, PLANNED_UNVERIFIED } from '../fakes/planned-run.ts';
import { RESEARCH_DONE, RESEARCH_LIVE } from '../fakes/research-run.ts';
import { log } from './events.ts';

const fold = (events: readonly RunEvent[]): RunView => foldEvents(emptyRunView('run'), events);
const planOf = (view: RunView): PlanView => {
  if (view.plan === null) throw new Error('There is no plan');
  return view.plan;
};

describe('the fold of a planned run', () => {
  it('has the status of each step, its current action, and the parallel ones', () => {
    const view = fold(log(PLANNED_LIVE));
    const plan = planOf(view);
    const { steps } = shownPlan(plan, null);
    expect(
      steps.map(({ id, state }) => [id, state.status, state.durationMs, state.lastCallId]),
    ).toEqual([
      ['s1', 'completed', 4200, 'c1'],
      ['s2', 'running', null, 'c2'],
      ['s3', 'running', null, 'c3'],
      ['s4', 'pending', null, null],
    ]);
    expect(planRows(steps, plan.lanes)).toMatchObject([
      { kind: 'step', step: { id: 's1' } },
      { kind: 'lanes', steps: [{ id: 's2' }, { id: 's3' }] },
      { kind: 'step', step: { id: 's4' } },
    ]);
    expect(view.transcript.items.find(({ kind }) => kind === 'plan')).toEqual({
      ...{ kind: 'plan', key: 'plan', revision: 0, done: 1, total: 4, failed: 0 },
      running: ['Total the orders by region', 'Total the returns by region'],
    });
    expect(view.workspace.suggested).toBe('plan');
    expect(plan.todo).toContain('- [ ] Total the orders by region');
  });

  it('keeps earlier revisions as they ended, and done steps through a new plan', () => {
    const view = fold(log(PLANNED_UNVERIFIED));
    const plan = planOf(view);
    const [first, second] = plan.revisions;
    expect(first?.ended?.get('s3')).toMatchObject({
      status: 'failed',
      summary: 'returns.csv has no column "region".',
      verification: { verdict: 'failed', facts: [{ holds: false }, { holds: false }] },
    });
    expect(second).toMatchObject({ revision: 1, ended: null, reason: /^Step s3 failed/ });
    const { steps, revision } = shownPlan(plan, null);
    expect([revision, steps.map(({ id, state }) => [id, state.status])]).toEqual([
      1,
      ['s1', 's2', 's5', 's4'].map((id) => [id, 'completed']),
    ]);
    expect(progressOf(steps)).toEqual({ done: 4, total: 4, failed: 0 });
    const notes = view.transcript.items.flatMap((item) =>
      item.kind === 'note' && (item.topic === 'replan' || item.topic === 'strategy')
        ? [[item.topic, item.title.slice(0, 14)]]
        : [],
    );
    expect(notes).toEqual([
      ['strategy', 'The same call '],
      ['replan', 'Step s3 failed'],
    ]);
  });

  it('keeps done steps through a new plan with the same steps, and retries failed ones', () => {
    const title = 'Total the orders by region';
    const failed = { type: 'plan_step' as const, stepId: 's2', status: 'failed' as const, title };
    const again = { type: 'plan_overview' as const, revision: 1, steps: [...PLAN_STEPS] };
    const { steps } = planOf(fold(log([...PLANNED_LIVE, failed, again])));
    expect([...steps].map(([id, { status }]) => [id, status])).toEqual([
      ['s1', 'completed'],
      ['s2', 'pending'],
      ['s3', 'running'],
      ['s4', 'pending'],
    ]);
  });

  it('counts a step from when it began, however often it is repeated, and from the retry when it is tried again', () => {
    const startedAfter = (...statuses: ('running' | 'failed')[]) => {
      const again = statuses.map((status) => ({
        ...{ type: 'plan_step' as const, stepId: 's2', status },
        title: 'Total the orders by region',
      }));
      return planOf(fold(log([...PLANNED_LIVE, ...again]))).steps.get('s2')?.startedAt ?? 0;
    };
    const began = startedAfter();
    expect(startedAfter('running')).toBe(began);
    expect(startedAfter('failed', 'running')).toBeGreaterThan(began);
  });

  it('ends unverified with the missing evidence, and nothing running', () => {
    const view = fold(log(PLANNED_UNVERIFIED));
    expect(view.end).toMatchObject({
      outcome: 'unverified',
      notShown: [{ claim: 'The chart shows both', holds: false }],
    });
    const running = view.transcript.items.filter(
      (item) => item.kind === 'note' && item.state === 'running',
    );
    expect(running).toEqual([]);
  });

  it('shows nothing as running in a stopped run', () => {
    const running = (drafts: Parameters<typeof log>[0]) =>
      fold(log(drafts)).transcript.items.flatMap((item) =>
        item.kind === 'plan' ? [item.running.length] : [],
      );
    const stopped = { type: 'error' as const, code: 'CANCELLED', message: 'Stopped.', details: {} };
    expect([running(PLANNED_LIVE), running([...PLANNED_LIVE, stopped])]).toEqual([[2], [0]]);
  });

  it('shows what main has while an edit is not in the log yet', () => {
    const plan = planOf(fold(log(PLANNED_LIVE)));
    const { plan: stored } = newPlanState('run', PLAN_STEPS.slice(0, 3));
    const shown = shownPlan(plan, { ...stored, revision: 1 });
    expect(shown.steps.map(({ id, state }) => [id, state.status])).toEqual([
      ['s1', 'completed'],
      ['s2', 'running'],
      ['s3', 'running'],
    ]);
    expect(shownPlan(plan, stored).steps).toHaveLength(4);
  });
});

describe('the fold of research', () => {
  it('has the phases, questions, coverage and sources', () => {
    const { progress, sources } = fold(log(RESEARCH_LIVE)).research;
    expect(progress).toMatchObject({
      ...{ depth: 'standard', scenario: 'technical', coverage: 2 / 3, isOver: false },
      ...{ found: 4, read: 2, openQuestions: ['What does it cost to run?'] },
    });
    expect([...(progress?.phases ?? [])]).toEqual([
      ['init_config', 'completed'],
      ['search_loop', 'running'],
    ]);
    expect(progress?.queries).toHaveLength(3);
    // The first facts are kept when the excerpts come.
    expect(sources.get(1)).toMatchObject({
      snippet: 'Measured seasonal performance of 77 installations.',
      excerpts: [{ number: 1 }, { number: 2 }, { number: 3 }],
    });
  });

  it('counts no question as answered before the first assessment, and marks research that ended early', () => {
    const looked = RESEARCH_LIVE.findIndex(({ type }) => type === 'knowledge_update');
    const before = fold(log(RESEARCH_LIVE.slice(0, looked))).research.progress;
    const after = fold(log(RESEARCH_LIVE)).research.progress;
    const open = (progress: ResearchProgress | null) =>
      questionsOf(progress ?? NO_PROGRESS).map(({ isOpen }) => isOpen);
    expect([open(before), open(after)]).toEqual([
      [true, true, true],
      [false, false, true],
    ]);
    const written = fold(log(RESEARCH_DONE)).research.progress ?? NO_PROGRESS;
    expect([researchEnd(after ?? NO_PROGRESS), researchEnd(written)]).toEqual(['stopped', 'done']);
  });

  it('has one card for the research, and one for the report with its doubtful citations', () => {
    const view = fold(log(RESEARCH_DONE));
    const kinds = view.transcript.items.map(({ kind }) => kind);
    expect(kinds).toEqual(['routing', 'handoff', 'research', 'report', 'text', 'end']);
    expect(view.transcript.items.find(({ kind }) => kind === 'report')).toMatchObject({
      ...{ citations: 3, doubtful: 1, contradictions: 1, gaps: 1 },
    });
    expect(view.research.progress?.isOver).toBe(true);
    expect(view.workspace.suggested).toBe('report');
  });

  it('maps a stage to its phase, also for research handed over by a step', () => {
    expect(
      ['research_analyze', 'research_search_loop 3', 'analyze', 'planning'].map(researchPhase),
    ).toEqual(['analyze', 'search_loop', null, null]);
  });

  it('treats only web addresses as links', () => {
    expect(
      [
        'https://example.org:8/x',
        'library:k1/a%20b.md',
        'workspace:/d/c.csv',
        'javascript:hit()',
      ].map(placeOf),
    ).toEqual([
      { kind: 'web', host: 'example.org:8' },
      { kind: 'library', path: 'a b.md' },
      { kind: 'workspace', path: 'd/c.csv' },
      { kind: 'other', text: 'javascript:hit()' },
    ]);
  });
});

describe('a plan being changed', () => {
  const planWith = (
    statuses: readonly PlanStepState['status'][],
    revision = 0,
    ids: readonly string[] = ['s1', 's2', 's3', 's4'],
  ): Plan => {
    const { plan } = newPlanState(
      'run',
      ids.map((id) => ({ ...(PLAN_STEPS[0] ?? fail()), id, title: `Title ${id}`, dependsOn: [] })),
    );
    const steps = plan.steps.map((step, at) => ({ ...step, status: statuses[at] ?? 'pending' }));
    return { ...plan, revision, steps };
  };
  const fail = (): never => {
    throw new Error('no steps');
  };
  const rename = (edit: PlanEdit, key: string, title: string): PlanEdit => ({
    ...edit,
    rows: edit.rows.map((row) => (row.key === key ? { ...row, title } : row)),
  });

  it('moves no step before a started one', () => {
    const { rows } = startEdit(planWith(['completed', 'running']));
    expect(moveRow(rows, 's3', -1)).toBe(rows);
    expect(moveRow(rows, 's2', 1)).toBe(rows);
    expect(moveRow(rows, 's4', 1)).toBe(rows);
    expect(moveRow(rows, 's4', -1).map(({ key }) => key)).toEqual(['s1', 's2', 's4', 's3']);
  });

  it('sends no new step without a title, and an emptied one as it was', () => {
    const edit = rename(startEdit(planWith(['completed'])), 's2', '  ');
    const added = { key: 'new 1', id: null, title: ' ', fixed: false };
    expect(toDraft({ ...edit, rows: [...edit.rows, added] })).toEqual(
      ['s1', 's2', 's3', 's4'].map((id) => ({ id, title: `Title ${id}` })),
    );
  });

  it('rebases the edit of the user onto a plan that has changed in the meantime', () => {
    // The user renamed s2 and s3, removed s4 and added one; then s2 started and s3 was dropped from the plan.
    const first = startEdit(planWith(['completed']));
    const renamed = rename(rename(first, 's2', 'My second'), 's3', 'My third');
    const added = { key: 'new 1', id: null, title: 'Send it', fixed: false };
    const mine = {
      ...renamed,
      rows: [...renamed.rows.filter(({ key }) => key !== 's4'), added],
    };
    const now = planWith(['completed', 'running'], 1, ['s1', 's2', 's4', 's7']);
    const merged = mergeEdit(mine, now);
    expect(merged.revision).toBe(1);
    expect(merged.rows.map(({ id, title, fixed }) => [id, title, fixed])).toEqual([
      ['s1', 'Title s1', true],
      ['s2', 'Title s2', true],
      [null, 'My third', false],
      [null, 'Send it', false],
      ['s7', 'Title s7', false],
    ]);
    expect(merged.lost).toEqual(['My second']);
  });
});

describe('the settings of agents', () => {
  it.each(AGENT_LIMITS)('have the bounds of main: $name', ({ name, min, max }) => {
    const takes = (value: number): boolean => Settings.safeParse({ [name]: value }).success;
    expect([min - 1, min, max, max + 1].map(takes)).toEqual([false, true, true, false]);
  });
});
