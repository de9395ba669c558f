import { readdir, readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { closeServer, listen } from '../fakes/addresses/listeners.ts';
import { type AppBench, openAppBench } from '../fakes/app-bench.ts';
import { browserForTests } from '../fakes/browser/open-browsers.ts';
import type { DirectedReply } from '../fakes/directed-model.ts';
import { chromiumNote, chromiumPath } from '../setup/chromium.ts';
import { findSecrets } from '../setup/secret-hunt.ts';

/** Tasks in the whole app that use a real browser on a real site, with a scripted model. */

const SHOP = `<!doctype html><title>Tea shop</title><h1>Order tea</h1>
<form action="/order" method="post"><label>Name <input name="name"></label>
<label>Kind <select name="kind"><option>green</option><option>black</option></select></label>
<button>Place order</button></form>
<a href="/about">About us</a><button onclick="document.title = 'pressed'">Show prices</button>`;

/** What the user copies, and what they give to a page: the agent never sees this one. */
const [COPIED, NAME, CONTENT] = [
  'zqxjk-copied-wvtrs',
  'zqxjk-name-wvtrs.txt',
  'zqxjk-content-wvtrs',
];
const PRIVATE = `<!doctype html><title>Private</title><body style="margin:0">
<input style="position:absolute;left:20px;top:20px;width:300px" value="${COPIED}">
<input style="position:absolute;left:20px;top:60px" type="file"
  onchange="this.files[0].text().then((text) => fetch('/given', { method: 'POST', body: this.files[0].name + ' ' + text }))">`;

const call = (name: string, given: Record<string, unknown> = {}): DirectedReply => ({
  calls: [{ name, arguments: given }],
});

interface Shop {
  readonly url: string;
  /** Requests, as method, path and body. */
  readonly asked: readonly string[];
}

async function openShop(): Promise<Shop> {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (piece) => {
      body += piece;
    });
    request.on('end', () => {
      if (request.url !== '/favicon.ico')
        asked.push(`${request.method} ${request.url} ${body}`.trim());
      response.setHeader('content-type', 'text/html');
      if (request.url === '/private') return void response.end(PRIVATE);
      response.end(
        request.method === 'POST' ? '<title>Thanks</title><p>Order 4711 is on its way.' : SHOP,
      );
    });
  });
  const port = await listen(server, '127.0.0.1');
  onTestFinished(async () => void (await closeServer(server)));
  return { url: `http://127.0.0.1:${port}/`, asked };
}

async function open(
  plan: readonly DirectedReply[],
  settings: Readonly<Record<string, unknown>> = {},
): Promise<AppBench> {
  const browser = (await browserForTests()) ?? '';
  const before = process.env.PATH;
  process.env.PATH = `${path.dirname(browser)}${path.delimiter}${before}`;
  onTestFinished(() => {
    process.env.PATH = before;
  });
  const left = [...plan];
  // What is answered is not the point here: an answer that claims nothing is not checked twice.
  return await openAppBench(() => left.shift() ?? { content: 'See the page.' }, {
    egressPrivateHosts: ['127.0.0.1:*'],
    ...settings,
  });
}

