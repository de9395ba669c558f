import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { _electron, type ElectronApplication, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { describeObstacle, installedPath } from '../../scripts/electron-runtime.ts';

const ROOT = join(import.meta.dirname, '../..');
const runtime = installedPath();
/** Root needs a flag that Chromium asks for; a display is needed in any case. */
const obstacle =
  runtime === null
    ? 'no Electron runtime; npm start installs it where it can'
    : describeObstacle({ asRoot: true });
const note = obstacle === null ? '' : ` (skipped: ${obstacle})`;

/** What only the real shell can show. The rest is in shell-stand-in and shell-preload. */
describe.skipIf(obstacle !== null)(`the desktop app on Electron${note}`, () => {
  let dataDir: string;
  let app: ElectronApplication;
  let page: Page;

  beforeAll(async () => {
    dataDir = mkdtempSync(join(tmpdir(), 'hyperagent-electron-'));
    app = await _electron.launch({
      executablePath: runtime ?? '',
      args: [...(process.getuid?.() === 0 ? ['--no-sandbox'] : []), ROOT],
      env: { ...(process.env as Record<string, string>), HYPERAGENT_DATA_DIR: dataDir },
    });
    page = await app.firstWindow();
    await page.waitForLoadState('load');
  });

  afterAll(async () => {
    await app?.close();
    rmSync(dataDir, { recursive: true, force: true });
  });

  it('shows our page, isolated and without Node', async () => {
    const seen = await page.evaluate(() => ({
      members: Object.keys(globalThis.hyperagent),
      node: [typeof globalThis.require, typeof globalThis.process],
    }));

    expect(page.url()).toBe('app://hyperagent/');
    expect(seen).toEqual({
      members: ['request', 'cancel', 'onEvent'],
      node: ['undefined', 'undefined'],
    });
  });

  it('answers requests of its window', async () => {
    const info = await page.evaluate(() => globalThis.hyperagent.request('app.info', {}));

    expect(info).toMatchObject({ ok: true, data: { entryPoint: 'desktop', dataDir } });
  });

  it('stays on its page', async () => {
    await page.evaluate(`location.href = 'https://attacker.example/'`);
    await page.waitForTimeout(300);

    expect(page.url()).toBe('app://hyperagent/');
  });
});
