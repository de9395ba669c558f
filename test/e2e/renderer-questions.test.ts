import type { Page } from 'playwright-core';
import { beforeEach, describe, expect, it } from 'vitest';
import type { RunEventDraft } from '#contract/events/run-event.ts';
import type { RequestInput, RequestName } from '#contract/requests.ts';
import { chromiumNote, chromiumPath } from '../setup/chromium.ts';
import { useWindow } from '../setup/use-window.ts';

/** Questions to the user, and the control of runs, in real Chromium with a fake main. */
describe.skipIf(chromiumPath === null)(`questions and control of runs${chromiumNote}`, () => {
  const window = useWindow('?questions=1');
  let page: Page;
  beforeEach(() => {
    page = window.page;
  });

  const open = (threadId: string) => window.goto(`#/task/${threadId}`);
  const button = (name: string | RegExp) => page.getByRole('button', { name });
  /** Requests of this name to main, oldest first. */
  const asked = <Name extends RequestName>(name: Name): Promise<RequestInput<Name>[]> =>
    page.evaluate(
      (wanted) =>
        globalThis.fake.requests.filter((one) => one.name === wanted).map(({ input }) => input),
      name as string,
    ) as Promise<RequestInput<Name>[]>;
  const responses = async () => (await asked('runs.respond')).map(({ response }) => response);

  it('groups the approvals of one answer, with a decision for each', async () => {
    await open('t-batch');
    const card = page.getByRole('region', { name: '2 calls need your approval' });
    await card.waitFor();
    const members = card.getByRole('article');
    expect(await members.count()).toBe(2);
    await members.nth(0).getByText('lose').waitFor();
    await members.nth(0).getByRole('button', { name: 'Deny…' }).click();
    await members.nth(0).getByLabel('Reason (sent to the model)').fill('Keep them.');
    await members.nth(0).getByRole('checkbox').check();
    await members
      .nth(0)
      .getByRole('radio', { name: /^Files/ })
      .check();
    await members.nth(0).getByLabel('Pattern').fill('notes/**');
    await members.nth(0).getByText('Would have decided 14 of your last 200 calls.').waitFor();
    await members.nth(0).getByRole('button', { name: 'Deny this call' }).click();
    await members.nth(1).getByRole('button', { name: 'Always approve…' }).click();
    // The narrowest rule comes first.
    for (const name of ['This exact call', 'This task only']) {
      expect(await members.nth(1).getByRole('radio', { name }).isChecked()).toBe(true);
    }
    await members.nth(1).getByRole('radio', { name: 'First words of the command' }).check();
    // Everything is stacked within the card, also in a narrow window.
    const usual = page.viewportSize() ?? { width: 1440, height: 900 };
    await page.setViewportSize({ width: 420, height: 700 });
    const chooser = members.nth(1).locator('.question-actions.stacked');
    expect(await chooser.evaluate((form) => form.scrollWidth - form.clientWidth)).toBe(0);
    await page.setViewportSize(usual);
    await members.nth(1).getByRole('button', { name: 'Approve and add rule' }).click();
    await expect.poll(responses).toEqual([
      {
        action: 'deny',
        reason: 'Keep them.',
        rule: { match: 'path', pattern: 'notes/**', thisTaskOnly: false },
      },
      {
        action: 'approve',
        always: true,
        argumentsSha256: 'ab'.repeat(32),
        rule: { match: 'argv', pattern: '["git","status","--short"]', thisTaskOnly: true },
      },
    ]);
  });

  it('decides on all calls of an answer at once, each by the hash of its own bytes', async () => {
    await open('t-batch');
    await page.getByText('Why this asks: You chose to be asked every time.').waitFor();
    await button('Approve all 2').click();
    const yes = { action: 'approve', always: false, argumentsSha256: 'ab'.repeat(32) };
    await expect.poll(responses).toEqual([yes, yes]);
    expect((await asked('runs.respond')).map(({ interruptId }) => interruptId)).toEqual([
      'b1',
      'b2',
    ]);
    await open('t-batch');
    await button('Deny all 2…').click();
    await page.getByLabel('Reason (sent to the model)').fill('Leave them.');
    await button('Deny this call').click();
    const no = { action: 'deny', reason: 'Leave them.' };
    await expect.poll(responses).toEqual([yes, yes, no, no]);
  });

  /** Presses a button by key and by pointer, in the moment in which the page has such a one. */
  const pressAtOnce = (find: string, begin: string) =>
    page.evaluate(`new Promise((done) => {
      const buttons = () => [...document.querySelectorAll('.question button')];
      const look = () => {
        const found = (${find})(buttons());
        if (found === undefined) return;
        seen.disconnect();
        found.click();
        found.dispatchEvent(new MouseEvent('click', { bubbles: true, detail: 1 }));
        done();
      };
      const seen = new MutationObserver(look);
      seen.observe(document.body, { childList: true, subtree: true, characterData: true });
      ${begin};
    })`);
  const isEnabled = (name: string) =>
    expect
      .poll(() => button(name).last().getAttribute('aria-disabled'), { interval: 50 })
      .toBe(null);
  const questionFor = (id: string, batchId: string): RunEventDraft => ({
    ...({ type: 'interrupt', interruptId: id, kind: 'approval', title: 'Run a command?' } as const),
    ...{ message: 'It deletes.', reasons: [], options: [], attentionMs: 120_000 },
    ...{ toolCallId: `call-${id}`, toolName: 'shell_command', risk: 'high' as const, batchId },
    ...{ argumentsText: '{"command":"rm -r ."}', argumentsSha256: 'cd'.repeat(32) },
  });

  it('approves by nothing right after a question appears, nor by a key while the composer has the focus', async () => {
    await open('t-sales');
    const approveAll = `(all) => all.find((one) => one.textContent === 'Approve all 2')`;
    await pressAtOnce(approveAll, `location.hash = '#/task/t-batch'`);
    await isEnabled('Approve all 2');
    expect(await responses()).toEqual([]);
    await page.getByRole('textbox', { name: 'Message' }).focus();
    await page.evaluate(
      `(${approveAll})([...document.querySelectorAll('.question button')]).click()`,
    );
    expect(await responses()).toEqual([]);
    await button('Approve all 2').focus();
    await page.keyboard.press('Enter');
    await expect.poll(async () => (await responses()).length).toBe(2);
  });

  it('approves by nothing right after another question of the card went, which moves the buttons', async () => {
    await open('t-batch');
    await button('Approve all 2').waitFor();
    const third = JSON.stringify(questionFor('b3', 'batch-1'));
    await page.evaluate(`fake.emit('run-t-batch', [${third}])`);
    await button('Approve all 3').waitFor();
    await isEnabled('Approve once');
    await pressAtOnce(
      `(all) => all.some((one) => one.textContent === 'Approve all 2')
        ? all.filter((one) => one.textContent === 'Approve once').at(-1) : undefined`,
      `fake.emit('run-t-batch', [{
        type: 'interrupt_response', interruptId: 'b1', by: 'person',
        response: { action: 'deny', reason: '' },
      }])`,
    );
    await isEnabled('Approve once');
    expect(await responses()).toEqual([]);
    await button('Approve once').last().click();
    await expect.poll(async () => (await responses()).length).toBe(1);
  });

  it('approves nothing by the second click of a double click', async () => {
    await open('t-batch');
    await page.evaluate(
      (next) => {
        const { fake } = globalThis;
        const request = fake.request.bind(fake);
        let left = 2;
        fake.request = async (name, input) => {
          if (name !== 'runs.respond') return request(name, input);
          fake.requests.push({ name, input });
          const { runId, interruptId, response } = input as RequestInput<'runs.respond'>;
          fake.emit(runId, [{ type: 'interrupt_response', interruptId, response, by: 'person' }]);
          left -= 1;
          if (left === 0) fake.emit(runId, next);
          return { ok: true, data: {} as never };
        };
      },
      [questionFor('n1', 'next'), questionFor('n2', 'next')],
    );
    await button('Approve all 2').dblclick();
    await page.getByText('rm -r .').first().waitFor();
    expect(await responses()).toHaveLength(2);
    await button('Approve all 2').click();
    await expect.poll(async () => (await responses()).length).toBe(4);
  });

  it('shows what would run after an edit, and approves those bytes', async () => {
    await open('t-batch');
    const member = page.getByRole('article').nth(1);
    await member.getByRole('button', { name: 'Edit…' }).click();
    await member.getByLabel('command').fill('rm -r build');
    await member.getByRole('button', { name: 'Review changes' }).click();
    await member.getByText('Deletes whole folders.').waitFor();
    await member.getByText('{"command":"rm -r build"}').waitFor();
    await member.getByRole('button', { name: 'Approve changes' }).click();
    await expect
      .poll(responses)
      .toMatchObject([{ action: 'approve', always: false, edited: '{"command":"rm -r build"}' }]);
  });

  it('marks look-alikes in what would run after an edit, as before it', async () => {
    await open('t-batch');
    const member = page.getByRole('article').nth(1);
    await member.getByRole('button', { name: 'Edit…' }).click();
    // The first letter is Cyrillic.
    await member.getByLabel('command').fill('\u0441url example.org');
    await member.getByRole('button', { name: 'Review changes' }).click();
    await member.locator('.question-actions mark[data-kind="look_alike"]').first().waitFor();
  });

  it('approves a checkpoint as it is, or with changed parameters', async () => {
    await open('t-plan');
    await button('Approve').waitFor();
    await page.getByLabel('question_count').fill('many');
    await page.getByText('Enter valid JSON.').waitFor();
    await page.getByLabel('question_count').fill('12');
    await button('Approve with changes').click();
    await expect.poll(responses).toEqual([{ action: 'modify', overrides: { question_count: 12 } }]);
  });

  it('approves a checkpoint with a change in words, beside a changed parameter', async () => {
    await open('t-plan');
    await page.getByLabel('question_count').fill('15');
    await page.getByLabel('Or say what to change').fill('No essays.');
    await button('Approve with this change').click();
    await expect
      .poll(responses)
      .toEqual([{ action: 'input', text: 'No essays.\nquestion_count = 15' }]);
  });

  it('asks yes or no, and takes the reason of a denial', async () => {
    await open('t-confirm');
    await button('No…').click();
    await page.getByLabel('Reason (sent to the model)').fill('It is not done yet');
    await button('Deny this call').click();
    await expect.poll(responses).toEqual([{ action: 'deny', reason: 'It is not done yet' }]);
  });

  it('collects every question of every task in the inbox and the title', async () => {
    await open('t-sales');
    await button('Waiting for you 4').click();
    const items = page.getByRole('menuitem');
    await items.first().waitFor();
    expect((await items.allInnerTexts()).map((text) => text.replace(/\s+/g, ' ').trim())).toEqual(
      expect.arrayContaining([expect.stringContaining('Tidy up the notes')]),
    );
    expect(await page.title()).toMatch(/^\(4\) Waiting for you/);
    await items.filter({ hasText: 'Prepare an exam' }).click();
    await page.getByRole('region', { name: 'exam_params' }).waitFor();
  });

  it('resumes a paused run', async () => {
    await open('t-paused');
    await page.getByText('This run is paused.').waitFor();
    await button('Resume').click();
    await button('Pause after this step').click();
    await page.getByText('This run is paused.').waitFor();
    expect((await asked('runs.resume')).length + (await asked('runs.pause')).length).toBe(2);
  });

  it('says what stopped a run, until it resumes', async () => {
    await open('t-paused');
    await page.getByText('This run is paused.').waitFor();
    await page.evaluate(() => {
      const { fake } = globalThis;
      const run = fake.state.runs.find(({ id }) => id === 'run-t-paused');
      if (run === undefined) return;
      const message =
        'There is no space left on the disk of /home/ada/.local/share/hyperagent. Free some space and try again; everything saved so far is safe.';
      const error = { code: 'DISK_FULL', message };
      fake.push({ kind: 'run_changed', run: { ...run, status: 'queued', error } });
    });
    await page.getByText('There is no space left').waitFor();
    await button('Resume').click();
    await page.getByText('There is no space left').waitFor({ state: 'hidden' });
    expect(await asked('runs.resume')).toHaveLength(1);
  });

  it('retries a failed step, forks, and runs an edited message in a new task', async () => {
    await open('t-fail');
    await button('Retry the last step').click();
    await expect.poll(() => asked('runs.retry')).toEqual([{ runId: 'run-t-fail' }]);
    await open('t-sales');
    await button('More').first().click();
    await page.getByRole('menuitem', { name: 'Branch into a new task' }).click();
    await expect.poll(async () => (await asked('runs.fork')).length).toBe(1);
    await open('t-unverified');
    await button('Edit and run again').first().click();
    const field = page.getByRole('textbox', { name: 'Edit and run again' });
    await field.fill('Translate only the first chapter');
    await button('Run in a new task').click();
    await expect
      .poll(() => asked('runs.edit'))
      .toEqual([{ runId: 'run-t-unverified', prompt: 'Translate only the first chapter' }]);
  });

  it('lists, edits and tries rules, and sets how it asks', async () => {
    await window.goto('');
    await button('Settings').click();
    await page.getByRole('tab', { name: 'Approvals' }).click();
    await page.getByRole('radio', { name: 'Ask every time' }).check();
    await page.getByRole('radio', { name: 'The call is denied' }).check();
    await button(/^Edit the rule for execute_code/).click();
    await page.getByLabel('Action', { exact: true }).selectOption('ask');
    await page.getByLabel('Pattern').fill('*pandas*');
    await page.getByText('Would have decided 14 of your last 200 calls.').waitFor();
    await button('Save rule').click();
    await page.getByText('ask every time', { exact: true }).waitFor();
    expect(await asked('settings.update')).toEqual([
      { changes: { policyLevel: 'ask_every_time' } },
      { changes: { attentionTimeout: 'deny' } },
    ]);
    expect(await asked('rules.put')).toEqual([
      {
        ruleId: 'rule-1',
        rule: {
          ...{ toolName: 'execute_code', match: 'arguments', pattern: '*pandas*' },
          ...{ decision: 'ask', threadId: null },
        },
      },
    ]);
  });
});
