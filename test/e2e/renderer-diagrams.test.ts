import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { chromiumNote, chromiumPath } from '../setup/chromium.ts';
import { showAnswer } from '../setup/show-answer.ts';
import { useChromium, useWindow } from '../setup/use-window.ts';

const fenced = (source: string): string => `\`\`\`mermaid\n${source}\n\`\`\`\n\n`;
const FLOW = 'flowchart TD\n  accTitle: How it goes\n  A[Start] --> B[End]';

describe.skipIf(chromiumPath === null)(`diagrams in answers${chromiumNote}`, () => {
  const window = useWindow();
  let page: Page;
  beforeEach(() => {
    page = window.page;
  });

  const picture = () => page.locator('.diagram img');
  const svgShown = (): Promise<string> =>
    page.evaluate<string>(`decodeURIComponent(document.querySelector('.diagram img').src)`);

  it('are pictures with a name, whose source and picture can be had', async () => {
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await showAnswer(window, `${fenced(FLOW)}The end.`);
    await page.getByRole('img', { name: 'Flowchart: How it goes' }).waitFor();
    const drawn = await page.evaluate<number>(
      `document.querySelector('.diagram img').decode().then(() => document.querySelector('.diagram img').naturalWidth)`,
    );
    expect(drawn).toBeGreaterThan(50);
    await page.getByRole('button', { name: 'Copy source' }).click();
    await expect.poll(() => page.evaluate('navigator.clipboard.readText()')).toBe(FLOW);
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Save as PNG' }).click();
    expect((await download).suggestedFilename()).toBe('diagram.png');
    await page.getByRole('button', { name: 'Show source' }).click();
    await page.getByText('accTitle: How it goes').waitFor();
    expect(await picture().count()).toBe(0);
  });

  it('are drawn again for the other theme', async () => {
    await showAnswer(window, `${fenced(FLOW)}The end.`);
    await picture().waitFor();
    const light = await svgShown();
    await page.evaluate(`document.documentElement.dataset.theme = 'dark'`);
    await expect.poll(svgShown).not.toBe(light);
    await page.evaluate(`document.documentElement.dataset.theme = 'light'`);
    await expect.poll(svgShown).toBe(light);
  });

  it('that cannot be read are shown as their source, and the others are drawn all the same', async () => {
    await showAnswer(window, `${fenced('flowchart TD\n  A[[[')}${fenced(FLOW)}The end.`);
    await page.getByText('Not drawn: the source could not be read as a diagram.').waitFor();
    await page.getByText('A[[[').waitFor();
    await picture().waitFor();
  });

  it('that never end do not stop the window: their frame is ended, and the source is shown', async () => {
    // The page that draws, in the hands of an attacker: it keeps its process busy for ever.
    await page.route('**/diagram.html', (route) =>
      route.fulfill({
        contentType: 'text/html',
        body: `<script>onmessage = () => { for (;;); }; parent.postMessage({ ready: true }, '*')</script>`,
      }),
    );
    try {
      await showAnswer(window, `${fenced(FLOW)}The end.`);
      await page.getByText('Drawing…').waitFor();
      const turns = await page.evaluate<number>(`(async () => {
        let turns = 0;
        while (document.querySelector('.diagram-frame') !== null) {
          await new Promise((resolve) => setTimeout(resolve, 10));
          turns += 1;
        }
        return turns;
      })()`);
      await page.getByText('Not drawn: it took too long.').waitFor();
      // In the seconds in which the frame is busy, the window goes on.
      expect(turns).toBeGreaterThan(20);
    } finally {
      await page.unroute('**/diagram.html');
    }
  });

  it('a hundred are drawn one by one, in one frame', async () => {
    const many = Array.from({ length: 100 }, (_, at) => fenced(`pie\n  "a" : ${at + 1}`));
    await showAnswer(window, `${many.join('')}The end.`);
    await picture().first().waitFor();
    expect(await page.evaluate<number>(`document.querySelectorAll('iframe').length`)).toBe(1);
  });
});

/** Sources that want more than a picture. The server is on loopback; the policy names no address of it. */
const hostile = (url: string): string[] => [
  `flowchart TD\n  A["<script>top.postMessage('pwned','*');fetch('${url}/script')</script><img src='${url}/img' onerror='fetch(1)'>"] --> B`,
  `flowchart TD\n  A --> B\n  click A href "javascript:fetch('${url}/click')"\n  click B call alert()`,
  `%%{init: {"securityLevel": "loose", "htmlLabels": true, "flowchart": {"htmlLabels": true}, "secure": []}}%%\nflowchart TD\n  A["<img src='${url}/init' />"] --> B`,
  `---\nconfig:\n  securityLevel: loose\n  htmlLabels: true\n  secure: []\n---\nflowchart TD\n  A["<iframe src='${url}/front'></iframe>"] --> B`,
  `flowchart TD\n  A@{ img: "${url}/node.png", label: "x", w: 60, h: 60 } --> B`,
  `%%{init: {"themeCSS": "@import url(${url}/import); * { background: url(${url}/theme) }"}}%%\nflowchart TD\n  A --> B`,
  `%%{init: {"themeVariables": {"primaryColor": "red; } * { background: url(${url}/variable) } x {", "fontFamily": "x; } @import '${url}/font'; {"}}}%%\nflowchart TD\n  A --> B`,
  `flowchart TD\n  A --> B\n  classDef x fill:url(${url}/fill),background:url(${url}/class)\n  class A x\n  style B fill:url(${url}/style)`,
  `sequenceDiagram\n  participant A as &lt;img src=${url}/entity&gt;\n  A->>B: #60;img src='${url}/code'#62;\n  link A: Docs @ ${url}/link`,
  `%%{init: {"sequence": {"__proto__": {"polluted": 1}}, "__proto__": {"polluted": 1}}}%%\nsequenceDiagram\n  A->>B: x`,
  `architecture-beta\n  service a("<image href='${url}/icon'>")[x]`,
];

