import { describe, expect, it } from 'vitest';
import type { ConversationBlock } from '#main/reports/collect-conversation.ts';
import { conversationToHtml } from '#main/reports/conversation-html.ts';
import { chromiumNote, chromiumPath } from '../setup/chromium.ts';
import { useChromium } from '../setup/use-window.ts';

/** An exported conversation in real Chromium: whatever is in it is text. */

const HOSTILE = [
  '<script>globalThis.ran = 1</script>',
  '<img src="https://evil.test/p.png" onerror="globalThis.ran = 2">',
  '[click](javascript:globalThis.ran=3) <javascript:globalThis.ran=4>',
  '![p](https://evil.test/x.png)',
  '"><svg/onload=globalThis.ran=5>',
  '</pre></code></details></style></title><script>globalThis.ran = 6</script>',
  '<iframe src="https://evil.test/"></iframe><object data="https://evil.test/o"></object>',
  '<link rel=stylesheet href="https://evil.test/x.css"><style>@import "https://evil.test/y.css"</style>',
  '<form action="https://evil.test/"><button autofocus onfocus="globalThis.ran = 7">x</button></form>',
  '<meta http-equiv="refresh" content="0;url=https://evil.test/">',
].join('\n\n');

describe.skipIf(chromiumPath === null)(`an exported page${chromiumNote}`, () => {
  const chromium = useChromium();

  it('runs nothing and loads nothing, also where every link is clicked', async () => {
    const blocks: ConversationBlock[] = [
      { kind: 'user', text: HOSTILE, files: [HOSTILE] },
      { kind: 'answer', markdown: HOSTILE },
      { kind: 'call', name: HOSTILE, subject: HOSTILE, arguments: HOSTILE, output: HOSTILE },
      { kind: 'picture', path: 'p', name: HOSTILE, alt: HOSTILE },
      { kind: 'problem', text: HOSTILE },
    ];
    const html = await conversationToHtml({ title: HOSTILE, blocks }, new Map());
    const context = await chromium.browser.newContext();
    const page = await context.newPage();
    const asked: string[] = [];
    await page.route('**', async (route) => {
      asked.push(route.request().url());
      await route.fulfill({ contentType: 'text/html; charset=utf-8', body: html });
    });
    await page.goto('http://exported.test/');
    await page.evaluate(
      `document.querySelectorAll('details').forEach((one) => { one.open = true; })`,
    );
    await page.evaluate(
      `document.querySelectorAll('a').forEach((one) => { if (!/^https?:/.test(one.href)) one.click(); })`,
    );
    expect({
      ran: await page.evaluate('globalThis.ran ?? null'),
      elements: await page.evaluate(
        `document.querySelectorAll('script, iframe, object, img, svg, form, link, base, button').length`,
      ),
      asked: asked.filter((url) => !url.endsWith('/favicon.ico')),
      seen: await page.evaluate(`document.body.innerText.includes('globalThis.ran = 6')`),
    }).toEqual({ ran: null, elements: 0, asked: ['http://exported.test/'], seen: true });
    await context.close();
  });
});
