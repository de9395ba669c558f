import { describe, expect, it } from 'vitest';
import { toolsOfFamily } from '#contract/tools.ts';
import type { BrowserAction } from '#main/browser/types.ts';
import { viewTokens } from '#main/tools/view-tokens.ts';
import { browserBench } from '../../fakes/browser-bench.ts';
import { pngOf } from '../../fakes/png.ts';

const CALLS: readonly (readonly [string, Record<string, unknown>, BrowserAction | null])[] = [
  [
    'browser_navigate',
    { url: 'shop.example/a' },
    { kind: 'navigate', url: 'https://shop.example/a' },
  ],
  ['browser_back', {}, { kind: 'back' }],
  ['browser_snapshot', { ref: '[e1]' }, { kind: 'snapshot', ref: 'e1' }],
  ['browser_find', { role: 'link' }, { kind: 'find', role: 'link' }],
  ['browser_click', { ref: 'ref=E1', clicks: 2 }, { kind: 'click', at: { ref: 'e1' }, clicks: 2 }],
  ['browser_hover', { ref: 'e1' }, { kind: 'hover', at: { ref: 'e1' } }],
  ['browser_type', { ref: 'e1', text: 'tea' }, { kind: 'type', ref: 'e1', text: 'tea' }],
  ['browser_press_key', { key: 'Tab' }, { kind: 'press_key', key: 'Tab' }],
  [
    'browser_select',
    { ref: 'e1', options: ['Green'] },
    { kind: 'select', ref: 'e1', options: ['Green'] },
  ],
  [
    'browser_drag',
    { from: 'e1', to: 'e2' },
    { kind: 'drag', from: { ref: 'e1' }, to: { ref: 'e2' } },
  ],
  ['browser_scroll', { screens: -1 }, { kind: 'scroll', screens: -1 }],
  [
    'browser_upload',
    { ref: 'e1', paths: ['/workspace/a.csv'] },
    { kind: 'upload', ref: 'e1', paths: ['a.csv'] },
  ],
  ['browser_tabs', { tab: 2, close: true }, { kind: 'tabs', tab: 2, close: true }],
  ['browser_dialog', { accept: true }, { kind: 'dialog', accept: true }],
  ['browser_wait', { text: 'Done', gone: true }, { kind: 'wait', text: 'Done', gone: true }],
  ['browser_screenshot', { whole_page: true }, { kind: 'screenshot', wholePage: true }],
  ['browser_get_stream_url', {}, null],
];

it('covers every tool of the family', () => {
  expect(CALLS.map(([name]) => name)).toEqual(toolsOfFamily('browser'));
});

it.each(CALLS)('%s does its action in the browser of the task', async (name, given, action) => {
  const bench = browserBench({ approve: 'all' });
  for (const ref of ['e1', 'e2']) bench.browser.show({ ref });
  const [result] = await bench.start([name, given]);
  expect([result?.status, bench.browser.actions]).toEqual(['ok', action === null ? [] : [action]]);
  expect(bench.context.taint.sources()).toEqual(action === null ? [] : ['shop.example']);
});

it('repeats keys that move, and never those that send or click', async () => {
  const { start, browser } = browserBench({ approve: 'all' });
  browser.show({ ref: 'e1', role: 'slider', name: 'Price' });
  const [moved, ...sent] = await start(
    ['browser_press_key', { key: 'ArrowRight', ref: 'e1', times: 40 }],
    ['browser_press_key', { key: 'Enter', times: 2 }],
    ['browser_press_key', { key: 'Control+Enter', ref: 'e1', times: 2 }],
    ['browser_press_key', { key: ' ', ref: 'e1', times: 2 }],
  );
  expect(moved?.status).toBe('ok');
  expect(sent.map(({ status, content }) => [status, content.includes('once')])).toEqual(
    sent.map(() => ['error', true]),
  );
  expect(browser.actions).toEqual([{ kind: 'press_key', key: 'ArrowRight', ref: 'e1', times: 40 }]);
});

it('says where the user watches', async () => {
  const { start, events } = browserBench();
  const [result] = await start(['browser_get_stream_url']);
  expect(result?.content).toContain('Browser tab');
  expect(events).toContainEqual(
    expect.objectContaining({ type: 'browser_stream', streamUrl: 'browser:thr_1' }),
  );
});

it('does the calls of one answer one after the other, in their order', async () => {
  const { start, browser } = browserBench();
  browser.show({ ref: 'e1' });
  const results = await start(
    ['browser_snapshot'],
    ['browser_find', { text: 'tea' }],
    ['browser_click', { ref: 'e1' }],
    ['browser_screenshot'],
    ['browser_snapshot'],
  );
  expect({
    ends: results.map(({ status }) => status),
    kinds: browser.actions.map(({ kind }) => kind),
    beside: browser.beside,
  }).toEqual({
    ends: Array(5).fill('ok'),
    kinds: ['snapshot', 'find', 'click', 'screenshot', 'snapshot'],
    beside: [0, 0, 0, 0, 0],
  });
});

it('may be repeated after a crash only where nothing happens twice', () => {
  const { tools } = browserBench();
  const effects = CALLS.map(([name, given]) => {
    const tool = tools.get(name)?.definition;
    const input = tool?.input.parse(given) as never;
    return typeof tool?.effect === 'function' ? tool.effect(input) : tool?.effect;
  });
  const of = (name: string, given: object) => {
    const tool = tools.get(name)?.definition;
    return typeof tool?.effect === 'function'
      ? tool.effect(tool.input.parse(given) as never)
      : null;
  };
  const named = (effect: string) =>
    CALLS.flatMap(([name], i) => (effects[i] === effect ? [name] : []));
  expect(named('opaque')).toEqual([
    ...['browser_click', 'browser_press_key', 'browser_select', 'browser_drag'],
    ...['browser_upload', 'browser_dialog'],
  ]);
  expect(named('idempotent')).toEqual(['browser_type']);
  expect([
    of('browser_type', { ref: 'e1', text: 'a', submit: true }),
    of('browser_dialog', { accept: false }),
  ]).toEqual(['opaque', 'idempotent']);
});

