import type { Locator } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import type { RunEventDraft } from '#contract/events/run-event.ts';
import { skillStage } from '../fakes/skill-run.ts';
import { chromiumNote, chromiumPath } from '../setup/chromium.ts';
import { useWindow } from '../setup/use-window.ts';

/** The editor of skills, in real Chromium under the content policy of the real entry points. */
describe.skipIf(chromiumPath === null)(`the editor of skills${chromiumNote}`, () => {
  const window = useWindow('?skills=1');
  const open = async (hash: string): Promise<void> => {
    await window.goto(hash);
    await window.page.locator('.cm-content').waitFor();
  };
  const source = () =>
    window.page.locator('.cm-line').evaluateAll((lines) => lines.map((line) => line.textContent));
  /** Goes to the end of the source and writes there. */
  const write = async (text: string): Promise<void> => {
    await window.page.locator('.cm-content').click();
    await window.page.keyboard.press('Control+End');
    await window.page.keyboard.type(text);
  };
  const choices = () => window.page.locator('.cm-tooltip-autocomplete .cm-completionLabel');

  it("completes the app's API and the metadata of a skill", async () => {
    await open('#/skills/csv_totals/edit');
    const { page } = window;
    const word = page.locator('.cm-line').nth(14).getByText('readFile');
    const tip = page.locator('.code-tip');
    // A pointer that was there before the text was laid out does not count as hovering, so it moves.
    const isTipShown = async (): Promise<boolean> => {
      await page.mouse.move(0, 0);
      await word.hover();
      await page.waitForTimeout(500);
      return tip.isVisible();
    };
    await expect.poll(isTipShown).toBe(true);
    expect((await tip.innerText()).split(/\n+/)).toEqual([
      'readFile(path: string): Promise<string>',
      'Text of a file of the workspace.',
    ]);
    await write('\nasync function more(app) { app.');
    await expect.poll(() => choices().allInnerTexts()).toEqual(['emit', 'llm', 'sandbox']);
    await page.keyboard.type('sandbox.r');
    await expect.poll(() => choices().allInnerTexts()).toEqual(['readFile', 'run']);
    await page.getByText('Text of a file of the workspace.').waitFor();
    // The editor ignores Enter right after a completion appears.
    await page.waitForTimeout(150);
    await page.keyboard.press('Enter');
    await expect.poll(async () => (await source()).at(-1)).toContain('app.sandbox.readFile');

    await page.getByText("'CSV Totals',").click();
    await page.keyboard.press('End');
    await page.keyboard.type('\ncateg');
    await expect.poll(() => choices().allInnerTexts()).toEqual(['category']);
    await page.keyboard.press('Escape');
    await page.keyboard.type("ory: '");
    await page.keyboard.press('Control+ ');
    const sorted = async (): Promise<string[]> => (await choices().allInnerTexts()).toSorted();
    await expect.poll(sorted).toEqual(['automation', 'code', 'creative', 'data', 'research']);
  });

  it('marks problems once the user stops typing, and leads to them', async () => {
    await open('#/skills/csv_totals/edit');
    const { page } = window;
    await page.getByText('No problems found').waitFor();
    await write("\nimport fs from 'fs';\nsetTimeout(run);\n");
    await page.getByText('1 error, 1 warning').waitFor();
    await expect.poll(() => page.locator('.cm-lintRange-error').count()).toBe(1);
    expect(await page.locator('.cm-lintRange-error').innerText()).toBe("import fs from 'fs';");
    expect(await page.locator('.cm-lintRange-warning').innerText()).toBe('setTimeout(run);');
    // Not one for each of the 44 keys.
    expect((await window.sent('skills.check')).length).toBeLessThan(10);
    await page.getByRole('button', { name: /^Go to line 19/ }).click();
    await page.keyboard.type('//');
    expect((await source())[18]).toBe("//import fs from 'fs';");
  });

  it('saves the source, by button and by keys, and continues to the review', async () => {
    await open('#/new-skill');
    const { page } = window;
    await page.getByLabel('Start from').selectOption('Totals');
    await expect.poll(async () => (await source())[3]).toContain("id: 'csv_totals'");
    await page.getByLabel('Language').selectOption('JavaScript');
    await page.getByText("'csv_totals',").click();
    await page.keyboard.press('End');
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.type('_two');
    await page.keyboard.press('Control+s');
    await page.getByRole('heading', { name: 'Review CSV Totals' }).waitFor();
    const [saved] = (await window.sent('skills.save')) as [{ language: string; source: string }];
    expect([saved.language, saved.source.split('\n')[3]]).toEqual([
      'javascript',
      "  id: 'csv_totals_two',",
    ]);
    await page.getByRole('checkbox', { name: /^Run programs in the sandbox/ }).waitFor();
    await page.getByRole('button', { name: 'Approve this version' }).click();
    // Once approved, it runs beside its source.
    await page.getByRole('button', { name: 'Edit', exact: true }).click();
    await page.getByRole('tab', { name: 'Run' }).click();
    await page.getByRole('form', { name: 'Run' }).waitFor();
  });

  const OWN = { toolCallId: 'own', executionId: 'own' };
  const BEGUN = [
    skillStage('csv_totals', null, 'running', OWN),
    skillStage('csv_totals', 'execute', 'running', { ...OWN, description: 'Add up' }),
  ];
  /** Opens the editor with runs that play these events, and starts one. */
  const runHere = async (
    before: readonly RunEventDraft[],
    after: readonly RunEventDraft[],
  ): Promise<Locator> => {
    await open('#/skills/csv_totals/edit');
    const { page } = window;
    await page.evaluate((script) => Object.assign(globalThis.fake, { script, paceMs: 0 }), {
      ...{ before, after },
    });
    await page.getByRole('tab', { name: 'Run' }).click();
    await page.getByLabel('path').fill('sales.csv');
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    return page.getByRole('region', { name: 'Last run' });
  };

  it('runs an approved skill beside its source: its questions, its failure and the line', async () => {
    const message = 'Line 7: TypeError: no such column';
    const trial = await runHere(
      [
        ...BEGUN,
        {
          ...{ type: 'interrupt', interruptId: 'q-own', kind: 'input', title: 'Which column?' },
          ...{ message: 'There are two.', reasons: [], options: [], attentionMs: 120_000 },
        },
      ],
      [
        skillStage('csv_totals', 'execute', 'failed', { ...OWN, description: 'Add up' }),
        skillStage('csv_totals', null, 'failed', { ...OWN, description: message }),
        { type: 'error', code: 'SKILL_FAILED', message, details: {} },
      ],
    );
    await trial.getByRole('status').getByText('Waiting for your answer').waitFor();
    await trial.getByText('Add up').first().waitFor();
    expect(await window.sent('runs.start')).toMatchObject([
      { options: { skill: { id: 'csv_totals', params: { path: 'sales.csv' } } } },
    ]);
    // Answered in place; the source stays where it is.
    await trial.getByRole('textbox').fill('revenue');
    await trial.getByRole('button', { name: 'Answer' }).click();
    await trial.getByRole('status').getByText('Failed').waitFor();
    await trial.getByText(message).waitFor();
    await trial.getByRole('button', { name: 'Go to line 7' }).click();
    await window.page.keyboard.type('// here');
    expect((await source())[6]).toMatch(/^\/\/ here/);
  });

  it('runs an approved skill beside its source: its result, and the link to its task', async () => {
    const trial = await runHere(BEGUN, [
      {
        ...{ type: 'skill_output', skillId: 'csv_totals', ...OWN },
        output: { totals: [{ region: 'West', revenue: 3385 }] },
      },
      skillStage('csv_totals', 'execute', 'completed', { ...OWN, description: 'Add up' }),
      skillStage('csv_totals', null, 'completed', OWN),
      {
        ...{ type: 'complete', outcome: 'completed', answer: '', durationMs: 10 },
        ...{ rounds: 0, toolCalls: 0 },
      },
    ]);
    await trial.getByRole('status').getByText('Done').waitFor();
    await trial.getByRole('columnheader', { name: 'revenue' }).waitFor();
    // It is still there when the user returns to it, and its task is one step away.
    const { page } = window;
    await page.getByRole('tab', { name: 'Check' }).click();
    await page.getByRole('tab', { name: 'Run' }).click();
    await trial.getByRole('button', { name: 'Open the task' }).click();
    await page.getByRole('heading', { name: 'Run the skill CSV Totals' }).waitFor();
  });

  it('says why a source was not saved, and keeps it while the user is elsewhere', async () => {
    await open('#/skills/csv_totals/edit');
    const { page } = window;
    await page.locator('.cm-content').click();
    await page.keyboard.press('Control+a');
    await page.keyboard.type('nothing of use');
    await page.getByRole('button', { name: 'Save and review' }).click();
    await page.getByRole('alert').getByText('The metadata names no id.').waitFor();
    await page.getByRole('button', { name: 'Back to the skill' }).click();
    await page.getByRole('button', { name: 'Edit', exact: true }).click();
    await page.getByText('Unsaved', { exact: true }).waitFor();
    expect(await source()).toEqual(['nothing of use']);
  });

  it('does not write over what another window saved, unless the user confirms', async () => {
    await open('#/skills/csv_totals/edit');
    const { page } = window;
    await page.evaluate(() => {
      const versions = globalThis.fake.skills.versions.get('csv_totals') ?? [];
      const [newest] = versions;
      if (newest === undefined) throw new Error('There is no version');
      const theirs = { ...newest, version: 3, source: '// theirs', sha256: 'e'.repeat(64) };
      globalThis.fake.skills.versions.set('csv_totals', [theirs, ...versions]);
    });
    await write('\n// mine');
    await page.getByRole('button', { name: 'Save and review' }).click();
    const alert = page.getByRole('alert');
    await alert.getByText('The skill csv_totals was changed elsewhere.').waitFor();
    expect((await source()).at(-1)).toBe('// mine');
    await alert.getByRole('button', { name: 'Save as the newest version' }).click();
    await page.getByRole('heading', { name: 'Review CSV Totals' }).waitFor();
    expect(await window.sent('skills.save')).toMatchObject([
      { base: expect.not.stringMatching(/^e+$/) },
      { base: 'e'.repeat(64) },
    ]);
  });

  it('restores an earlier version, and asks before it replaces unsaved changes', async () => {
    await open('#/skills/csv_totals/edit');
    const { page } = window;
    await page.getByRole('tab', { name: 'Versions' }).click();
    await page.getByRole('button', { name: 'Load version 1 into the editor' }).click();
    await expect.poll(async () => (await source())[0]).toBe('// The first one.');
    await page.getByText('Unsaved', { exact: true }).waitFor();
    await page.getByLabel('Start from').selectOption('Empty');
    await page.getByRole('button', { name: 'Keep my changes' }).click();
    expect((await source())[0]).toBe('// The first one.');
    await page.getByLabel('Start from').selectOption('Empty');
    await page.getByRole('button', { name: 'Replace' }).click();
    await expect.poll(async () => (await source())[1]).toBe("  id: 'my_skill',");
    // Replacing the source can be undone.
    await page.keyboard.press('Control+z');
    await expect.poll(async () => (await source())[0]).toBe('// The first one.');
  });

  it('is no keyboard trap, and its chunk is only loaded when it is opened', async () => {
    await window.goto('#/skills');
    const { page } = window;
    await page.getByText('8 skills').waitFor();
    const loaded = () =>
      page.evaluate<string[]>(
        `performance.getEntriesByType('resource').map(({ name }) => name).filter((name) => name.includes('skill-editor'))`,
      );
    expect(await loaded()).toEqual([]);
    await page.getByRole('button', { name: 'New skill' }).click();
    const text = page.getByRole('textbox', { name: 'Skill source' });
    await text.focus();
    await page.keyboard.press('Tab');
    await page.getByRole('tab', { name: 'Check' }).and(page.locator(':focus')).waitFor();
    expect((await loaded()).length).toBeGreaterThan(0);
  });
});
