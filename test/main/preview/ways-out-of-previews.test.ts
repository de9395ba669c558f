import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Browser, chromium } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { contentSecurityPolicy } from '#main/transport/renderer-files.ts';
import { type Site, startSite } from '../../fakes/browser/site.ts';
import { setTraps, type Traps } from '../../fakes/browser/traps.ts';
import { WAYS_OUT } from '../../fakes/browser/ways-out.ts';
import { nameOfWay, targetsOf } from '../../fakes/browser/ways-out-targets.ts';
import { type OpenPreview, openPreview } from '../../fakes/preview/open-preview.ts';
import { chromiumNote, chromiumPath } from '../../setup/chromium.ts';
import { sample } from '../../setup/sampling.ts';

/**
 * Peer connections are stopped by no policy of a page: the desktop app has them off, in the web UI they are the limit
 * that SECURITY.md names.
 */
const BY_PEERS = /^rtc-/;
const LOOK_MS = 1_500;

/**
 * Browsers connect ahead of a navigation, before they see that it is not allowed, and then send nothing: the name and
 * the port are all that a page can choose.
 */
const wasSent = (caught: readonly string[]): string[] =>
  caught.filter((line) => !/^tcp \S+$/.test(line));

describe.skipIf(chromiumPath === null)(
  `pages of apps that look for a way out of their preview, in the user's own browser${chromiumNote}`,
  () => {
    let site: Site;
    let traps: Traps;
    let opened: OpenPreview;
    let window: http.Server;
    let browser: Browser;
    const framed = new Map<string, string>();

    beforeAll(async () => {
      [site, traps] = await Promise.all([startSite(), setTraps()]);
      opened = await openPreview((request, response) => {
        const path = (request.url ?? '/').split('?')[0] ?? '/';
        const answer = site.pages.get(path) ?? site.pages.get(path.replace(/[^/]*$/, '*'));
        if (typeof answer === 'function') answer(request, response);
        else if (answer === undefined) response.writeHead(404).end();
        else response.writeHead(200, { 'content-type': 'text/html' }).end(answer);
      });
      // The window: the policy that it really has, and the frame that it really makes.
      window = http.createServer((request, response) => {
        const headers = { 'content-security-policy': contentSecurityPolicy([]) };
        const frame = framed.get(request.url ?? '') ?? '';
        response
          .writeHead(200, { ...headers, 'content-type': 'text/html' })
          .end(
            `<!doctype html><title>Window</title><iframe src="${frame}" sandbox="allow-scripts allow-same-origin allow-forms allow-modals allow-downloads" referrerpolicy="no-referrer"></iframe>`,
          );
      });
      await new Promise<void>((resolve) => window.listen(0, '127.0.0.1', resolve));
      browser = await chromium.launch({
        executablePath: chromiumPath ?? '',
        args: [
          ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
          '--disable-gpu',
          '--host-resolver-rules=MAP *.outside.test 127.0.0.1, MAP inner.test 127.0.0.1, MAP hosts-file.test 127.0.0.1',
        ],
      });
    });
    afterAll(async () => {
      await browser.close();
      await opened[Symbol.asyncDispose]();
      window.closeAllConnections();
      window.close();
      await Promise.all([site, traps].map((one) => one[Symbol.asyncDispose]()));
    });

    it('none reaches a server of this computer or outside', async () => {
      const all = WAYS_OUT.filter(({ name }) => !BY_PEERS.test(name));
      expect(all.length).toBeGreaterThan(100);
      const ways = sample(all, { name: 'ways out of a preview', size: 24 });
      const { port } = window.address() as AddressInfo;
      const notShown: string[] = [];
      for (const way of ways) {
        site.pages.set(`/way/${way.name}/`, way.answer(targetsOf(way, traps)));
        framed.set(`/${way.name}`, `${opened.preview.url}way/${way.name}/`);
      }
      for (let at = 0; at < ways.length; at += 8) {
        const context = await browser.newContext();
        const pages = await Promise.all(
          ways.slice(at, at + 8).map(async (way) => {
            const page = await context.newPage();
            await page.goto(`http://127.0.0.1:${port}/${way.name}`);
            return { page, way };
          }),
        );
        await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
        for (const { way } of pages) {
          const wasAsked = opened.requests.some(({ url }) => url.startsWith(`/way/${way.name}/`));
          if (!wasAsked) notShown.push(way.name);
        }
        await context.close();
      }
      expect({ sent: wasSent(traps.caught), notShown }).toEqual({ sent: [], notShown: [] });
    });

    it('the window cannot be read or led away from the frame', async () => {
      site.pages.set(
        '/reads',
        `<!doctype html><script>
          const said = [];
          const tries = [
            () => parent.document.title, () => top.location.href, () => parent.localStorage.length,
            () => { top.location = 'http://127.0.0.1:${traps.port}/top'; return 'led'; },
            () => { if (window.open('http://127.0.0.1:${traps.port}/popup') === null) throw 0; return 'opened'; },
            () => parent.hyperagent.request('settings.get', {}),
          ];
          for (const each of tries) { try { said.push(String(each())); } catch { said.push('no'); } }
          document.title = said.join();
        </script>`,
      );
      framed.set('/reads', `${opened.preview.url}reads`);
      const { port } = window.address() as AddressInfo;
      const page = await browser.newPage();
      await page.goto(`http://127.0.0.1:${port}/reads`);
      const frame = page.frames()[1];
      await expect.poll(() => frame?.title()).toMatch(/no/);
      await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
      const title = (await frame?.title()) ?? '';
      // A navigation that is blocked does not throw: it does not happen.
      expect(title.replace('led', 'no')).toBe('no,no,no,no,no,no');
      expect(page.url()).toBe(`http://127.0.0.1:${port}/reads`);
      expect(wasSent(traps.caught)).toEqual([]);
      await page.close();
    });

    it('another site cannot frame it, although it knows its address', async () => {
      site.pages.set('/plain', '<!doctype html><title>Own</title>Own words');
      const other = await browser.newContext();
      const page = await other.newPage();
      await page.route('http://evil.outside.test/', (route) =>
        route.fulfill({
          contentType: 'text/html',
          body: `<!doctype html><iframe src="${opened.preview.url}plain"></iframe>`,
        }),
      );
      await page.goto('http://evil.outside.test/');
      await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
      const shown = await page
        .frames()[1]
        ?.evaluate('document.body?.textContent')
        .catch(() => '');
      expect(shown ?? '').not.toContain('Own words');
      await other.close();
      expect(nameOfWay({ name: 'x', answer: () => '' })).toBe('x.outside.test');
    });
  },
);