describe('what runs is what was judged', () => {
  it('tells the browser what the element was, without fields that nobody was asked about', async () => {
    const { start, browser } = browserBench();
    const form = { method: 'dialog' as const, action: 'https://shop.example/', isSearch: false };
    browser.show({ ref: 'e1', name: 'Close', isSubmit: true, form: { ...form, fields: [] } });
    await start(['browser_click', { ref: 'e1' }]);
    const element = { ref: 'e1', role: 'button', name: 'Close', href: null, isSubmit: true };
    expect(browser.runs.map(({ expected }) => expected)).toEqual([{ ...element, form }]);
  });

  it('does nothing to an element that only a later view has shown, and shows the page', async () => {
    const { start, browser } = browserBench();
    browser.outcome = ({ kind }) => {
      if (kind === 'snapshot') browser.show({ ref: 'e9', name: 'Place order' });
      return { text: '[e9] button "Place order"' };
    };
    const [, click] = await start(['browser_snapshot'], ['browser_click', { ref: 'e9' }]);
    expect(browser.actions.map(({ kind }) => kind)).toEqual(['snapshot', 'snapshot']);
    expect([click?.status, click?.content]).toEqual([
      'error',
      expect.stringMatching(
        /e9 was in no view that you have seen\. Nothing was done\.[\s\S]*"Place order"/,
      ),
    ]);
  });

  it('answers no other dialog than the one that it was judged by', async () => {
    const { start, browser } = browserBench();
    browser.show({ ref: 'e1' });
    browser.outcome = ({ kind }) => {
      if (kind === 'click') browser.dialog = { kind: 'confirm', message: 'Delete all?' };
      return {};
    };
    const [, answered] = await start(
      ['browser_click', { ref: 'e1' }],
      ['browser_dialog', { accept: true }],
    );
    expect(answered?.status).toBe('error');
    expect(browser.actions.map(({ kind }) => kind)).toEqual(['click', 'snapshot']);
  });

  it('uses points only for a model that sees', async () => {
    const point = ['browser_click', { x: 10, y: 20 }] as const;
    const blind = browserBench({ approve: 'all' });
    expect((await blind.start(point))[0]?.content).toContain('use a ref');
    const seeing = browserBench({ approve: 'all', more: { modelSees: true } });
    await seeing.start(point, ['browser_drag', { from: '1,2', to: '3.5, 4' }]);
    expect([blind.browser.actions.map(({ kind }) => kind), seeing.browser.actions]).toEqual([
      ['snapshot'],
      [
        { kind: 'click', at: { x: 10, y: 20 } },
        { kind: 'drag', from: { x: 1, y: 2 }, to: { x: 3.5, y: 4 } },
      ],
    ]);
  });

  it('refuses a click on nothing', async () => {
    const { start, browser } = browserBench();
    const [result] = await start(['browser_click', { x: 3 }]);
    expect([result?.status, result?.content, browser.actions]).toEqual([
      ...['error', 'The tool failed: Give a ref, or x and y.', []],
    ]);
  });
});

it('gives a page the files that the call was cleared for, and keeps what the page gives', async () => {
  const bench = browserBench({ approve: 'all', stored: { 'a.csv': 'a,b' } });
  bench.browser.show({ ref: 'e1', name: 'Choose file' });
  const read: string[] = [];
  bench.browser.outcome = async ({ kind }, { workspace }) => {
    if (kind !== 'upload') return {};
    read.push(String(await workspace.read('a.csv')));
    await workspace.add('report.pdf', '/tmp/x');
    return { downloads: ['downloads/report.pdf'] };
  };
  await bench.start(['browser_upload', { ref: 'e1', paths: ['a.csv'] }]);
  expect(read).toEqual(['a,b']);
  expect(bench.events).toContainEqual({
    ...{ type: 'workspace_update', operation: 'create', path: 'downloads/report.pdf', size: 6 },
    origin: 'c0',
  });
});

it('draws refs into the picture of a page that draws', async () => {
  const bench = browserBench();
  const label = { ref: 'e7', x: 10, y: 20, width: 30, height: 40, isOpaque: true };
  const screenshot = pngOf(60, 80, () => [255, 255, 255]);
  bench.browser.outcome = () => ({ screenshot, labels: [label] });
  await bench.start(['browser_screenshot']);
  const [drawn = ''] = bench.pictures.map(({ bytes }) => Buffer.from(bytes).toString());
  expect(drawn).toMatch(/^<svg [^>]*width="60" height="80"/);
  expect(drawn).toContain(Buffer.from(screenshot).toString('base64'));
  expect(drawn).toContain('>e7</text>');
});

it('shows a picture of the page as a picture of the result', async () => {
  const bench = browserBench();
  bench.browser.outcome = () => ({ screenshot: Uint8Array.of(1, 2) });
  const [result] = await bench.start(['browser_screenshot']);
  expect(bench.pictures).toEqual([
    { name: 'a picture of shop.example', bytes: Uint8Array.of(1, 2) },
  ]);
  expect(result?.pictures).toHaveLength(1);
});

it('lets a view take a share of the real window', () => {
  expect([null, 2_048, 8_192, 131_072].map(viewTokens)).toEqual([1_000, 500, 983, 2_000]);
});
