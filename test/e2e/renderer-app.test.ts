import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Download } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { AppBuild, TaskApp } from '#contract/apps.ts';
import { type OpenPreview, openPreview } from '../fakes/preview/open-preview.ts';
import { temporaryDir } from '../main/storage/support.ts';
import { APP_SCREENS } from '../setup/app-screens.ts';
import { chromiumNote, chromiumPath } from '../setup/chromium.ts';
import { LAYOUT_FAULTS } from '../setup/layout-faults.ts';
import { showComputer } from '../setup/narrow-window.ts';
import { useWindow } from '../setup/use-window.ts';

const TASK = 't-browse';
async function contentOf(download: Download): Promise<string> {
  const file = path.join(temporaryDir(), 'download');
  await download.saveAs(file);
  return await readFile(file, 'utf8');
}

const PAGE = `<!doctype html><html lang="en"><head><title>Habits</title></head><body>
<h1>Habits</h1><button id="add" onclick="console.error('no habit given')">Add</button>
<button id="more" onclick="history.pushState({}, '', '/list?x=1')">List</button>
<p class="note">Nothing yet</p>
<script>
  console.log('ready');
  window.forge = (message) => parent.postMessage(message, '*');
</script></body></html>`;

describe.skipIf(chromiumPath === null)(`the app of a task${chromiumNote}`, () => {
  const window = useWindow('?browser=1');
  beforeEach(() => window.page.setDefaultTimeout(15_000));
  let preview: OpenPreview;
  beforeAll(async () => {
    preview = await openPreview((_request, response) =>
      response.writeHead(200, { 'content-type': 'text/html' }).end(PAGE),
    );
  });
  afterAll(() => preview[Symbol.asyncDispose]());

  const change = (wanted: Partial<TaskApp>) =>
    window.page.evaluate(([task, app]) => globalThis.fake.apps.change(task, app), [
      TASK,
      wanted,
    ] as const);
  /** Ends the build that waits for it. */
  const endBuild = (build: AppBuild) =>
    window.page.evaluate((ended) => {
      (globalThis as unknown as { endBuild: (build: AppBuild) => void }).endBuild(ended);
    }, build);
  const button = (name: string) => window.page.getByRole('button', { name, exact: true });
  const page = () => window.page.frameLocator('iframe.app-frame');
  const message = () => window.page.getByRole('textbox', { name: 'Message' });
  const show = async (wanted: Partial<TaskApp> = {}, narrow = false): Promise<void> => {
    await window.goto(`#/task/${TASK}`);
    await window.page.getByText('Find a train to Ulm on Friday').first().waitFor();
    await change({
      ...{ folder: 'habits', template: 'react', server: 'running', comesBack: true },
      ...{ previewUrl: preview.preview.url, ports: [5173], problem: null },
      ...wanted,
    });
    await showComputer(window.page, narrow);
    await window.page.getByRole('tab', { name: 'App' }).click();
  };
  const running = async (narrow = false): Promise<void> => {
    await show({}, narrow);
    await page().getByRole('heading', { name: 'Habits' }).waitFor();
  };

  it('shows the page, where it is, and what it logs; an error becomes a message', async () => {
    await running();
    await page().getByRole('button', { name: 'List' }).click();
    await window.page.getByText('/list?x=1').waitFor();
    expect(await window.page.locator('body').innerText()).not.toContain('.localhost');
    await page().getByRole('button', { name: 'Add' }).click();
    await page().getByRole('button', { name: 'Add' }).click();
    await button('Console 2 errors').click();
    const lines = window.page.getByRole('list', { name: 'Console' }).getByRole('listitem');
    await expect
      .poll(() => lines.allInnerTexts())
      .toEqual([
        expect.stringMatching(/^Log\s+ready$/),
        expect.stringMatching(/^Error\s+no habit given \(2 times\)\s+Ask to fix it$/),
      ]);
    await button('Ask to fix it').click();
    expect(await message().inputValue()).toBe(
      'The app shows this error:\n\n```\nno habit given\n```\n\nPlease fix it.',
    );
    await button('Clear the console').click();
    await window.page.getByText('The page has logged nothing.').waitFor();
    expect(await window.sent('runs.start')).toEqual([]);
  });

  it('an element is picked with the mouse, and described in the message', async () => {
    await running();
    await message().fill('Dear agent,');
    await button('Pick an element').click();
    await window.page.getByText('Click an element of the page').waitFor();
    await page().getByText('Nothing yet').click();
    await expect
      .poll(() => message().inputValue())
      .toBe(
        'Dear agent,\n\nIn the app, change this element:\n\n```html\nbody > p\n<p class="note">Nothing yet</p>\n```\n\n',
      );
    await window.page.getByText('Added to your message.').waitFor();
    // The click did nothing in the page, and the next one is a click again.
    await page().getByRole('button', { name: 'List' }).click();
    await window.page.getByText('/list?x=1').waitFor();
  });

  it('an element is picked by keyboard; Escape cancels in the window and in the page', async () => {
    await running();
    // Wherever the page was used before, Tab begins at its top.
    await page().getByRole('button', { name: 'List' }).click();
    await button('Pick an element').press('Enter');
    const outline = page().locator('html > div[aria-hidden]');
    await outline.waitFor({ state: 'attached' });
    expect(await outline.isVisible()).toBe(false);
    await window.page.keyboard.press('Tab');
    await outline.waitFor();
    await window.page.keyboard.press('Enter');
    await expect.poll(() => message().inputValue()).toContain('```html\n#add\n<button');
    await message().fill('');
    for (const leave of ['window', 'page'] as const) {
      await button('Pick an element').click();
      await button('Stop picking').waitFor();
      if (leave === 'window') await button('Stop picking').press('Escape');
      else await page().locator('body').press('Escape');
      await button('Pick an element').waitFor();
    }
    expect(await message().inputValue()).toBe('');
  });

  it('believes no messages but those of its page, and takes them for words', async () => {
    await running();
    const forged = { hyperagentPreview: { kind: 'error', text: '<img src=x onerror=alert(1)>' } };
    const own = { hyperagentPreview: { kind: 'error', text: 'of the window' } };
    await window.page.evaluate(`window.postMessage(${JSON.stringify(own)}, '*')`);
    const frame = window.page.frames().find((one) => one.url().includes('.localhost'));
    await frame?.evaluate((data) => {
      const { forge } = globalThis as unknown as { forge: (message: unknown) => void };
      for (const wrong of [null, 1, 'x', {}, { hyperagentPreview: { kind: 'send' } }]) forge(wrong);
      // What is not asked for is not picked.
      const picked = { kind: 'picked', selector: 'a', text: 'b', html: 'c' };
      forge({ hyperagentPreview: picked });
      forge({ hyperagentPreview: { kind: 'place', text: 'x'.repeat(9_000) } });
      forge(data);
    }, forged);
    await button('Console 1 error').click();
    await window.page.getByText('<img src=x onerror=alert(1)>').waitFor();
    const lines = window.page.getByRole('list', { name: 'Console' }).getByRole('listitem');
    expect(await lines.count()).toBe(2);
    expect(await message().inputValue()).toBe('');
    expect((await window.page.locator('.app-place').innerText()).length).toBeLessThan(400);
  });

  it('a page that logs without end is cut, and the window goes on', async () => {
    await running();
    const frame = window.page.frames().find((one) => one.url().includes('.localhost'));
    await frame?.evaluate(() => {
      const { forge } = globalThis as unknown as { forge: (message: unknown) => void };
      for (let at = 0; at < 5_000; at += 1) {
        forge({ hyperagentPreview: { kind: 'console', level: 'log', text: `line ${at}` } });
      }
    });
    await button('Console').click();
    const lines = window.page.getByRole('list', { name: 'Console' }).getByRole('listitem');
    await expect.poll(() => lines.count()).toBeGreaterThan(50);
    expect(await lines.count()).toBeLessThanOrEqual(200);
  });

  it('starts, restarts and stops the server; one that was running comes back once by itself', async () => {
    const url = preview.preview.url;
    await window.goto(`#/task/${TASK}`);
    await window.page.evaluate((address) => {
      globalThis.fake.apps.previewUrl = address;
    }, url);
    await show({ server: 'stopped', previewUrl: null, ports: [] });
    await page().getByRole('heading', { name: 'Habits' }).waitFor();
    const started = () => window.sent('apps.start');
    expect(await started()).toHaveLength(1);
    await button('Stop the server').click();
    await window.page.getByText('The server is stopped').waitFor();
    expect(await started()).toHaveLength(1);
    await button('Start').click();
    await page().getByRole('heading', { name: 'Habits' }).waitFor();
    await window.page.evaluate(
      ([task]) => globalThis.fake.apps.logs.set(task, 'first\nError: no database\n'),
      [TASK] as const,
    );
    await change({ server: 'failed', previewUrl: null, problem: 'It ended with exit code 1.' });
    await window.page.getByText('It ended with exit code 1.').waitFor();
    await window.page.getByText('Error: no database').waitFor();
    await button('Start again').click();
    await page().getByRole('heading', { name: 'Habits' }).waitFor();
    await button('Server log').click();
    await window.page.getByRole('log', { name: 'Server log' }).getByText('no database').waitFor();
  });

  it('shows no address that is not a preview', async () => {
    for (const wrong of ['http://127.0.0.1:1/', 'https://evil.test/', 'http://x.localhost:80/']) {
      await show({ previewUrl: wrong });
      await window.page.getByText('The app is running').waitFor();
      expect(await window.page.locator('iframe.app-frame').count()).toBe(0);
    }
  });

  it('changes width and port, and opens outside by a link', async () => {
    await running();
    const width = async () =>
      (await window.page.locator('iframe.app-frame').boundingBox())?.width ?? 0;
    await button('Phone').click();
    expect(await width()).toBe(390);
    await button('Tablet').click();
    expect(await width()).toBe(768);
    await button('Whole panel').click();
    await change({ ports: [5173, 8080] });
    await window.page.getByRole('combobox', { name: 'Port' }).selectOption('8080');
    expect(await window.sent('apps.show')).toEqual([{ threadId: TASK, port: 8080 }]);
    const link = window.page.getByRole('link', { name: 'Open outside' });
    expect([await link.getAttribute('href'), await link.getAttribute('rel')]).toEqual([
      ...[preview.preview.url, 'noreferrer'],
    ]);
  });

  it('is built for production, and what was built is downloaded', async () => {
    await running();
    await window.page.evaluate(() => {
      const { promise, resolve } = Promise.withResolvers<AppBuild>();
      globalThis.fake.apps.built = promise;
      Object.assign(globalThis, { endBuild: resolve });
    });
    await button('Build for production').press('Enter');
    await window.page.getByText('Building the app').waitFor();
    expect(await button('Build for production').isDisabled()).toBe(true);
    // The page stays as it is meanwhile.
    await page().getByRole('heading', { name: 'Habits' }).waitFor();
    const made = { status: 'completed', folder: 'habits/dist', files: 5, bytes: 190_000 } as const;
    await endBuild({ ...made, unchecked: null, problem: null });
    const said = window.page.getByText('Built: 5 files, 190 kB. It starts, and its page shows no');
    await said.waitFor();
    const [download] = await Promise.all([
      window.page.waitForEvent('download'),
      button('Download the built files').click(),
    ]);
    expect(download.suggestedFilename()).toBe('habits-built.zip');
    expect(await contentOf(download)).toBe('the build');
    await button('Close').click();
    await said.waitFor({ state: 'hidden' });
    // It was closed, not the next one.
    await change({ build: { ...made, status: 'running', unchecked: null, problem: null } });
    await window.page.getByText('Building the app').waitFor();
  });

  it('a build is stopped; what fails becomes a message, also where no page is shown', async () => {
    await running();
    await window.page.evaluate(() => {
      globalThis.fake.apps.built = new Promise(() => undefined);
    });
    await button('Build for production').click();
    await button('Stop building').click();
    await window.page.getByText('The build was stopped.').waitFor();
    const problem = 'The build failed. It printed:\n```\n<b>TS2304</b>';
    const none = { folder: null, files: 0, bytes: 0, unchecked: null } as const;
    await change({
      ...{ server: 'stopped', previewUrl: null, ports: [], comesBack: false },
      build: { ...none, status: 'failed', problem },
    });
    await window.page.getByText('The app does not work in production').first().waitFor();
    await window.page.getByText('<b>TS2304</b>').waitFor();
    await button('Ask to fix it').click();
    expect(await message().inputValue()).toBe(
      `The production build of the app has this problem:\n\n\`\`\`\`\n${problem}\n\`\`\`\`\n\nPlease fix it.`,
    );
    expect(await window.sent('runs.start')).toEqual([]);
  });

  it('the project is downloaded while its server is stopped; what is not in it is named', async () => {
    await show({ server: 'stopped', previewUrl: null, ports: [], comesBack: false });
    const [download] = await Promise.all([
      window.page.waitForEvent('download'),
      button('Download the project').click(),
    ]);
    expect(download.suggestedFilename()).toBe('habits.zip');
    expect(await contentOf(download)).toBe('the project');
    await window.page.getByText('Saved habits.zip. Not in it: .env.').waitFor();
  });

  it('nothing is cut off or outside of its box at any width', async () => {
    for (const screen of Object.values(APP_SCREENS)) {
      await window.page.setViewportSize({ width: 1440, height: 760 });
      await window.goto(`#/task/${TASK}`);
      await screen.open(window.page, false);
      const faults: Record<number, string[]> = {};
      for (const width of [1440, 1024, 900, 700, 560, 420]) {
        await window.page.setViewportSize({ width, height: 760 });
        await window.page.evaluate(
          'new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))',
        );
        const found = await window.page.evaluate<string[]>(LAYOUT_FAULTS);
        if (found.length > 0) faults[width] = found;
      }
      expect(faults).toEqual({});
    }
  });
});
