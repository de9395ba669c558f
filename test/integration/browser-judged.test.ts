import { createServer } from 'node:http';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { closeServer, listen } from '../fakes/addresses/listeners.ts';
import { type OpenBrowsers, openBrowsers } from '../fakes/browser/open-browsers.ts';
import { browserBench } from '../fakes/browser-bench.ts';

/** The real tools and the real browser: what was judged is what is done, on pages that change meanwhile. */
const PAGE = `<!doctype html><title>Shop</title>
<button id=a onclick="b.textContent = 'Pay 1,000'">Show prices</button>
<button id=b onclick="log('b')">Show more</button>
<button onclick="q.value = 100">Add more</button>
<a id=l href="/tea" onclick="log('l')">Tea</a><button onclick="l.href = '/delete-all'">Read on</button>
<form id=f method=post action="/order" onsubmit="log('order ' + q.value); return false">
  <label>Quantity <input id=q value=1></label><button>Place order</button>
</form>
<button id=d onclick="d.disabled = true; r.textContent = confirm('Delete everything?')">Tidy up</button><p id=r></p>
<a href="http://other.test/x"><div role=button>Inner button</div><b>Bold words</b></a>
<svg width=200 height=100><a href="http://other.test/y"><rect width=60 height=60 aria-label="Shape"/></a></svg>
<form method=get action="/find" role=search><input type=search aria-label=Words>
  <button formaction="http://other.test/steal" formmethod=post>Go</button><button><span>Find it</span></button></form>
<form method=post action="/hidden"><button id=s style="opacity:0">x</button></form><label for=s>More about it</label>
<script>const log = (what) => fetch('/did?' + encodeURIComponent(what));</script>`;

let opened: OpenBrowsers;
beforeAll(async () => {
  opened = await openBrowsers();
});
afterAll(() => opened[Symbol.asyncDispose]());

async function openShop() {
  const did: string[] = [];
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://x');
    if (url.pathname === '/did') did.push(decodeURIComponent(url.search.slice(1)));
    response.setHeader('content-type', 'text/html').end(url.pathname === '/' ? PAGE : 'ok');
  });
  const port = await listen(server, '127.0.0.1');
  onTestFinished(() => closeServer(server));
  const { egress } = opened.run();
  const bench = browserBench({ browsers: opened.browsers, more: { egress } });
  const [page] = await bench.start(['browser_navigate', { url: `http://site.test:${port}/` }]);
  const refOf = (name: string): string =>
    new RegExp(`\\[(\\w+)\\] \\w+ "${name}"`).exec(page?.content ?? '')?.[1] ?? 'none';
  const click = (name: string) => ['browser_click', { ref: refOf(name) }] as const;
  return { ...bench, click, did, browsers: opened.browsers, page };
}

it('refuses a button that was renamed, and a link that leads elsewhere, since they were judged', async () => {
  const { start, click, did, questions } = await openShop();
  const [, renamed] = await start(click('Show prices'), click('Show more'));
  const [, moved] = await start(click('Read on'), click('Tea'));
  expect([renamed?.content, moved?.content]).toEqual([
    expect.stringContaining('changed since it was looked at'),
    expect.stringContaining('changed since it was looked at'),
  ]);
  expect([did, questions()]).toEqual([[], 0]);
});

it('sends a form as it was when the user was asked, and not one with other values', async () => {
  const { start, click, did, answer, questions } = await openShop();
  const both = start(click('Add more'), click('Place order'));
  const { message, title } = await answer();
  expect([title, message]).toEqual([
    'Click "Place order" on site.test?',
    expect.stringMatching(
      /\nIt sends a form to http:\/\/site\.test:\d+\/order \(POST\):\n- Quantity: 1$/,
    ),
  ]);
  const [, refused] = await both;
  expect([refused?.status, did]).toEqual(['error', []]);
  // The same call is asked about again, with what it would send now.
  const again = start(['browser_snapshot'], click('Place order'));
  await expect.poll(questions).toBe(2);
  expect((await answer()).message).toContain('Quantity: 100');
  expect((await again)[1]?.status).toBe('ok');
  await expect.poll(() => did).toEqual(['order 100']);
});

it('accepts the dialog of a page only after asking', async () => {
  const { start, click, answer } = await openShop();
  await start(click('Tidy up'));
  const accepting = start(['browser_dialog', { accept: true }]);
  expect((await answer()).title).toBe('Accept "Delete everything?" on site.test?');
  expect((await accepting)[0]?.content).toContain('true');
});

it('judges what a click does besides: the link around it, and how a button itself sends its form', async () => {
  const { start, browsers, page } = await openShop();
  /** What a view or a search shows under a name, as a click on it is judged. */
  const judged = async (line: RegExp, words?: string) => {
    const [found] = words === undefined ? [page] : await start(['browser_find', { text: words }]);
    const element = browsers.forTask('thr_1').shown(line.exec(found?.content ?? '')?.[1] ?? '');
    return [element?.href, element?.isSubmit, element?.form?.method, element?.form?.action];
  };
  const shown = await Promise.all([
    judged(/\[(\w+)\] button "Go"/),
    judged(/\[(\w+)\] button "Find it"/),
    judged(/\[(\w+)\] rect/),
  ]);
  const words = await judged(/\[(\w+)\] clickable "Bold words"/, 'bold words');
  const label = await judged(/\[(\w+)\] text "More about it"/, 'more about');
  const own = expect.stringMatching(/^http:\/\/site\.test:\d+\/(?:find|hidden)$/);
  expect([...shown, words, label]).toEqual([
    [null, true, 'post', 'http://other.test/steal'],
    [null, true, 'get', own],
    ['http://other.test/y', false, undefined, undefined],
    ['http://other.test/x', false, undefined, undefined],
    [null, true, 'post', own],
  ]);
});
