import type { Page } from 'playwright-core';
import { beforeEach, describe, expect, it } from 'vitest';
import { chromiumNote, chromiumPath } from '../setup/chromium.ts';
import { useWindow } from '../setup/use-window.ts';

/** Plans beside the conversation and in it, in real Chromium with a fake main. */
describe.skipIf(chromiumPath === null)(`plans in the window${chromiumNote}`, () => {
  const window = useWindow('?plans=1');
  let page: Page;
  beforeEach(() => {
    page = window.page;
  });

  const open = async (task: string): Promise<void> => {
    await window.goto(`#/task/${task}`);
    await page.getByRole('progressbar', { name: 'Plan progress' }).waitFor();
  };
  const plan = () => page.getByRole('tabpanel', { name: 'Plan' });
  const steps = () => plan().getByRole('list', { name: 'Steps', exact: true });
  const titles = () =>
    plan()
      .getByRole('textbox')
      .evaluateAll((all) => all.map((one) => (one as unknown as { value: string }).value));
  const sent = () =>
    page.evaluate(() =>
      globalThis.fake.requests.flatMap(({ name, input }) =>
        name === 'plans.edit' ? [input as { revision: number; steps: { title: string }[] }] : [],
      ),
    );

  it('names the step of each row where steps run side by side', async () => {
    await open('t-planned');
    const conversation = page.getByRole('region', { name: 'Conversation' });
    const rows = conversation.locator('.lane-row');
    await rows.first().waitFor();
    const titles = await conversation.locator('.lane-title').allInnerTexts();
    expect(titles).toEqual(['Total the orders by region', 'Total the returns by region']);
  });

  it('comes forward with the steps, their progress, and parallel ones side by side', async () => {
    await open('t-planned');
    expect(await plan().isVisible()).toBe(true);
    const bar = page.getByRole('progressbar', { name: 'Plan progress' });
    expect(await bar.getAttribute('aria-valuetext')).toBe('1 of 4 steps done');
    const lanes = plan().getByRole('list', { name: 'In parallel' });
    const inLanes = await lanes.getByRole('listitem').allInnerTexts();
    expect(inLanes.map((text) => text.replace(/\s+/g, ' '))).toEqual([
      expect.stringMatching(/Running 2 Total the orders by region \d+ s .*orders\.groupby/),
      expect.stringMatching(/Running 3 Total the returns by region \d+ s .*returns\.groupby/),
    ]);

    await page.evaluate(() =>
      globalThis.fake.emit('run-t-planned', [
        {
          ...{ type: 'plan_step_completed', revision: 0, stepId: 's2', status: 'completed' },
          ...{ summary: 'West leads.', durationMs: 61_000 },
        },
      ]),
    );
    await plan().getByRole('heading', { name: '2 of 4 steps done' }).waitFor();
    await lanes
      .getByRole('button', { name: /Done 2 Total the orders by region 1 min 1 s/ })
      .click();
    await plan().getByText('West leads.').waitFor();
    expect(await plan().getByText('orders-by-region.csv').isVisible()).toBe(true);
  });

  it('stays behind the tab that the user chose, and comes back from the chat', async () => {
    await open('t-planned');
    await page.getByRole('tab', { name: 'Files' }).click();
    await page.evaluate(() =>
      globalThis.fake.emit('run-t-planned', [
        { type: 'plan_step', stepId: 's4', title: 'Draw', status: 'running' },
      ]),
    );
    await page.getByRole('button', { name: /^Plan: 1 of 4 steps done/ }).waitFor();
    expect(await page.getByRole('tab', { name: 'Files' }).getAttribute('data-state')).toBe(
      'active',
    );
    await page.getByRole('button', { name: /^Plan: 1 of 4 steps done/ }).click();
    await plan().waitFor();
  });

  it('shows failures, missing evidence, and the plan from before the replan', async () => {
    await open('t-doubt');
    await plan().getByText('Step s3 failed: returns.csv has no column').waitFor();
    const last = plan().getByRole('button', { name: /Done, not verified 4 Draw both/ });
    expect(await last.count()).toBe(1);
    const missing = plan().getByRole('list', { name: 'Missing evidence' });
    expect(await missing.allInnerTexts()).toEqual([
      expect.stringMatching(/The chart shows both\s*No picture was written\./),
    ]);
    await plan().getByRole('button', { name: 'Earlier revisions (1)' }).click();
    const before = plan().getByRole('list', { name: 'Revision 0' });
    await before.getByRole('button', { name: /Failed 3 Total the returns/ }).click();
    await before.getByText('It ended with exit code 1.').first().waitFor();
    await plan().getByRole('button', { name: 'To-do list as text' }).click();
    await plan().getByText('- [ ] Look at the columns of both exports').waitFor();
    const chat = page.getByRole('region', { name: 'Conversation' });
    await chat.getByText('This answer is not verified').waitFor();
    await chat.getByText('New approach:').waitFor();
    await chat.getByText('Plan changed:').waitFor();
  });

  it('is edited by keyboard: reorder, rename, add; started steps stay', async () => {
    await open('t-ask-plan');
    await page.getByRole('button', { name: 'Edit plan' }).press('Enter');
    await plan().getByRole('textbox', { name: 'Step 2' }).focus();
    await page.keyboard.press('Alt+ArrowDown');
    // The focus moved with the step, so it can be moved further.
    await page.keyboard.press('Alt+ArrowDown');
    expect(await titles()).toEqual([
      'Look at the columns of both exports',
      'Total the returns by region',
      'Draw both as one chart and write a summary',
      'Total the orders by region',
    ]);
    await page.keyboard.press('Alt+ArrowDown');
    await plan()
      .getByRole('button', { name: 'Move up: Total the orders by region' })
      .press('Enter');
    await page.keyboard.press('Enter');
    expect((await titles())[1]).toBe('Total the orders by region');
    await plan().getByRole('button', { name: 'Remove: Draw both' }).press('Enter');
    await plan().getByRole('button', { name: 'Add step' }).press('Enter');
    await page.keyboard.type('Send it to Kim');
    await page.keyboard.press('Enter');
    await plan().getByRole('heading', { name: '0 of 4 steps done' }).waitFor();
    await steps().getByText('Send it to Kim').waitFor();
    expect(await sent()).toEqual([
      {
        ...{ runId: 'run-t-ask-plan', revision: 0 },
        steps: [
          { id: 's1', title: 'Look at the columns of both exports' },
          { id: 's2', title: 'Total the orders by region' },
          { id: 's3', title: 'Total the returns by region' },
          { title: 'Send it to Kim' },
        ],
      },
    ]);
    expect(await plan().getByText('Revision 1').count()).toBe(1);
  });

  it('locks steps that have started, and those that start during the edit', async () => {
    await open('t-planned');
    await page.getByRole('button', { name: 'Edit plan' }).click();
    const fixed = plan()
      .getByRole('listitem')
      .filter({ has: page.getByLabel('Started') });
    await fixed.nth(2).waitFor();
    expect(await fixed.count()).toBe(3);
    expect(await plan().getByRole('textbox').count()).toBe(1);
    const up = plan().getByRole('button', { name: /^Move up: Draw both/ });
    expect(await up.isDisabled()).toBe(true);
    await page.evaluate(() =>
      globalThis.fake.emit('run-t-planned', [
        { type: 'plan_step', stepId: 's4', title: 'Draw', status: 'running' },
      ]),
    );
    await fixed.nth(3).waitFor();
  });

  it('keeps what the user wrote when the plan has changed in the meantime', async () => {
    await open('t-ask-plan');
    await page.getByRole('button', { name: 'Edit plan' }).click();
    await plan().getByRole('textbox', { name: 'Step 3' }).fill('Count the returns instead');
    // Another window edits the plan first: one step less.
    await page.evaluate(() =>
      globalThis.fake.request('plans.edit', {
        ...{ runId: 'run-t-ask-plan', revision: 0 },
        steps: [
          { id: 's1', title: 'Look at the columns' },
          { id: 's2', title: 'Total the orders by region' },
          { id: 's4', title: 'Draw both as one chart and write a summary' },
        ],
      }),
    );
    // The text survives a switch to another tab.
    await page.getByRole('tab', { name: 'Files' }).click();
    await page.getByRole('tab', { name: 'Plan' }).click();
    await plan().getByRole('button', { name: 'Save plan' }).click();
    const alert = plan().getByRole('alert');
    expect(await alert.innerText()).toContain('The plan has changed meanwhile.');
    expect(await titles()).toEqual([
      'Look at the columns',
      'Total the orders by region',
      'Count the returns instead',
      'Draw both as one chart and write a summary',
    ]);
    await plan().getByRole('button', { name: 'Save plan' }).click();
    await steps().getByText('Count the returns instead').waitFor();
    expect((await sent()).map(({ revision }) => revision)).toEqual([0, 0, 1]);
  });

  it('shows an edit after a reload, before it is in the log', async () => {
    await open('t-ask-plan');
    await page.evaluate(() =>
      globalThis.fake.request('plans.edit', {
        ...{ runId: 'run-t-ask-plan', revision: 0 },
        steps: [{ id: 's1', title: 'Only look at the columns' }],
      }),
    );
    await steps().getByText('Only look at the columns').waitFor();
    // Elsewhere and back: the window asks again.
    await page.evaluate(() => {
      globalThis.fake.pushes(false);
    });
    await page.evaluate("location.hash = '#/task/t-sales'");
    await page.getByText('explains grouping').waitFor();
    await page.evaluate("location.hash = '#/task/t-ask-plan'");
    await steps().getByText('Only look at the columns').waitFor();
  });

  it('asks for approval before it starts, with a link to the plan', async () => {
    await open('t-ask-plan');
    await page.getByRole('tab', { name: 'Files' }).click();
    const question = page.getByRole('region', { name: 'Start with this plan?' });
    await question.getByRole('button', { name: 'Review or edit the plan first' }).click();
    await plan().waitFor();
    await question.getByRole('button', { name: 'Yes' }).click();
    await expect
      .poll(() =>
        page.evaluate(() =>
          globalThis.fake.requests.findLast(({ name }) => name === 'runs.respond'),
        ),
      )
      .toMatchObject({ input: { interruptId: 'i-plan', response: { action: 'confirm' } } });
  });

  it('is a quiet line where a task is handled directly', async () => {
    await window.goto('#/task/t-simple');
    await page.getByText('Handled directly: One short question.').waitFor();
    expect(await page.getByRole('tab', { name: 'Plan' }).count()).toBe(0);
  });

  it('says where the wording left the route open, and what the model made of it', async () => {
    await window.goto('#/task/t-escalated');
    await page.getByText('Started directly: The wording does not say.').waitFor();
    await page.getByText('The model made a plan.').waitFor();
    await page.getByText('Planned in steps · Executor').waitFor();
  });

  it('has its limits in the settings', async () => {
    await window.goto('');
    await page.getByRole('button', { name: 'Settings' }).click();
    await page.getByRole('tab', { name: 'Agents' }).click();
    const field = page.getByRole('textbox', { name: 'Parallel steps' });
    await field.fill('3');
    await field.press('Enter');
    await page.getByRole('radio', { name: 'Wait for your approval before the first step' }).check();
    const changes = () =>
      page.evaluate(() =>
        globalThis.fake.requests.flatMap(({ name, input }) =>
          name === 'settings.update' ? [(input as { changes: unknown }).changes] : [],
        ),
      );
    await expect.poll(changes).toEqual([{ parallelSteps: 3 }, { planReview: 'ask' }]);
  });
});
