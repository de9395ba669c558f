import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openData } from '../fakes/open-data.ts';
import { unpack } from '../main/base/unpack.ts';
import { addTask } from '../main/user-data/support.ts';
import { CLI, ensureBuilt } from '../setup/built-app.ts';
import { chromiumNote, chromiumPath } from '../setup/chromium.ts';
import { useChromium, useWindow } from '../setup/use-window.ts';

/** The window's part of all data: on a fake main, and once on the real app in a real browser. */

async function openDataSettings(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Settings' }).first().click();
  await page.getByRole('tab', { name: 'Data' }).click();
  await page.getByRole('table', { name: 'Your data' }).waitFor();
}

describe.skipIf(chromiumPath === null)(`all data in the window${chromiumNote}`, () => {
  const window = useWindow();

  it('shows what is stored, follows an export, stops it, and says why one failed', async () => {
    const { page } = window;
    await window.goto('');
    await openDataSettings(page);
    const row = page.getByRole('row', { name: 'Downloaded models' });
    expect(await row.textContent()).toContain('5.2 GB');
    expect(await row.textContent()).toContain('not exported');
    await page.getByText('Stored keys, which stay here: lm-studio.').waitFor();
    await page.getByRole('button', { name: 'Export…' }).click();
    const change = (changes: object): Promise<void> =>
      page.evaluate(`globalThis.fake.userData.change(${JSON.stringify(changes)})`);
    await change({ doneTasks: 3, bytes: 12_000_000 });
    await page.getByText('3 of 7 tasks, 12.0 MB').waitFor();
    await page.getByRole('button', { name: 'Stop the export' }).click();
    await page.getByText('The export was stopped. Its file was removed.').waitFor();
    await page.getByRole('button', { name: 'Export…' }).click();
    await page.getByRole('button', { name: 'Stop the export' }).waitFor();
    await change({ status: 'failed', problem: 'There is no space left.' });
    await page.getByRole('alert').getByText('There is no space left.').waitFor();
    await page.getByRole('button', { name: 'Export…' }).click();
    await change({ status: 'completed', doneTasks: 7, bytes: 2_000_000, leftOut: 3 });
    await page
      .getByText('Saved to /home/me/hyperagent-export.zip (2.0 MB). 3 files are not in it')
      .waitFor();
  });

  it('deletes only after the word was typed, which main checks, and nothing of it stays in the page', async () => {
    const { page } = window;
    await window.goto('');
    await page.getByRole('textbox').first().fill('A draft');
    await openDataSettings(page);
    await page.getByRole('button', { name: 'Delete all data…' }).click();
    const dialog = page.getByRole('alertdialog');
    await dialog.getByText('/home/me/.local/share/hyperagent').waitFor();
    const confirm = dialog.getByRole('button', { name: 'Delete everything' });
    expect(await confirm.isDisabled()).toBe(true);
    await dialog.getByRole('textbox').fill('delet');
    await page.keyboard.press('Enter');
    expect(await confirm.isDisabled()).toBe(true);
    expect(await window.sent('data.delete')).toEqual([]);
    await dialog.getByLabel('Also delete downloaded models (5.2 GB)').check();
    await dialog.getByRole('textbox').fill('Delete');
    const refused = { code: 'CONFLICT', message: '1 run is active. Stop it.', details: {} };
    await page.evaluate(`globalThis.fake.refuse.set('data.delete', ${JSON.stringify(refused)})`);
    await confirm.click();
    await dialog.getByText('1 run is active. Stop it.').waitFor();
    // Whether the button kept the focus while it was disabled depends on when the browser drew.
    await confirm.focus();
    await page.keyboard.press('Enter');
    await page.getByText('HyperAgent has closed. You can close this page.').waitFor();
    expect((await window.sent('data.delete')).at(-1)).toEqual({
      confirmation: 'Delete',
      keepModels: false,
    });
    expect(
      await page.evaluate('[localStorage.length, JSON.stringify({...sessionStorage})]'),
    ).toEqual([0, '{}']);
  });
});

describe.skipIf(chromiumPath === null)(`all data of the web UI${chromiumNote}`, () => {
  const chromium = useChromium();

  it('is downloaded as one zip file by the browser, and deleted with the page', async () => {
    ensureBuilt();
    const dataDir = mkdtempSync(join(tmpdir(), 'hyperagent-all-data-'));
    onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }));
    const stores = openData(dataDir);
    addTask(stores, { id: 'thr_1', title: 'Tea', prompt: 'Make tea' });
    const files = stores.paths.workspace('thr_1');
    mkdirSync(files, { recursive: true });
    writeFileSync(join(files, 'tea.txt'), 'green');
    stores.settings.update({ checkupSeen: true });
    stores.close();
    writeFileSync(join(dataDir, 'thesis.doc'), 'mine');
    const { app, url } = await serve(dataDir);
    const context = await chromium.browser.newContext({ acceptDownloads: true });
    onTestFinished(() => context.close());
    const page = await context.newPage();
    await page.goto(url);
    await openDataSettings(page);
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Export…' }).click(),
    ]);
    expect(download.suggestedFilename()).toMatch(/^hyperagent-export-[\d-]+\.zip$/);
    const saved = join(dataDir, 'mine.zip');
    await download.saveAs(saved);
    await page.getByText(/^Downloaded \(/).waitFor();
    const tea = [...(await unpack(saved))].find(([name]) => name.endsWith('/files/tea.txt'));
    expect(tea?.[1].toString()).toBe('green');

    await page.getByRole('button', { name: 'Delete all data…' }).click();
    await page.getByRole('alertdialog').getByRole('textbox').fill('delete');
    await page.getByRole('button', { name: 'Delete everything' }).click();
    await page.getByText('All data is being deleted').waitFor();
    if (app.exitCode === null) await once(app, 'close');
    expect(app.exitCode).toBe(0);
    expect(readdirSync(dataDir).sort()).toEqual(['lock.db', 'mine.zip', 'thesis.doc']);
    expect(existsSync(files)).toBe(false);
  });
});

async function serve(dataDir: string): Promise<{ app: ChildProcess; url: string }> {
  const app = spawn(process.execPath, [CLI, 'serve', '--no-open', '--data-dir', dataDir], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void app.kill('SIGKILL'));
  let printed = '';
  for await (const chunk of app.stdout) {
    printed += String(chunk);
    const url = /http:\/\/\S+#token=[\w-]+/.exec(printed)?.[0];
    if (url !== undefined && printed.includes('Ctrl+C')) return { app, url };
  }
  throw new Error(`The server ended: ${printed}`);
}
