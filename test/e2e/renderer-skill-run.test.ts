import { describe, expect, it } from 'vitest';
import { SKILL_RUN, skillStage } from '../fakes/skill-run.ts';
import { chromiumNote, chromiumPath } from '../setup/chromium.ts';
import { useWindow } from '../setup/use-window.ts';

/** Running skills, their cards in the conversation, and their review, with a fake main. */
describe.skipIf(chromiumPath === null)(`running skills in the window${chromiumNote}`, () => {
  const window = useWindow('?skills=1');

  it('are run by a form that reports problems before anything is sent', async () => {
    await window.goto('#/skills/data_analysis');
    const { page } = window;
    const form = page.getByRole('form', { name: 'Run' });
    await form.getByLabel('Max charts').fill('a few');
    await form.getByLabel('columns').fill('{"region": 1}');
    await form.getByLabel('types').fill('{"revenue":');
    await form.getByRole('button', { name: 'Run' }).click();
    await form.getByText('5 fields need a valid value').waitFor();
    expect(await form.locator('.field-note[role=alert]').allInnerTexts()).toEqual([
      ...['This field is required.', 'This field is required.', 'Enter a number.'],
      ...['Enter one per line, or a JSON list such as ["a", "b"].', 'Enter valid JSON.'],
    ]);
    // The first invalid field has the focus.
    expect(await page.evaluate(`document.activeElement?.getAttribute('name')`)).toBe('question');
    expect(await window.sent('runs.start')).toEqual([]);

    await page.keyboard.type('Who leads?');
    await form.getByLabel('path').fill('sales.csv');
    await form.getByLabel('depth').selectOption('thorough');
    await form.getByLabel('Max charts').fill('2');
    await form.getByLabel('clean').check();
    await form.getByLabel('columns').fill('region\n');
    await form.getByLabel('types').fill('');
    await form.getByRole('button', { name: 'Run' }).click();
    await page.getByRole('heading', { name: 'Run the skill Data Analysis' }).waitFor();
    expect(await window.sent('runs.start')).toEqual([
      {
        ...{ prompt: 'Run the skill Data Analysis', attachmentIds: [] },
        options: {
          ...{ mode: 'task', network: 'offline' },
          model: { provider: 'ollama', name: 'qwen3:8b' },
          skill: {
            id: 'data_analysis',
            params: {
              ...{ question: 'Who leads?', path: 'sales.csv', depth: 'thorough' },
              ...{ max_charts: 2, clean: true, columns: ['region'] },
            },
          },
        },
      },
    ]);
    expect(new URL(page.url()).hash).toMatch(/^#\/task\/thread-new-/);
  });

  it('show errors of main, and keep the filled-in values', async () => {
    await window.goto('#/skills/csv_totals');
    const { page } = window;
    const form = page.getByRole('form', { name: 'Run' });
    await form.getByLabel('path').fill('gone.csv');
    await page.evaluate(() =>
      globalThis.fake.refuse.set('runs.start', {
        ...{ code: 'SKILL_INPUT_INVALID', message: 'path: there is no such file', details: {} },
      }),
    );
    await form.getByRole('button', { name: 'Run' }).click();
    await form.getByText('path: there is no such file').waitFor();
    expect(await form.getByLabel('path').inputValue()).toBe('gone.csv');
  });

  it('in Markdown are requested in words', async () => {
    await window.goto('#/skills/exam-tutor');
    const { page } = window;
    await page.getByLabel('What should it do?').fill('Biology, chapter 3');
    await page.getByRole('form', { name: 'Run' }).getByRole('button', { name: 'Run' }).click();
    await page.getByRole('heading', { name: 'Use the skill Exam Tutor' }).waitFor();
    const [started] = (await window.sent('runs.start')) as [{ prompt: string; options: object }];
    expect([started.prompt, 'skill' in started.options]).toEqual([
      'Use the skill Exam Tutor: Biology, chapter 3',
      false,
    ]);
  });

  it('that are the whole run show their answer once, with closed result fields', async () => {
    await window.goto('#/task/t-skill-alone');
    const { page } = window;
    const card = page.getByRole('region', { name: 'Skill Data Analysis' });
    await page.getByText('West leads.').waitFor();
    await card.getByText('Calculate').first().waitFor();
    expect(await page.getByText('3385.00').count()).toBe(0);
    await card.getByRole('button', { name: 'Result fields' }).click();
    await card.getByText('3385.00').waitFor();
  });

  it('show their stages as they come, and then their result', async () => {
    await window.goto('#/task/t-skill-live');
    const { page } = window;
    const card = page.getByRole('region', { name: 'Skill Data Analysis' });
    const stages = card.getByRole('list', { name: 'Skill stages' }).getByRole('listitem');
    await card.getByText('Calculate').first().waitFor();
    expect(await stages.allInnerTexts()).toEqual([
      'Plan the analysis\n, done',
      'Calculate\n, running',
    ]);
    await page.evaluate(
      (drafts) => globalThis.fake.emit('run-t-skill-live', drafts),
      [
        skillStage('data_analysis', 'code', 'completed', { description: 'Calculate' }),
        skillStage('data_analysis', 'sum_up', 'running', { description: 'Sum up' }),
      ],
    );
    await card.getByText('Sum up').first().waitFor();
    expect(await stages.allInnerTexts()).toEqual([
      expect.stringMatching(/^Plan the analysis\n, done/),
      expect.stringMatching(/^Calculate\n, done/),
      'Sum up\n, running',
    ]);
    await page.evaluate(
      (drafts) => globalThis.fake.emit('run-t-skill-live', drafts),
      [
        skillStage('data_analysis', 'sum_up', 'completed', { description: 'Sum up' }),
        ...SKILL_RUN.slice(-2),
      ],
    );
    await card.getByText('North is close behind.').waitFor();
    await card.getByRole('columnheader', { name: 'revenue' }).waitFor();
    expect(await card.getByRole('row').nth(2).innerText()).toBe('North\t3353.5');
    await card.getByRole('button', { name: 'Show sales-by-region.svg in Files' }).click();
    await page.getByRole('tab', { name: 'Files', selected: true }).waitFor();
    // A source behaves like every link: its address is shown before it opens.
    await card.getByRole('button', { name: 'Handbook' }).click();
    await page.getByText('https://example.org/handbook').waitFor();
  });

  it('say why they failed, and how far their steps are', async () => {
    await window.goto('#/task/t-skill');
    const { page } = window;
    const failed = page.getByRole('region', { name: 'Skill Web Research' });
    await failed.getByText('SKILL_TIMED_OUT').waitFor();
    await failed.getByText('It took longer than 300 seconds.').waitFor();
    const progress = page.getByRole('region', { name: 'Skill with steps: exam-tutor' });
    expect((await progress.innerText()).split(/\n+/)).toEqual([
      ...['exam-tutor', '1 of 2 steps', 'in progress'],
      ...['1. Ask what the exam is about', ', done', 'topic answered'],
      ...['2. Write the questions', ', current', 'questions.md not read yet'],
      ...['Refused (1)', 'Finish step 2 The file questions.md was not read in this step.'],
    ]);
  });

  it('are approved to the byte, with the selected permissions', async () => {
    await window.goto('#/skills/weather_digest');
    const { page } = window;
    await page.getByRole('button', { name: 'Review' }).click();
    await page.getByRole('heading', { name: 'Review Weather Digest' }).waitFor();
    expect(await page.locator('.review-file').innerText()).toContain('⟨U+202E⟩');
    await page.getByRole('checkbox', { name: /^Read web pages/ }).uncheck();
    await page.getByRole('button', { name: 'Approve this version' }).click();
    await page.getByRole('heading', { name: 'Weather Digest', level: 1, exact: true }).waitFor();
    await page.getByText('Ready').first().waitFor();
    expect(await window.sent('skills.approve')).toEqual([
      { skillId: 'weather_digest', sha256: 'a'.repeat(64), capabilities: ['llm'] },
    ]);
  });

  it('that changed during their review are shown again, and not approved', async () => {
    await window.goto('#/skills/weather_digest/review');
    const { page } = window;
    const approve = page.getByRole('button', { name: 'Approve this version' });
    await approve.waitFor();
    await page.evaluate(() => globalThis.fake.skills.tamper('weather_digest', 'evil();\n'));
    await approve.click();
    await page.getByRole('alert').getByText('The skill changed while you reviewed it').waitFor();
    await page.getByText('evil();').waitFor();
    const state = () =>
      page.evaluate(
        () =>
          globalThis.fake.skills.details.find(({ summary }) => summary.id === 'weather_digest')
            ?.summary.state,
      );
    expect(await state()).toBe('needs_review');
    await approve.click();
    await expect.poll(state).toBe('ready');
  });

  it('with an error in them cannot be approved', async () => {
    await window.goto('#/skills/release-notes/review');
    const { page } = window;
    const approve = page.getByRole('button', { name: 'Approve this version' });
    await approve.waitFor();
    expect(await approve.isDisabled()).toBe(true);
    expect(await page.locator('.review-file h3').allInnerTexts()).toEqual([
      'SKILL.md\nnew',
      'logo.png\nchanged',
      'old.md\nremoved',
    ]);
    await page.getByText('Binary file: its content is not shown.').waitFor();
  });
});