describe.skipIf(chromiumPath === null)(`a task in the browser${chromiumNote}`, () => {
  it('looks freely, and asks before it sends, with the filled fields; the order is sent once', async () => {
    const shop = await openShop();
    const bench = await open([
      call('browser_navigate', { url: shop.url }),
      call('browser_type', { ref: 'e1', text: 'Ada' }),
      call('browser_select', { ref: 'e2', options: ['black'] }),
      call('browser_click', { ref: 'e5' }),
      call('browser_click', { ref: 'e3' }),
    ]);
    const { api } = bench.app;
    const run = await bench.start(`Order black tea for Ada with the browser at ${shop.url}`, {
      ...{ approve: 'ask', network: 'open' },
    });
    await expect.poll(() => api['runs.waiting']().questions.length, { timeout: 60_000 }).toBe(1);
    const [question] = api['runs.waiting']().questions;
    expect(shop.asked).toEqual(['GET /']);
    expect(question?.title).toContain('Place order');
    expect(question?.message).toContain('- Name: Ada');
    expect(question?.message).toContain('- Kind: black');
    expect(question?.message).toContain(`${shop.url}order`);
    const { runId = '', interruptId = '', argumentsSha256 = '' } = question ?? {};
    await api['runs.respond']({
      ...{ runId, interruptId },
      response: { action: 'approve', argumentsSha256, always: false },
    });
    const played = await bench.settled(run.id);
    expect(shop.asked).toEqual(['GET /', 'POST /order name=Ada&kind=black']);
    const results = played.of('tool_result');
    expect(results.map(({ name, status }) => `${name} ${status}`)).toEqual([
      ...['browser_navigate ok', 'browser_type ok', 'browser_select ok', 'browser_click ok'],
      'browser_click ok',
    ]);
    expect(results.at(-1)?.content).toContain('Order 4711 is on its way.');
    const actions = played.of('browser_action').filter(({ status }) => status === 'completed');
    expect(actions.map(({ action }) => action)).toEqual([
      ...['navigate', 'type', 'select', 'click', 'click'],
    ]);
    const { connections } = api['egress.list']({ runId: run.id });
    expect(new Set(connections.map(({ actor }) => actor))).toEqual(new Set(['browser']));
  });

  it('fetch_page reads a page that scripts make, away from the browser of the task', async () => {
    const server = createServer((_request, response) => {
      response.setHeader('content-type', 'text/html');
      response.end(
        '<title>App</title><div id="app"></div><script>app.textContent = "Open until " + (9 + 8)</script>',
      );
    });
    const port = await listen(server, '127.0.0.1');
    onTestFinished(async () => void (await closeServer(server)));
    const url = `http://127.0.0.1:${port}/`;
    const bench = await open([call('fetch_page', { url })]);
    const run = await bench.start(`When does ${url} close?`, { approve: 'all', network: 'open' });
    const played = await bench.settled(run.id);
    const [result] = played.of('tool_result');
    expect([result?.status, result?.content]).toEqual([
      ...['ok', expect.stringContaining('Open until 17')],
    ]);
    const { api } = bench.app;
    const { connections } = api['egress.list']({ runId: run.id });
    expect(new Set(connections.map(({ actor }) => actor))).toEqual(new Set(['fetch', 'browser']));
    expect(api['browser.state']({ threadId: run.threadId })).toMatchObject({
      ...{ isOpen: false, tabs: [] },
    });
  });

  it('loads the tools when the model asks for them, and a denied order is not sent', async () => {
    const shop = await openShop();
    const bench = await open([
      call('load_tools', { family: 'browser' }),
      call('browser_navigate', { url: shop.url }),
      call('browser_click', { ref: 'e3' }),
    ]);
    const { api } = bench.app;
    const run = await bench.start('Get some tea.', { approve: 'never', network: 'open' });
    const played = await bench.settled(run.id);
    expect(played.of('tool_result').map(({ status }) => status)).toEqual(['ok', 'ok', 'denied']);
    expect(shop.asked).toEqual(['GET /']);
    expect(api['browser.state']({ threadId: run.threadId })).toMatchObject({
      ...{ isOpen: true, control: 'nobody' },
      tabs: [{ title: 'Tea shop', url: shop.url }],
    });
  });

  it('stops what it does when the user takes over, and goes on with what they left', async () => {
    const shop = await openShop();
    const bench = await open([
      call('browser_navigate', { url: shop.url }),
      call('browser_wait', { text: 'no such text', seconds: 60 }),
      call('browser_snapshot'),
    ]);
    const { api } = bench.app;
    const run = await bench.start(`Look at ${shop.url} in the browser`, {
      ...{ approve: 'all', network: 'open' },
    });
    const { id: runId, threadId } = run;
    const waiting = () =>
      api['runs.events']({ runId, afterSeq: 0 }).events.some(
        (event) => event.type === 'browser_action' && event.action === 'wait',
      );
    await expect.poll(waiting, { timeout: 60_000 }).toBe(true);
    expect(await api['browser.control']({ threadId, action: 'take' })).toMatchObject({
      control: 'user',
    });
    await api['browser.go']({ threadId, to: { url: `${shop.url}about` } });
    expect(api['runs.get']({ runId })).toMatchObject({ run: { status: 'running' } });
    await api['browser.control']({ threadId, action: 'hand_back' });
    const played = await bench.settled(runId);
    const texts = played.of('tool_result').map(({ content }) => content);
    expect(texts[1]).toContain('The user acted in the browser meanwhile.');
    expect(texts[1]).toContain(`${shop.url}about`);
    expect(texts[2]).toContain(`${shop.url}about`);
  });

  it('keeps nothing of what the user copies out of a page, and of the files that they give it', async () => {
    const shop = await openShop();
    const bench = await open([
      call('browser_navigate', { url: shop.url }),
      call('browser_wait', { text: 'no such text', seconds: 60 }),
      call('browser_snapshot'),
      call('browser_screenshot'),
    ]);
    const { api } = bench.app;
    const run = await bench.start(`Look at ${shop.url} in the browser`, {
      ...{ approve: 'all', network: 'open' },
    });
    const { id: runId, threadId } = run;
    const state = () => api['browser.state']({ threadId });
    const waiting = () =>
      api['runs.events']({ runId, afterSeq: 0 }).events.some(
        (event) => event.type === 'browser_action' && event.action === 'wait',
      );
    await expect.poll(waiting, { timeout: 60_000 }).toBe(true);
    await api['browser.control']({ threadId, action: 'take' });
    await api['browser.go']({ threadId, to: { url: `${shop.url}private` } });
    await expect.poll(() => state().tabs[0]?.title).toBe('Private');
    const clickAt = async (y: number) => {
      const at = { x: 60, y, button: 'left', clicks: 1 } as const;
      const inputs = [
        { type: 'mouse_down' as const, ...at },
        { type: 'mouse_up' as const, ...at },
      ];
      await api['browser.input']({ threadId, inputs });
    };
    await clickAt(30);
    const key = { key: 'a', code: 'KeyA', modifiers: ['Control' as const] };
    await api['browser.input']({ threadId, inputs: [{ type: 'key_down', ...key }] });
    expect(await api['browser.selection']({ threadId })).toEqual({ text: COPIED, canCut: true });
    await clickAt(70);
    await expect.poll(() => state().chooser?.id).toBeDefined();
    const data = Buffer.from(CONTENT).toString('base64');
    await api['browser.giveFiles']({
      ...{ threadId, chooserId: state().chooser?.id ?? '' },
      files: [{ name: NAME, mimeType: 'text/plain', data }],
    });
    await expect.poll(() => shop.asked.at(-1)).toBe(`POST /given ${NAME} ${CONTENT}`);
    await api['browser.go']({ threadId, to: { url: `${shop.url}about` } });
    await api['browser.control']({ threadId, action: 'hand_back' });
    const played = await bench.settled(runId);
    expect(played.of('tool_result').map(({ status }) => status)).toEqual(
      // The wait was cut off.
      ['ok', 'error', 'ok', 'ok'],
    );
    const places = new Map<string, Buffer>([
      ['events', Buffer.from(JSON.stringify(played.events))],
      ['requests to the model', Buffer.from(JSON.stringify(bench.requests))],
      ['connections', Buffer.from(JSON.stringify(api['egress.list']({ runId })))],
    ]);
    for (const entry of await readdir(bench.dataDir, { recursive: true, withFileTypes: true })) {
      const file = path.join(entry.parentPath, entry.name);
      if (entry.isFile())
        places.set(file, Buffer.concat([Buffer.from(file), await readFile(file)]));
    }
    expect([...places.keys()].some((place) => /\.(?:db|sqlite)/.test(place))).toBe(true);
    const found = findSecrets(places, [COPIED, NAME, CONTENT]);
    expect(found.map(({ where, form }) => `${where} (${form})`)).toEqual([]);
  });
});
