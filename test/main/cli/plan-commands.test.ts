import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Plan } from '#contract/plans.ts';
import { editedSteps } from '#main/cli/commands/plan.ts';
import { UsageError } from '#main/cli/exit-codes.ts';
import { createProgram } from '#main/cli/program/create-program.ts';
import { compose } from '#main/compose.ts';
import { newPlanState, readPlanState, writePlanState } from '#main/orchestrator/plan-state.ts';
import type { DataStores } from '#main/storage/open-stores.ts';
import { fakeRun } from '../../fakes/fake-state.ts';
import { openData } from '../../fakes/open-data.ts';
import { PLAN_STEPS } from '../../fakes/planned-run.ts';

/** `hyperagent plan` over a real data folder that another process (the test) has open and locked. */
describe('hyperagent plan', () => {
  let dataDir: string;
  let holder: DataStores;

  beforeEach(() => {
    dataDir = mkdtempSync(join(tmpdir(), 'hyperagent-plan-'));
    holder = openData(dataDir);
    const { threads, runs } = holder.runStores;
    threads.insert({ id: 'thr_1', title: 'Compare', createdAt: 1 });
    for (const id of ['run_1', 'run_2', 'run_3']) {
      const { lastSeq: _, ...run } = fakeRun(id, 'thr_1', { status: 'running', createdAt: 1 });
      runs.insert({ ...run, endedAt: id === 'run_3' ? 2 : null });
    }
    for (const id of ['run_1', 'run_3']) {
      const state = newPlanState(id, PLAN_STEPS);
      const [first, ...rest] = state.plan.steps;
      if (first === undefined) throw new Error('no steps');
      const done = {
        ...{ ...first, status: 'completed' as const, summary: 'Eight rows.' },
        ...{ startedAt: 1_000, endedAt: 5_200 },
        facts: [{ claim: 'found\u202e', holds: true, evidence: '8 rows' }],
      };
      writePlanState(holder.journal, {
        ...state,
        plan: { ...state.plan, steps: [done, ...rest] },
      });
    }
  });
  afterEach(() => {
    holder.close();
    rmSync(dataDir, { recursive: true, force: true });
  });

  async function plan(...args: readonly string[]): Promise<{ code: number; stdout: string }> {
    let stdout = '';
    let code = -1;
    const write = vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
      stdout += String(text);
      return true;
    });
    try {
      await createProgram(
        { version: '1', rendererDir: '/nonexistent', loadCompose: async () => compose },
        (exitCode) => {
          code = exitCode;
        },
      ).parseAsync(['plan', ...args, '--data-dir', dataDir], { from: 'user' });
    } finally {
      write.mockRestore();
    }
    return { code, stdout };
  }
  const stored = (): Plan | undefined => readPlanState(holder.journal, 'run_1')?.plan;

  it('shows the steps with ids, durations, results and checks', async () => {
    expect(await plan('show', 'run_1')).toEqual({
      code: 0,
      stdout: [
        'revision 0, 1 of 4 steps done',
        '  [x] s1  Look at the columns of both exports (4.2 s)',
        '        Eight rows.',
        '        ✓ found⟨U+202E⟩ (8 rows)',
        '  [ ] s2  Total the orders by region  needs s1',
        '  [ ] s3  Total the returns by region  needs s1',
        '  [ ] s4  Draw both as one chart and write a summary  needs s2, s3',
        '',
      ].join('\n'),
    });
    expect(await plan('show', 'run_2')).toEqual({ code: 0, stdout: 'This run has no plan.\n' });
    const json = JSON.parse((await plan('show', 'run_1', '--json')).stdout) as Plan;
    expect(json.steps.map(({ id }) => id)).toEqual(['s1', 's2', 's3', 's4']);
  });

  it('changes the stored plan while another process runs it', async () => {
    const { code, stdout } = await plan(
      ...['edit', 'run_1', '--drop', 's2', '--move', 's4:2', '--rename', 's3:Count: all returns'],
      ...['--add', 'Send it to Kim', '--json'],
    );
    expect(code).toBe(0);
    expect(stored()?.steps.map(({ id, title }) => [id, title])).toEqual([
      ['s1', 'Look at the columns of both exports'],
      ['s4', 'Draw both as one chart and write a summary'],
      ['s3', 'Count: all returns'],
      ['s5', 'Send it to Kim'],
    ]);
    expect(JSON.parse(stdout)).toEqual(stored());
    expect(stored()?.revision).toBe(1);
  });

  it('refuses changes to started steps and ended runs, and invalid changes', async () => {
    await expect(plan('edit', 'run_1', '--drop', 's1')).rejects.toMatchObject({
      code: 'BAD_REQUEST',
    });
    await expect(plan('edit', 'run_3', '--drop', 's2')).rejects.toMatchObject({ code: 'CONFLICT' });
    await expect(plan('edit', 'run_2', '--drop', 's2')).rejects.toMatchObject({ code: 'CONFLICT' });
    await expect(plan('edit', 'run_9', '--drop', 's2')).rejects.toMatchObject({
      code: 'NOT_FOUND',
    });
    expect(stored()?.revision).toBe(0);
  });

  it.each([
    [{}],
    [{ drop: ['s9'] }],
    [{ move: ['s2'] }],
    [{ move: ['s2:0'] }],
    [{ move: ['s2:5'] }],
    [{ move: ['s2:one'] }],
    [{ rename: ['s2:'] }],
    [{ rename: [':x'] }],
  ])('names the mistake in %j', (flags) => {
    const { plan: made } = newPlanState('run_1', PLAN_STEPS);
    expect(() => editedSteps(made, flags)).toThrow(UsageError);
  });
});
