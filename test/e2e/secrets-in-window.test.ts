import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Desktop } from '../fakes/electron/desktop.ts';
import { installPreload, PAGE_URL } from '../fakes/electron/preload-page.ts';
import { ensureBuilt } from '../setup/built-app.ts';
import { chromiumNote, chromiumPath } from '../setup/chromium.ts';
import { useChromium } from '../setup/use-window.ts';

/** A key that is typed into the built window, over the built preload: what is left of it there? */
describe.skipIf(chromiumPath === null)(`a key in the window${chromiumNote}`, () => {
  let dataDir: string;
  let desktop: Desktop;
  const chromium = useChromium();
  let page: Page;

  beforeAll(async () => {
    ensureBuilt();
    dataDir = mkdtempSync(join(tmpdir(), 'hyperagent-key-'));
    const env = { STAND_IN_KEYRING: 'gnome_libsecret' };
    desktop = await new Desktop({ dataDir, env }).opened();
    await desktop.request('settings.update', {
      changes: {
        servers: [{ name: 'mine', baseUrl: 'http://127.0.0.1:1/v1' }],
        checkupSeen: true,
      },
    });
    page = await chromium.browser.newPage({ viewport: { width: 1300, height: 1000 } });
    await installPreload(page, desktop);
    await page.goto(PAGE_URL);
  });

  afterAll(async () => {
    await desktop?.quit();
    rmSync(dataDir, { recursive: true, force: true });
  });

  /** Everything that scripts of the page hold, after what is not held is gone. */
  async function heapOf(): Promise<string> {
    const session = await page.context().newCDPSession(page);
    const chunks: string[] = [];
    session.on('HeapProfiler.addHeapSnapshotChunk', ({ chunk }) => chunks.push(chunk));
    await session.send('HeapProfiler.collectGarbage');
    await session.send('HeapProfiler.takeHeapSnapshot', { reportProgress: false });
    await session.detach();
    return chunks.join('');
  }

  it('is in no memory of the page once it is stored', async () => {
    // Made here, so that no script that the test hands to the page has it.
    const key = ['typed', 'Zx81', 'Qw29', 'Lm77'].join('-');
    await page.getByRole('button', { name: 'Settings', exact: true }).click();
    const field = page.getByLabel('Key for mine');
    await field.fill(key);
    expect(await heapOf()).toContain(key);
    await page.getByRole('button', { name: 'Store key', disabled: false }).click();
    await page.getByText('Key stored').waitFor();

    // The handler that stored it has a last step to make.
    await expect.poll(async () => (await heapOf()).includes(key)).toBe(false);
    const stored = await page.evaluate(
      `JSON.stringify([Object.entries(localStorage), Object.entries(sessionStorage), document.documentElement.outerHTML, [...document.querySelectorAll('input')].map((input) => input.value)])`,
    );
    const list = await desktop.request('secrets.list', {});
    expect(list).toMatchObject({ data: { names: ['mine'] } });
    expect(String(stored)).not.toContain(key);
    expect(JSON.stringify(desktop.pushes)).not.toContain(key);
  });
});
