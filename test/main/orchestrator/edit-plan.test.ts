import { expect, test } from 'vitest';
import type { PlanStep } from '#contract/plans.ts';
import { editPlan } from '#main/orchestrator/edit-plan.ts';
import { newPlanState, type PlanState, readySteps } from '#main/orchestrator/plan-state.ts';

const step = (id: string, dependsOn: string[] = []): PlanStep => ({
  ...{ id, title: `Title ${id}`, goal: `Goal ${id}`, toolsHint: [], dependsOn },
  expectedEvidence: [{ kind: 'file', target: `${id}.txt` }],
});
const keep = (id: string) => ({ id, title: `Title ${id}` });

/** s1 is completed; s2 depends on s1, and s3 on s2. */
function state(): PlanState {
  const made = newPlanState('r', [step('s1'), step('s2', ['s1']), step('s3', ['s2'])]);
  const [first, ...rest] = made.plan.steps;
  if (first === undefined) throw new Error('No steps');
  // An abandoned step began, so its id stays taken.
  const begun = ['s1', 's4'];
  return {
    ...made,
    begun,
    plan: { ...made.plan, steps: [{ ...first, status: 'completed' }, ...rest] },
  };
}
const edit = (steps: { id?: string; title: string; goal?: string }[], revision = 0) =>
  editPlan(state(), { revision, steps }).plan;

test('reorders, removes and adds steps, and keeps dependencies on what is left before them', () => {
  const plan = edit([keep('s1'), keep('s3'), { title: 'New' }, keep('s2')]);
  expect(plan.revision).toBe(1);
  expect(plan.steps.map(({ id, title, dependsOn }) => [id, title, dependsOn])).toEqual([
    ['s1', 'Title s1', []],
    ['s3', 'Title s3', ['s1']],
    ['s5', 'New', ['s1', 's3']],
    ['s2', 'Title s2', ['s1', 's5']],
  ]);
  expect(edit([keep('s1'), keep('s3')]).steps.map(({ dependsOn }) => dependsOn)).toEqual([
    [],
    ['s1'],
  ]);
});

test('a reworded step is judged by its new goal', () => {
  const plan = edit([keep('s1'), { id: 's2', title: 'Another', goal: 'Other goal' }, keep('s3')]);
  expect(plan.steps.map(({ expectedEvidence }) => expectedEvidence[0])).toEqual([
    { kind: 'file', target: 's1.txt' },
    { kind: 'judgement', target: 'Other goal' },
    { kind: 'file', target: 's3.txt' },
  ]);
});

test.each([
  ['another revision', [keep('s1')], 3, 'CONFLICT', /changed meanwhile/],
  ['a step that began is gone', [keep('s2')], 0, 'BAD_REQUEST', /have begun stay/],
  ['a step that began is moved', [keep('s2'), keep('s1')], 0, 'BAD_REQUEST', /have begun stay/],
  ['a step twice', [keep('s1'), keep('s2'), keep('s2')], 0, 'BAD_REQUEST', /twice/],
  ['an unknown step', [keep('s1'), keep('s9')], 0, 'BAD_REQUEST', /no step "s9"/],
] as const)('%s is rejected', (_name, steps, revision, code, message) => {
  let thrown: unknown;
  try {
    edit([...steps], revision);
  } catch (error) {
    thrown = error;
  }
  expect(thrown).toMatchObject({ code, message: expect.stringMatching(message) });
});

test('steps are ready when all their dependencies are over', () => {
  expect(readySteps(state()).map(({ id }) => id)).toEqual(['s2']);
});
