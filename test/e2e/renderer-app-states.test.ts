import { beforeEach, describe, expect, it } from 'vitest';
import { giveStates, openApp, STATES } from '../setup/app-screens.ts';
import { chromiumNote, chromiumPath } from '../setup/chromium.ts';
import { useWindow } from '../setup/use-window.ts';

const TASK = 't-browse';

describe.skipIf(chromiumPath === null)(`the states of an app${chromiumNote}`, () => {
  const window = useWindow('?browser=1');
  beforeEach(() => window.page.setDefaultTimeout(60_000));
  const cards = () => window.page.locator('.app-state-card');
  const dialog = () => window.page.getByRole('dialog');
  const back = () => dialog().getByRole('button', { name: 'Go back to this state' });
  const show = async (): Promise<void> => {
    await window.goto(`#/task/${TASK}`);
    await giveStates(window.page);
    await openApp(window.page);
    await cards().first().waitFor();
  };

  it('stand below the app, the newest first, and the one of now is marked', async () => {
    await show();
    await expect
      .poll(() => cards().allInnerTexts())
      .toEqual([
        expect.stringMatching(/^Make it blue, and (much )+/),
        'What you changed',
        'Build me a habit tracker',
      ]);
    expect(await window.page.locator('.app-state-card[aria-current]').count()).toBe(1);
    await expect.poll(() => window.page.locator('.app-state-card img').count()).toBe(2);
    expect(await window.page.getByRole('img', { name: 'No picture' }).count()).toBe(1);
  });

  it('are read again when the app changes', async () => {
    await show();
    await giveStates(window.page, STATES[0].snapshotId);
    await window.page.evaluate((task) => globalThis.fake.apps.change(task, {}), TASK);
    await expect
      .poll(() => window.page.locator('.app-state-card[aria-current]').innerText())
      .toMatch(/^Build me a habit tracker/);
  });

  it('show what changed since the one before, by keyboard too, and are gone back to', async () => {
    await show();
    await cards().first().focus();
    await window.page.keyboard.press('Enter');
    await dialog().getByText('sales.csv').waitFor();
    await dialog().getByText('The files are in this state now.').waitFor();
    expect((await window.sent('snapshots.changes')).at(-1)).toEqual({
      ...{ threadId: TASK, snapshotId: 'snap-2', since: 'snap-1', ownOnly: true },
    });
    await dialog()
      .getByRole('button', { name: /^sales\.csv/ })
      .click();
    await dialog().getByText('north,2').waitFor();
    expect((await window.sent('snapshots.diff')).at(-1)).toMatchObject({ since: 'snap-1' });
    await window.page.keyboard.press('Escape');
    await dialog().waitFor({ state: 'detached' });
    await window.page.waitForFunction('document.activeElement?.className === "app-state-card"');

    await cards().nth(1).click();
    const before = (await window.sent('apps.states')).length;
    await back().click();
    await dialog().waitFor({ state: 'detached' });
    expect(await window.sent('snapshots.restore')).toEqual([
      { threadId: TASK, snapshotId: 'snap-1' },
    ]);
    await expect
      .poll(async () => (await window.sent('apps.states')).length)
      .toBeGreaterThan(before);
    await window.page
      .getByText('Not removed, because there is no copy of them: model.bin')
      .waitFor();
  });

  it('stay open while they are read, and do not open by themselves', async () => {
    await show();
    await cards().first().click();
    await dialog().getByText('sales.csv').waitFor();
    await window.page.evaluate((task) => {
      const { apps } = globalThis.fake;
      apps.states.set(task, (apps.states.get(task) ?? []).slice(0, 2));
      apps.change(task, {});
    }, TASK);
    await expect.poll(() => cards().count()).toBe(2);
    expect(await dialog().getByText('sales.csv').count()).toBe(1);
    await window.page.keyboard.press('Escape');
    await dialog().waitFor({ state: 'detached' });
    await giveStates(window.page);
    await window.page.evaluate((task) => globalThis.fake.apps.change(task, {}), TASK);
    await expect.poll(() => cards().count()).toBe(3);
    expect(await dialog().count()).toBe(0);
  });

  it('are not gone back to while a run is in progress', async () => {
    await show();
    await window.page.evaluate(
      (run) => void globalThis.fake.setRun(run, { status: 'running', endedAt: null }),
      `run-${TASK}`,
    );
    await cards().last().click();
    await dialog().getByText('A run is in progress.').waitFor();
    expect(await back().isEnabled()).toBe(false);
  });

  it('stay open, and say why, where one cannot be gone back to', async () => {
    await show();
    await cards().last().click();
    await dialog().getByText('This is the first state.').waitFor();
    await back().click();
    await window.page.getByText('There is no snap-0.').waitFor();
    expect(await dialog().count()).toBe(1);
    expect(await back().isEnabled()).toBe(true);
  });

  it('are not shown where there is one only', async () => {
    await window.goto(`#/task/${TASK}`);
    await giveStates(window.page);
    await window.page.evaluate((task) => {
      const { states } = globalThis.fake.apps;
      states.set(task, (states.get(task) ?? []).slice(0, 1));
    }, TASK);
    await openApp(window.page);
    await expect.poll(async () => (await window.sent('apps.states')).length).toBeGreaterThan(0);
    expect(await cards().count()).toBe(0);
  });
});
