import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { chromiumNote, chromiumPath } from '../setup/chromium.ts';
import { useWindow } from '../setup/use-window.ts';

/** The page of the skills, in real Chromium with a fake main. */
describe.skipIf(chromiumPath === null)(`skills in the window${chromiumNote}`, () => {
  const window = useWindow('?skills=1');
  const names = () => window.page.locator('.skill-row-name').allInnerTexts();

  it('are searched, narrowed, and switched on and off', async () => {
    await window.goto('#/skills');
    const { page } = window;
    await page.getByText('8 skills').waitFor();
    const search = page.getByRole('searchbox', { name: 'Search skills' });
    await search.fill('table chart');
    await page.getByText('1 of 8 skills').waitFor();
    expect(await names()).toEqual(['Data Analysis']);
    await search.press('Escape');
    await page.getByLabel('Category').selectOption('Data');
    await page.getByLabel('Source').selectOption('Yours');
    expect(await names()).toEqual(['CSV Totals']);
    await search.fill('zeppelin');
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await page.getByText('8 skills').waitFor();
    const broken = page.getByRole('listitem').filter({ hasText: 'Old Import' });
    expect((await broken.innerText()).split(/\n+/)).toEqual([
      ...['Old Import', 'Was written for another version.', 'Broken', 'High risk', 'Automation'],
      ...['Yours', 'Never run'],
      'Its source is not the one that was stored (SKILL_TAMPERED). Save it again.',
    ]);
    expect(await page.getByRole('switch', { name: 'Enable Old Import' }).isDisabled()).toBe(true);
    await page.getByRole('switch', { name: 'Enable Code Review' }).click();
    await page.getByRole('switch', { name: 'Enable Code Review', checked: true }).waitFor();
    await page.getByRole('switch', { name: 'Enable CSV Totals' }).click();
    await page.getByRole('switch', { name: 'Enable CSV Totals', checked: false }).waitFor();
    expect(await window.sent('skills.setEnabled')).toEqual([
      { skillId: 'code_review', enabled: true },
      { skillId: 'csv_totals', enabled: false },
    ]);
  });

  it('are reached, read and run by keyboard alone', async () => {
    await window.goto('');
    const { page } = window;
    await page.getByRole('heading', { name: 'What can I help with?' }).waitFor();
    const tabTo = async (name: string | RegExp): Promise<void> => {
      for (let presses = 0; presses < 60; presses += 1) {
        await page.keyboard.press('Tab');
        const focused = await page.evaluate<string>(
          `document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.textContent ?? ''`,
        );
        if (typeof name === 'string' ? focused === name : name.test(focused)) return;
      }
      throw new Error(`nothing called ${name} was reached`);
    };
    await tabTo('Skills');
    await page.keyboard.press('Enter');
    await page.getByText('8 skills').waitFor();
    await tabTo('CSV Totals');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'CSV Totals', level: 1 }).waitFor();
    expect(new URL(page.url()).hash).toBe('#/skills/csv_totals');
    await tabTo('Enable CSV Totals');
    await tabTo('Delete');
    await page.keyboard.press('Tab');
    await page.keyboard.type('sales.csv');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Run the skill CSV Totals' }).waitFor();
    const [started] = (await window.sent('runs.start')) as [{ options: unknown }];
    expect(started).toMatchObject({
      prompt: 'Run the skill CSV Totals',
      options: { skill: { id: 'csv_totals', params: { path: 'sales.csv' } } },
    });
  });

  it('are shown by their address after a reload, and on going back', async () => {
    await window.goto('#/skills/exam-tutor');
    const { page } = window;
    await page.getByRole('heading', { name: 'Exam Tutor', level: 1 }).waitFor();
    await page.getByRole('button', { name: 'All skills' }).click();
    await page.getByText('8 skills').waitFor();
    expect(new URL(page.url()).hash).toBe('#/skills');
    await page.goBack();
    await page.getByRole('heading', { name: 'Exam Tutor', level: 1 }).waitFor();
    // HTML of a skill stays text.
    await page.getByText('<img src=x onerror="alert(1)">').waitFor();
  });

  it('say why they could not be loaded, and retry', async () => {
    await window.goto('#/skills');
    const { page } = window;
    await page.getByText('8 skills').waitFor();
    await page.evaluate(() => {
      const message = 'The database is busy.';
      globalThis.fake.refuse.set('skills.list', { code: 'INTERNAL', message, details: {} });
      globalThis.fake.push({ kind: 'skills_changed' });
    });
    await page.getByText('The database is busy.').waitFor();
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByText('8 skills').waitFor();
  });

  /** Scrolls to 24 places in the list: the median frame in milliseconds, and the most rows rendered. */
  const scrollThrough = () =>
    window.page.evaluate<{ median: number; rows: number }>(`(async () => {
      const scroller = document.querySelector('.skill-scroller');
      const room = scroller.scrollHeight - scroller.clientHeight;
      const times = [];
      let [rows, last] = [0, performance.now()];
      for (let step = 0; step < 24; step += 1) {
        scroller.scrollTop = (step * 1_300) % room;
        await new Promise((resolve) => requestAnimationFrame(resolve));
        rows = Math.max(rows, document.querySelectorAll('.skill-rows > li').length);
        times.push(performance.now() - last);
        last = performance.now();
      }
      return { median: times.sort((a, b) => a - b)[12], rows };
    })()`);

  it('scroll as fast with a thousand as with fifty', async () => {
    const { page } = window;
    await window.goto('#/skills', '?skills=50');
    await page.getByText('50 skills').waitFor();
    const few = await scrollThrough();
    await window.goto('#/skills', '?skills=1000');
    await page.getByText('1,000 skills').waitFor();
    const many = await scrollThrough();
    console.log(
      `median frame while scrolling: ${few.median.toFixed(0)} ms of 50 skills, ${many.median.toFixed(0)} ms of 1,000; ${many.rows} rows`,
    );
    expect(many.rows).toBeLessThan(50);
    expect(many.median).toBeLessThan(3 * Math.max(few.median, 1_000 / 60));
    await page.locator('.skill-scroller').evaluate((list) => {
      list.scrollTop = list.scrollHeight;
    });
    await page.getByText('Skill number 999', { exact: true }).waitFor();
    await page.getByRole('searchbox', { name: 'Search skills' }).fill('number 512');
    await page.getByText('1 of 1,000 skills').waitFor();
    expect(await names()).toEqual(['Skill number 512']);
  });

  it('are imported as a folder, with its files by their paths', async () => {
    const folder = join(mkdtempSync(join(tmpdir(), 'hyperagent-pick-')), 'tea');
    onTestFinished(() => rmSync(dirname(folder), { recursive: true, force: true }));
    mkdirSync(folder);
    writeFileSync(
      join(folder, 'SKILL.md'),
      "export const metadata = { id: 'tea', name: 'Tea' };\n",
    );
    await window.goto('#/skills');
    const { page } = window;
    await page.getByText('8 skills').waitFor();
    await page.locator('input[type=file][webkitdirectory]').setInputFiles(folder);
    await page.getByRole('heading', { name: 'Review Tea' }).waitFor();
    expect(await window.sent('skills.import')).toMatchObject([
      { files: [{ path: 'tea/SKILL.md', data: expect.stringMatching(/^[A-Za-z0-9+/]+=*$/) }] },
    ]);
  });

  it('are imported and exported as a file, and need a review', async () => {
    await window.goto('#/skills');
    const { page } = window;
    await page.getByText('8 skills').waitFor();
    const source = "export const metadata = { id: 'brought_in', name: 'Brought In' };\n";
    const file = (text: string) => ({
      ...{ name: 'skill.json', mimeType: 'application/json', buffer: Buffer.from(text) },
    });
    const picker = page.locator('input[type=file]:not([webkitdirectory])');
    await picker.setInputFiles(file('not a skill'));
    await page.getByText('This is not a skill file.').waitFor();
    await picker.setInputFiles(file(JSON.stringify({ source })));
    await page.getByRole('heading', { name: 'Review Brought In' }).waitFor();
    await page.getByRole('button', { name: 'Not now' }).click();
    await page.getByText('This skill is new or has changed').waitFor();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Export' }).click(),
    ]);
    const chunks: Buffer[] = [];
    for await (const chunk of await download.createReadStream()) chunks.push(chunk as Buffer);
    expect([download.suggestedFilename(), Buffer.concat(chunks).toString()]).toEqual([
      'brought_in.skill.json',
      JSON.stringify({ id: 'brought_in', source }),
    ]);
    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByText('8 skills').waitFor();
    expect(await window.sent('skills.remove')).toEqual([{ skillId: 'brought_in' }]);
  });

  it('that need a review say so once, with a link to it', async () => {
    await window.goto('#/skills');
    const { page } = window;
    const row = page.locator('.skill-row').filter({ hasText: 'Release Notes' });
    await row.getByText('Needs review').waitFor();
    expect(await page.getByText('It has not been reviewed yet').count()).toBe(0);
    await row.getByRole('button', { name: 'Release Notes' }).click();
    await page.getByText('This skill is new or has changed').waitFor();
    expect(await page.getByText('It has not been reviewed yet').count()).toBe(0);
    await page.getByRole('button', { name: 'Review' }).click();
    await page.getByRole('heading', { name: 'Review Release Notes' }).waitFor();
  });

  it('are deleted after a focused confirmation, which returns the focus', async () => {
    await window.goto('#/skills/csv_totals');
    const { page } = window;
    const focused = () => page.evaluate<string>('document.activeElement?.textContent ?? ""');
    await page.getByRole('button', { name: 'Delete' }).click();
    await expect.poll(focused).toBe('Keep skill');
    await page.keyboard.press('Escape');
    await expect.poll(focused).toBe('Delete');
    await page.keyboard.press('Enter');
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByText('7 skills').waitFor();
  });

  it('whose run waits for the user do not spin', async () => {
    await window.goto('#/skills');
    const { page } = window;
    await page.getByText('8 skills').waitFor();
    await page.evaluate(() => {
      globalThis.fake.skills.executions = [
        {
          ...{ id: 'e-asks', skillId: 'csv_totals', runId: 'run-t-wait', threadId: 't-wait' },
          ...{ parentId: null, depth: 1, status: 'running', input: {}, events: [] },
          ...{ output: null, error: null, startedAt: Date.now(), endedAt: null },
        },
      ];
    });
    await page.getByRole('button', { name: 'CSV Totals', exact: true }).click();
    const main = page.getByRole('main');
    await main.getByRole('button', { name: /^Waiting for you/ }).waitFor();
  });

  it('have their own folders in the settings', async () => {
    await window.goto('#/skills');
    const { page } = window;
    await page.getByRole('button', { name: 'Skill folders' }).click();
    const panel = page.getByRole('tabpanel', { name: 'Skills' });
    const folder = panel.getByLabel('Folder', { exact: true });
    await folder.fill('skills');
    await folder.press('Enter');
    await panel.getByText('Enter the full path').waitFor();
    await folder.fill('/home/me/skills');
    await folder.press('Enter');
    await panel.getByText('/home/me/skills', { exact: true }).waitFor();
    await panel.getByRole('button', { name: 'Remove /home/me/skills' }).click();
    await panel.getByText('No folders added.').waitFor();
    expect(await window.sent('settings.update')).toEqual([
      { changes: { skillFolders: ['/home/me/skills'] } },
      { changes: { skillFolders: [] } },
    ]);
  });

  it('add their mode to the message box', async () => {
    await window.goto('');
    const { page } = window;
    await page.getByRole('radio', { name: 'Data', exact: true }).click();
    await page.getByRole('textbox', { name: 'Message' }).fill('Who leads?');
    await page.keyboard.press('Enter');
    await expect
      .poll(() => window.sent('runs.start'))
      .toMatchObject([{ options: { mode: 'data' } }]);
    await page.evaluate(() =>
      globalThis.fake.request('skills.setEnabled', { skillId: 'data_analysis', enabled: false }),
    );
    await page.getByRole('radio', { name: 'Data', exact: true }).waitFor({ state: 'detached' });
  });
});
