import type { Page } from 'playwright-core';
import { beforeEach, describe, expect, it } from 'vitest';
import { chromiumNote, chromiumPath } from '../setup/chromium.ts';
import { useWindow } from '../setup/use-window.ts';

/** Research in the window: its progress, its sources, its report; in real Chromium with a fake main. */
describe.skipIf(chromiumPath === null)(`research in the window${chromiumNote}`, () => {
  const window = useWindow('?plans=1');
  let page: Page;
  beforeEach(() => {
    page = window.page;
  });

  const panel = (name: string) => page.getByRole('tabpanel', { name });
  const popover = () => page.locator('.citation-popover');

  it('shows its progress: phases, questions, coverage, searches, sources', async () => {
    await window.goto('#/task/t-research');
    const card = page.getByRole('region', { name: 'Research' });
    await card.getByText('67% of questions answered').waitFor();
    const bar = card.getByRole('progressbar', { name: 'Questions answered' });
    expect(await bar.getAttribute('aria-valuenow')).toBe('67');
    const phases = await card
      .getByRole('list', { name: 'Phases' })
      .getByRole('listitem')
      .allInnerTexts();
    expect(phases.map((text) => text.replace(/\s+/g, ' ').replace(' ,', ',').trim())).toEqual([
      'Preparing, done',
      'Searching and reading, running',
      'Analyzing, pending',
      'Synthesizing, pending',
      'Writing the report, pending',
    ]);
    expect(await card.getByText('What does it cost to run? · open').count()).toBe(1);
    await card.getByRole('button', { name: '3 searches' }).click();
    await card.getByText('heat pump running cost per year').waitFor();
    await page.getByRole('button', { name: 'bills.csv' }).first().waitFor();

    await page.evaluate(() =>
      globalThis.fake.emit('run-t-research', [
        {
          ...{ type: 'knowledge_update', updateId: 'k9', coverage: 1, openQuestions: [] },
          summary: 'Enough is known.',
        },
      ]),
    );
    await card.getByText('100% of questions answered').waitFor();
    await card.getByRole('button', { name: '4 sources found, 2 used' }).click();
    await panel('Sources').waitFor();
  });

  it('lists sources by number, files as files, and shows web addresses before it opens them', async () => {
    await window.goto('#/task/t-research');
    const sources = panel('Sources');
    await sources.getByText('radiators and flow.md').first().waitFor();
    expect(await sources.getByText('Your library: radiators and flow.md').count()).toBe(1);
    expect(await sources.getByText('example.org · found by searxng').count()).toBe(1);
    expect(await sources.locator('blockquote').count()).toBe(3);
    await sources.getByRole('button', { name: '1 more' }).click();
    await sources.getByText('Buildings were between 15 and 170 years old.').waitFor();
    expect(await page.locator('a[href*="example"]').count()).toBe(0);
    await sources.getByRole('button', { name: 'Field trial of heat pumps' }).click();
    await page.getByText('https://example.org/field-trial').waitFor();
  });

  it('shows the report with its contents, doubtful citations and open questions', async () => {
    await window.goto('#/task/t-report');
    const report = panel('Report');
    await report.getByRole('heading', { name: 'What is measured' }).waitFor();
    expect(await report.getByText('1 of 3 citations is doubtful').count()).toBe(1);
    expect(await report.getByRole('heading', { name: 'Heat pumps in old houses' }).count()).toBe(1);
    for (const title of ['Where sources agree', 'Where sources disagree', 'Open questions']) {
      expect(await report.getByRole('heading', { name: title }).count()).toBe(1);
    }
    const contents = report.getByRole('navigation', { name: 'Contents' });
    await contents.getByRole('button', { name: 'In numbers' }).press('Enter');
    expect(await page.evaluate('document.activeElement.textContent')).toBe('In numbers');
    // Code keeps its brackets.
    expect(await report.locator('code').innerText()).toBe('list[1]');
  });

  it('shows the excerpt behind a citation, and whether it supports the statement', async () => {
    await window.goto('#/task/t-report');
    const report = panel('Report');
    const doubtful = report.getByRole('button', { name: 'Source 1, doubtful' });
    await doubtful.press('Enter');
    const said = popover();
    await said
      .getByText('A flow temperature of 55 degrees was exceeded in nine of them.')
      .waitFor();
    await said.getByText('Doubtful: the excerpt does not support').waitFor();
    await page.keyboard.press('Escape');
    await popover().waitFor({ state: 'detached' });
    const focused = "document.activeElement.getAttribute('aria-label')";
    expect(await page.evaluate(focused)).toBe('Source 1, doubtful');
    await report.getByRole('button', { name: 'Source 1', exact: true }).first().click();
    await popover()
      .getByText('reached a mean seasonal performance factor of 3.1.')
      .last()
      .waitFor();
    await popover().getByText('This excerpt is from the source.').waitFor();
    await popover().getByRole('button', { name: 'Show in Sources' }).click();
    await panel('Sources').locator('[data-source="1"][data-requested="true"]').waitFor();
  });

  it('saves the report as Markdown, HTML and PDF', async () => {
    await window.goto('#/task/t-report');
    const names: string[] = [];
    for (const format of ['Markdown', 'HTML', 'PDF']) {
      await page.getByRole('button', { name: 'Export report' }).click();
      const download = page.waitForEvent('download');
      await page.getByRole('menuitem', { name: format }).click();
      names.push((await download).suggestedFilename());
    }
    expect(names).toEqual(['report.md', 'report.html', 'report.pdf']);
    await page.evaluate(() =>
      globalThis.fake.refuse.set('reports.export', {
        ...{ code: 'NOT_FOUND', message: 'There is no browser to print with.', details: {} },
      }),
    );
    await page.getByRole('button', { name: 'Export report' }).click();
    await page.getByRole('menuitem', { name: 'PDF' }).click();
    await page.getByText('There is no browser to print with.').waitFor();
  });

  it('sends depth and kind of sources with research messages only', async () => {
    await window.goto('');
    const started = () =>
      page.evaluate(() => {
        const one = globalThis.fake.requests.findLast(({ name }) => name === 'runs.start');
        return (one?.input as { options: Record<string, unknown> } | undefined)?.options;
      });
    await page.getByRole('radio', { name: 'Research', exact: true }).click();
    await page.getByRole('button', { name: 'Research: Standard, automatic' }).click();
    await page.getByRole('menuitemradio', { name: /^Deep/ }).click();
    await page.getByRole('button', { name: 'Research: Deep, automatic' }).click();
    await page.getByRole('menuitemradio', { name: 'News' }).click();
    await page.getByRole('textbox', { name: 'Message' }).fill('What happened?');
    await page.getByRole('textbox', { name: 'Message' }).press('Enter');
    await expect
      .poll(started)
      .toMatchObject({ mode: 'research', researchDepth: 'deep', scenario: 'news' });
    await page.getByRole('button', { name: 'New task' }).click();
    await page.getByRole('radio', { name: 'Task', exact: true }).click();
    await page.getByRole('textbox', { name: 'Message' }).fill('Two and two');
    await page.getByRole('textbox', { name: 'Message' }).press('Enter');
    await expect
      .poll(async () => Object.keys((await started()) ?? {}).sort())
      .toEqual(['mode', 'model', 'network']);
  });
});
