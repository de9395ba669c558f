import type { Page } from 'playwright-core';
import { beforeEach, describe, expect, it } from 'vitest';
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

  it('approves by no key right after a question appears, nor while the composer has the focus', async () => {
    await open('t-sales');
    // Pressed in the moment in which the button is there: a press of a key is a click without a count.
    await page.evaluate(`new Promise((done) => {
      const look = () => {
        const found = [...document.querySelectorAll('.question button')].find(
          (one) => one.textContent === 'Approve all 2',
        );
        if (found === undefined) return;
        seen.disconnect();
        found.click();
        globalThis.pressedAt = performance.now();
        done();
      };
      const seen = new MutationObserver(look);
      seen.observe(document.body, { childList: true, subtree: true });
      location.hash = '#/task/t-batch';
    })`);
    const approve = button('Approve all 2');
    // By the clock of the page: from here on the first half second is over.
    await expect
      .poll(() => page.evaluate('performance.now() - globalThis.pressedAt > 500'))
      .toBe(true);
    expect(await responses()).toEqual([]);
    await page.getByRole('textbox', { name: 'Message' }).focus();
    await page.evaluate(
      `[...document.querySelectorAll('.question button')].find((one) => one.textContent === 'Approve all 2').click()`,
    );
    expect(await responses()).toEqual([]);
    await approve.focus();
    await page.keyboard.press('Enter');
    await expect.poll(async () => (await responses()).length).toBe(2);
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
