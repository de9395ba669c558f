import { describe, expect, it } from 'vitest';
import type { PolicyLevel } from '#contract/vocabulary.ts';
import type { ShownElement, ShownForm, TaskBrowser } from '#main/browser/types.ts';
import { browserBench, ORDER } from '../../fakes/browser-bench.ts';

const SEARCH: ShownForm = {
  ...{ method: 'get', action: 'https://shop.example/search', isSearch: true, fields: [] },
};
const elements: Readonly<Record<string, Partial<ShownElement>>> = {
  more: { name: 'Show more' },
  order: { name: 'Place order' },
  next: { name: 'Next', isSubmit: true, form: ORDER },
  search: { name: 'Go', isSubmit: true, form: SEARCH },
  away: { name: 'Go', isSubmit: true, form: { ...SEARCH, action: 'https://evil.example/search' } },
  filter: { name: 'Apply', isSubmit: true, form: { ...SEARCH, isSearch: false } },
  posted: { name: 'Go', isSubmit: true, form: { ...SEARCH, method: 'post' } },
  close: { name: 'Close', isSubmit: true, form: { ...ORDER, method: 'dialog' } },
  disguised: { role: 'textbox', name: 'Next', isSubmit: true, form: ORDER },
  box: { role: 'searchbox', name: 'Search', form: SEARCH },
  address: { role: 'textbox', name: 'Street', form: ORDER },
  chat: { role: 'textbox', name: 'Message' },
  finder: { role: 'textbox', name: '搜索商品' },
  comment: { role: 'textbox', name: 'Post a comment' },
  tick: { role: 'checkbox', name: 'Send me news', form: ORDER },
  inside: { role: 'link', name: 'Details', href: 'https://shop.example/tea' },
  outside: { role: 'link', name: 'Details', href: 'https://evil.example/?d=1' },
  mail: { role: 'link', name: 'Write to us', href: 'mailto:a@shop.example' },
  remove: { role: 'link', name: '删除地址', href: 'https://shop.example/del?id=1' },
  bin: { role: 'generic', name: 'Trash' },
  file: { role: 'button', name: 'Choose file', form: ORDER },
};
const confirms = (message: string): TaskBrowser['dialog'] => ({ kind: 'confirm', message });

type Call = readonly [string, Record<string, unknown>];
type Case = readonly [what: string, call: Call, dialog?: TaskBrowser['dialog']];
const on = (tool: string, ref: string, more = {}): Call => [`browser_${tool}`, { ref, ...more }];

const FREE: readonly Case[] = [
  ['looks', on('snapshot', 'more')],
  ['finds', ['browser_find', { text: 'Place order' }]],
  ['points', on('hover', 'order')],
  ['scrolls', ['browser_scroll', { screens: 1 }]],
  ['waits', ['browser_wait', { seconds: 1 }]],
  ['takes a picture', ['browser_screenshot', {}]],
  ['goes back', ['browser_back', {}]],
  ['shows a tab', ['browser_tabs', { tab: 1 }]],
  ['opens an allowed page', ['browser_navigate', { url: 'https://shop.example/' }]],
  ['opens more', on('click', 'more')],
  ['searches its site', on('click', 'search')],
  ['searches by Enter', on('type', 'box', { text: 'tea', submit: true })],
  ['searches by the key', on('press_key', 'box', { key: 'Enter' })],
  ['searches without a form', on('type', 'finder', { text: '茶', submit: true })],
  ['closes a dialog form', on('click', 'close')],
  ['types', on('type', 'address', { text: 'Example Road' })],
  ['puts the cursor into a field', on('click', 'comment')],
  ['ticks', on('click', 'tick')],
  ['follows a link of the site', on('click', 'inside')],
  ['writes a mail', on('click', 'mail')],
  ['moves by keys', on('press_key', 'outside', { key: 'Tab' })],
  ['chooses', on('select', 'address', { options: ['a'] })],
  ['drags', ['browser_drag', { from: 'more', to: 'address' }]],
  ['answers an alert', ['browser_dialog', { accept: true }], { kind: 'alert', message: 'Deleted' }],
  ['leaves a page', ['browser_dialog', { accept: true }], { kind: 'beforeunload', message: '' }],
  ['dismisses', ['browser_dialog', { accept: false }], confirms('Delete it?')],
  ['accepts a harmless dialog', ['browser_dialog', { accept: true }], confirms('Show tips?')],
  ['uses what no view has shown', on('click', 'e99')],
];