describe.skipIf(chromiumPath === null)(`hostile diagrams${chromiumNote}`, () => {
  const chromium = useChromium();
  const requests: string[] = [];
  const server = createServer((request, response) => {
    requests.push(request.url ?? '');
    response.end();
  });
  let url = '';
  beforeAll(async () => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });

  it('reach no server, nothing of the window, and show nothing but pictures', async () => {
    const page = await chromium.browser.newPage({ reducedMotion: 'reduce' });
    const dialogs: string[] = [];
    page.on('dialog', (dialog) => {
      dialogs.push(dialog.message());
      void dialog.dismiss();
    });
    const target = {
      page,
      goto: async (hash: string) => void (await page.goto(`${chromium.url}${hash}`)),
    };
    const sources = hostile(url);
    // High enough for all of them: what is out of sight is not drawn.
    await page.setViewportSize({ width: 1200, height: 9_000 });
    await showAnswer(target, `${sources.map(fenced).join('')}The end.`);
    await expect.poll(() => page.locator('.diagram').count()).toBe(sources.length);
    await expect.poll(() => page.getByText('Drawing…').count()).toBe(0);
    // What is hostile in the others is only a text, or is left out.
    expect(await page.locator('.diagram img').count()).toBeGreaterThan(5);
    const left = await page.evaluate<unknown>(`({
      scripts: [...document.scripts].filter(({ src }) => !src.startsWith(location.origin)).length,
      frames: [...document.querySelectorAll('iframe')].map(({ src, sandbox }) =>
        [new URL(src).pathname, sandbox.value]),
      foreign: document.querySelectorAll('#root foreignObject, #root iframe').length,
      path: location.pathname,
      polluted: {}.polluted ?? null,
    })`);
    const pages = page.context().pages().length;
    await page.close();
    expect({ requests, dialogs, pages, left }).toEqual({
      ...{ requests: [], dialogs: [], pages: 1 },
      left: {
        ...{ scripts: 0, foreign: 0, path: '/', polluted: null },
        frames: [['/diagram.html', 'allow-scripts']],
      },
    });
  });

  it('find a frame that reaches nothing, should they ever run a script in it', async () => {
    const page = await chromium.browser.newPage();
    await page.goto(chromium.url);
    const served = await page.request.get(`${chromium.url}diagram.html`);
    const policy = served.headers()['content-security-policy'] ?? '';
    // The page with its own policy, but for a script that tries what a bug of Mermaid would let one try.
    await page.route('**/diagram.html', (route) =>
      route.fulfill({
        contentType: 'text/html',
        headers: {
          'content-security-policy': policy.replace(
            /script-src [^;]+/,
            "script-src 'unsafe-inline'",
          ),
        },
        body: `<script>(async () => {
          const tried = {};
          const attempt = async (name, act) => {
            tried[name] = await Promise.resolve().then(act).then(() => 'done', () => 'refused');
          };
          await attempt('fetch', () => fetch('${url}/a', { mode: 'no-cors' }));
          await attempt('own server', () => fetch('/'));
          await attempt('image', () => { const i = new Image(); i.src = '${url}/b'; return i.decode(); });
          await attempt('parent', () => parent.document.title);
          await attempt('storage', () => localStorage.length);
          await attempt('socket', () => new Promise((_, no) => { new WebSocket('${url.replace('http', 'ws')}/c').onerror = no; }));
          await attempt('window', () => { if (open('${url}/d') === null) throw new Error('blocked'); });
          await attempt('top', () => { top.location = '${url}/e'; });
          const form = document.documentElement.appendChild(document.createElement('form'));
          form.action = '${url}/f';
          form.submit();
          parent.postMessage({ tried }, '*');
          location = '${url}/g';
        })()</script>`,
      }),
    );
    const tried = await page.evaluate<unknown>(`new Promise((resolve) => {
      addEventListener('message', ({ data }) => resolve(data.tried));
      const frame = document.createElement('iframe');
      frame.sandbox.add('allow-scripts');
      frame.src = './diagram.html';
      document.body.append(frame);
    })`);
    await expect
      .poll(() => page.frames().some((frame) => /^chrome-error:/.test(frame.url())))
      .toBe(true);
    const address = page.url();
    await page.close();
    const refused = [
      'fetch',
      'own server',
      'image',
      'parent',
      'storage',
      'socket',
      'window',
      'top',
    ];
    expect({ tried, requests, address }).toEqual({
      tried: Object.fromEntries(refused.map((name) => [name, 'refused'])),
      requests: [],
      address: chromium.url,
    });
  });
});
