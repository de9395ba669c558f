import net from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { withPreview } from '#main/browser/preview-egress.ts';
import { closedEgress } from '#main/egress/closed-egress.ts';
import { openBrowsers } from '../../fakes/browser/open-browsers.ts';
import { type SiteAnswer, startSite } from '../../fakes/browser/site.ts';
import { chromiumNote, chromiumPath } from '../../setup/chromium.ts';
import { mainColour } from '../../setup/main-colour.ts';

/** What a small picture of a page shows, or why there is none. */

const RED = 'background: #d01010';
const red = (rest = ''): string =>
  `<!doctype html><body style="margin: 0; ${RED}"><h1>An app</h1>${rest}</body>`;
const script = (source: string): string => `<script>${source}</script>`;
const SIZE = '480x300';

const SHOWN: Readonly<Record<string, string>> = {
  'a plain page': red(),
  'one that has scrolled': `<!doctype html><body style="margin: 0">
    <div style="height: 3000px; background: #10d010"></div><div style="height: 2000px; ${RED}"></div>
    ${script("addEventListener('load', () => scrollTo(0, 3200))")}</body>`,
  'one that has scrolled a little': `<!doctype html><body style="margin: 0">
    <div style="height: 300px; background: #10d010"></div><div style="height: 2000px; ${RED}"></div>
    ${script("addEventListener('load', () => scrollTo(0, 300))")}</body>`,
  'one that shows something only after a second': `<!doctype html><body style="margin: 0">
    ${script(`setTimeout(() => { document.body.style = '${RED}'; document.body.innerHTML = '<h1>An app</h1>' }, 1200)`)}`,
  'one whose image never comes': red('<img src="/never" alt="">'),
  'one that asks before it is left': red(script('onbeforeunload = (e) => e.preventDefault()')),
  'one that prints': red(script('print()')),
};

const NOT_SHOWN: Readonly<Record<string, readonly [page: SiteAnswer, why: RegExp]>> = {
  'one that stays empty': ['<!doctype html><body></body>', /shows nothing/],
  'one that opens others all the time': [
    red(script("setInterval(() => open('/other'), 5)")),
    /opens other pages/,
  ],
  'an answer of 500': [
    (_request, response) =>
      void response.writeHead(500, { 'content-type': 'text/html' }).end(red()),
    /does not open/,
  ],
  'one that asks to sign in': [
    (_request, response) =>
      void response.writeHead(401, { 'www-authenticate': 'Basic realm=x' }).end(),
    /./,
  ],
};

async function openPictures() {
  const site = await startSite();
  const opened = await openBrowsers();
  onTestFinished(async () => {
    await opened[Symbol.asyncDispose]();
    await site[Symbol.asyncDispose]();
  });
  site.pages.set('/never', () => undefined);
  site.pages.set('/other', red());
  const egress = withPreview(closedEgress('offline', 'Nothing else is reached.'), () => ({
    host: `site.test:${site.port}`,
    connect: () => net.connect(site.port, '127.0.0.1'),
  }));
  return {
    site,
    take: (answer: SiteAnswer) => {
      site.pages.set('/page', answer);
      const { signal } = new AbortController();
      return opened.browsers.picture({ url: site.url('/page'), egress, signal });
    },
  };
}

describe.skipIf(chromiumPath === null)(`a picture of a page${chromiumNote}`, () => {
  it('is of what is on the screen once the page shows something', async () => {
    const { take } = await openPictures();
    const shown: string[] = [];
    for (const [name, page] of Object.entries(SHOWN)) {
      shown.push(`${name}: ${await mainColour(await take(page))}`);
    }
    expect(shown).toEqual(Object.keys(SHOWN).map((name) => `${name}: ${SIZE} red`));
  });

  it('is not taken of what does not open or shows nothing, and the next is taken', async () => {
    const { take } = await openPictures();
    for (const [name, [page, why]] of Object.entries(NOT_SHOWN)) {
      await expect(take(page), name).rejects.toThrow(why);
    }
    expect(await mainColour(await take(red()))).toBe(`${SIZE} red`);
  });

  it('reaches nothing but its own server', async () => {
    const { site, take } = await openPictures();
    const asked: string[] = [];
    const trap = net.createServer((socket) => {
      asked.push('a connection');
      socket.destroy();
    });
    trap.listen(0, '127.0.0.1');
    onTestFinished(() => void trap.close());
    await new Promise((resolve) => trap.once('listening', resolve));
    const { port } = trap.address() as net.AddressInfo;
    const away = ['127.0.0.1', 'localhost', 'other.localhost'].map(
      (host) =>
        `fetch('http://${host}:${port}/').catch(() => 0); new Image().src = 'http://${host}:${port}/i';`,
    );
    const own = "fetch('/own').catch(() => 0)";
    site.pages.set('/own', (_request, response) => {
      asked.push('its own');
      response.end();
    });
    await take(red(script([...away, own].join('\n'))));
    expect(asked).toEqual(['its own']);
  });
});