const ASKED: readonly Case[] = [
  ['opens an address elsewhere', ['browser_navigate', { url: 'https://evil.example/' }]],
  ['clicks an act', on('click', 'order')],
  ['sends a form', on('click', 'next')],
  ['sends a form that says it is a field', on('click', 'disguised')],
  ['searches elsewhere', on('click', 'away')],
  ['sends a GET form that is no search', on('click', 'filter')],
  ['posts a search', on('click', 'posted')],
  ['submits what it types', on('type', 'address', { text: 'a', submit: true })],
  ['sends a message by Enter', on('type', 'chat', { text: 'Hi', submit: true })],
  ['presses Enter in a field', on('press_key', 'address', { key: 'Enter' })],
  ['presses Enter on an act', on('press_key', 'order', { key: 'Control+Enter' })],
  ['presses space on an act', on('press_key', 'order', { key: ' ' })],
  ['presses Enter nobody knows where', ['browser_press_key', { key: 'Enter' }]],
  ['clicks a link elsewhere', on('click', 'outside')],
  ['clicks a link that deletes', on('click', 'remove')],
  ['drops into the bin', ['browser_drag', { from: 'more', to: 'bin' }]],
  ['clicks a point', ['browser_click', { x: 1, y: 2 }]],
  ['drags to a point', ['browser_drag', { from: 'more', to: '4,5' }]],
  ['uploads', on('upload', 'file', { paths: ['a.csv'] })],
  ['accepts an act', ['browser_dialog', { accept: true }], confirms('Delete this comment?')],
  ['accepts one in Chinese', ['browser_dialog', { accept: true }], confirms('确定要删除吗？')],
];

const named = (cases: readonly Case[]) => cases.map((one) => ({ what: one[0], one }));

/** Whether the user is asked, and how. */
async function decide([, call, dialog = null]: Case, level: PolicyLevel | null = null) {
  const bench = browserBench({ isTainted: true, level, more: { modelSees: true } });
  for (const [ref, element] of Object.entries(elements)) bench.browser.show({ ref, ...element });
  bench.browser.dialog = dialog;
  let isOver = false;
  const done = bench.start(call).finally(() => {
    isOver = true;
  });
  const asked = () => bench.events.find((event) => event.type === 'interrupt');
  while (!isOver && asked() === undefined) await new Promise((resolve) => setImmediate(resolve));
  const question = asked() ?? null;
  bench.abort.abort();
  await done.catch(() => null);
  return question;
}

describe('on a host that the run may reach, in a task with the words of others', () => {
  it.each(named(FREE))('$what without asking', async ({ one }) => {
    expect(await decide(one)).toBeNull();
    expect(await decide(one, 'ask_on_exit')).toBeNull();
  });

  it.each(named(ASKED))('$what only after asking', async ({ one }) => {
    expect((await decide(one))?.risk).toBe('high');
    expect((await decide(one, 'ask_on_exit'))?.why).toMatch(/^It would (?:act on|send to) /);
  });

  it('asks about looking under no level', async () => {
    const looks = FREE.slice(0, 8);
    const asked = await Promise.all(looks.map((one) => decide(one, 'ask_every_time')));
    expect(asked).toEqual(looks.map(() => null));
    expect((await decide(['clicks', on('click', 'more')], 'ask_every_time'))?.risk).toBe('low');
  });
});

it('asks before anything is typed on a host that a page led to, and then no more', async () => {
  const bench = browserBench({ isTainted: true });
  bench.browser.url = 'https://evil.example/form';
  bench.browser.show({ ref: 'e1', role: 'textbox', name: 'Street' });
  await bench.start(['browser_snapshot']);
  const typing = bench.start(['browser_type', { ref: 'e1', text: 'secret' }]);
  expect((await bench.answer()).message).toContain('You have not allowed this site yet');
  await typing;
  await bench.start(['browser_type', { ref: 'e1', text: 'more' }]);
  expect([bench.questions(), bench.browser.actions.map(({ kind }) => kind)]).toEqual([
    ...[1, ['snapshot', 'type', 'type']],
  ]);
});

describe('the question', () => {
  it('says what will happen: the page, where the form goes, and what is in it', async () => {
    const bench = browserBench();
    bench.browser.show({ ref: 'e1', name: 'Place order', isSubmit: true, form: ORDER });
    const clicking = bench.start(['browser_click', { ref: 'e1' }]);
    const { title, message } = await bench.answer();
    await clicking;
    expect(title).toBe('Click "Place order" on shop.example?');
    expect(message.split('\n')).toEqual([
      'The page is https://shop.example/cart',
      'It sends a form to https://shop.example/order (POST):',
      '- Street: Example Road 1',
      '- Card number: ••••••••',
    ]);
    // All of it was asked about, so all of it is compared.
    expect(bench.browser.runs[0]?.expected?.form?.fields).toEqual(ORDER.fields);
  });

  it('says what is typed, uploaded and accepted', async () => {
    const asked = async (one: Case) => {
      const question = await decide(one);
      return [question?.title, ...(question?.message.split('\n').slice(1, 2) ?? [])];
    };
    expect([
      await asked(['types', on('type', 'chat', { text: 'Hello', submit: true })]),
      await asked(['uploads', on('upload', 'file', { paths: ['a.csv'] })]),
      await asked(['accepts', ['browser_dialog', { accept: true }], confirms('Delete it?')]),
      await asked(['opens', on('click', 'outside')]),
      await asked(['presses', ['browser_press_key', { key: 'Enter' }]]),
    ]).toEqual([
      ['Type and submit "Message" on shop.example?', 'It types Hello'],
      ['Upload to "Choose file" on shop.example?', 'It uploads a.csv'],
      ['Accept "Delete it?" on shop.example?', 'The page asks: Delete it?'],
      ['Click "Details" on shop.example?', 'It opens https://evil.example/?d=1'],
      [
        'Press Enter on shop.example?',
        'It is not known where the cursor is, and so what this key sends.',
      ],
    ]);
  });

  it('stays short and readable, whatever a page calls itself', async () => {
    const hostile = `Send\u202e ${'x\n'.repeat(5_000)}`;
    const fields = Array.from({ length: 100 }, () => ({ name: hostile, value: hostile }));
    const bench = browserBench();
    bench.browser.show({ ref: 'e1', name: hostile, isSubmit: true, form: { ...ORDER, fields } });
    const clicking = bench.start(['browser_click', { ref: 'e1' }]);
    const { title, message } = await bench.answer('deny');
    await clicking;
    expect(title).toMatch(/^Click "Send\[U\+202E\] (?:x )+…" on shop\.example\?$/);
    expect(title.length).toBeLessThan(200);
    expect(message.split('\n')).toHaveLength(23);
    expect(message).toContain('- and 80 more fields');
    expect(message.length).toBeLessThan(12_000);
    expect(message).not.toMatch(/\p{Cf}/u);
  });

  it('has the host for rules: one about a tool and a host decides', async () => {
    const bench = browserBench();
    bench.browser.show({ ref: 'e1', name: 'Place order' });
    const rule = { match: 'host', pattern: 'shop.example', threadId: null } as const;
    bench.rules.put({ ...rule, toolName: 'browser_click', decision: 'approve' });
    const [ran] = await bench.start(['browser_click', { ref: 'e1' }]);
    bench.rules.put({ ...rule, toolName: 'browser_snapshot', decision: 'deny' });
    const [denied] = await bench.start(['browser_snapshot']);
    expect([ran?.status, denied?.status]).toEqual(['ok', 'denied']);
  });

  it('is asked again where the page shows another button under the same ref', async () => {
    const bench = browserBench();
    const click = () => bench.start(['browser_click', { ref: 'e1' }]);
    bench.browser.show({ ref: 'e1', name: 'Pay $1' });
    const first = click();
    await bench.answer();
    await first;
    // As after a restart: the same call finds its answer.
    await click();
    expect(bench.questions()).toBe(1);
    bench.browser.show({ ref: 'e1', name: 'Pay $1000' });
    const again = click();
    await expect.poll(bench.questions).toBe(2);
    await bench.answer('deny');
    expect([(await again)[0]?.status, bench.browser.actions.length]).toEqual(['denied', 2]);
  });
});
