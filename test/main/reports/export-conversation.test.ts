import { deflateSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import type { Message, Run } from '#contract/entities.ts';
import type { RunEvent, RunEventDraft } from '#contract/events/run-event.ts';
import { type Conversation, collectConversation } from '#main/reports/collect-conversation.ts';
import { exportConversation } from '#main/reports/export-conversation.ts';
import { png } from '../../fakes/png.ts';
import { mark, random } from '../../fakes/secret-kinds/generate.ts';
import { someOptions } from '../storage/support.ts';

const PAYLOADS = [
  '<script>globalThis.ran = 1</script>',
  '<img src=x onerror="globalThis.ran = 2">',
  '[link](javascript:globalThis.ran=3)',
  '![p](https://evil.test/x.png)',
  '<svg onload="globalThis.ran = 4"></svg>',
  '</pre></code></details><script>globalThis.ran = 5</script>',
  '"><iframe srcdoc="<script>parent.ran=6</script>"></iframe>',
  '<https://a.test/"onmouseover="globalThis.ran=7">',
  '[x]: javascript:globalThis.ran=8\n\n[x]',
  '<style>@import "https://evil.test/x.css"</style>',
  '<meta http-equiv="refresh" content="0;url=https://evil.test/">',
  '`a`</main><base href="https://evil.test/">',
];

const drafts = (hostile: string): RunEventDraft[] => [
  { type: 'reasoning', messageId: 'r', text: 'what nobody shares' },
  { type: 'token', messageId: 'm', text: `First **part** ` },
  {
    ...{ type: 'tool_call', toolCallId: 'c', name: `shell ${hostile}`, risk: 'low' },
    ...{ arguments: { command: `ls ${hostile}` }, effect: 'opaque', agent: 'executor', round: 1 },
  },
  { type: 'token', messageId: 'm', text: `and ${hostile}` },
  {
    ...{ type: 'tool_result', toolCallId: 'c', name: 'shell', status: 'ok' },
    ...{ content: `out ${hostile}`, durationMs: 1 },
  },
  {
    ...{ type: 'image', index: 0, path: `chart ${hostile}.png`, mimeType: 'image/png', bytes: 9 },
    alt: `Chart ${hostile}`,
  },
  {
    ...{ type: 'complete', outcome: 'completed', answer: 'The end. 销售额 ✅' },
    ...{ durationMs: 1, rounds: 1, toolCalls: 1 },
  },
];

async function conversation(
  hostile = '',
  clean = (text: string): string => text,
): Promise<Conversation> {
  const run: Run = {
    ...{ id: 'run_1', threadId: 'thr_1', status: 'completed', prompt: 'x', options: someOptions },
    ...{ createdAt: 1, startedAt: 1, endedAt: 2, lastSeq: 9, error: null, origin: null },
  };
  const message: Message = {
    ...{ id: 'm', threadId: 'thr_1', runId: 'run_1', role: 'user', content: `Do it ${hostile}` },
    attachments: [{ name: `${hostile}.csv`, path: 'a.csv', size: 1 }],
    createdAt: 1,
  };
  const events = drafts(hostile).map((draft, at) => ({
    runId: 'run_1',
    seq: at + 1,
    at: 1,
    ...draft,
  }));
  return await collectConversation({
    ...{ title: `Task ${hostile}`, runs: [run], messages: [message], clean },
    eventsOf: () => events as RunEvent[],
  });
}

const RED = png(deflateSync(Buffer.from([0, 255, 0, 0])));
const noPicture = async (): Promise<null> => null;

it('as Markdown has what was written, and calls as one line', async () => {
  const { data, fileName } = await exportConversation(await conversation(), 'md', noPicture);
  expect([fileName, data.toString()]).toEqual([
    'Task.md',
    [
      '# Task ',
      '## You',
      'Do it',
      '- `.csv`',
      '## HyperAgent',
      'First **part** and',
      '> shell : `ls`',
      '*Chart * (`chart .png`)',
      'The end. 销售额 ✅\n',
    ].join('\n\n'),
  ]);
});

describe('as Markdown loads nothing', () => {
  const exported = async (answer: string): Promise<string> => {
    const blocks = answer.split('|||').map((markdown) => ({ kind: 'answer' as const, markdown }));
    const { data } = await exportConversation({ title: 'T', blocks }, 'md', noPicture);
    return data.toString().replace('# T\n\n## HyperAgent\n\n', '').trimEnd();
  };

  it.each([
    ['a ![chart](https://e.test/a.png "t") b', 'a [chart](<https://e.test/a.png>) b'],
    ['![](https://e.test/a.png)', '[https://e.test/a.png](<https://e.test/a.png>)'],
    [
      '![c][r]\n\n[r]: https://e.test/a.png',
      '[c](<https://e.test/a.png>)\n\n[r]: https://e.test/a.png',
    ],
    ['[![b](https://e.test/b.svg)](https://e.test)', '[b](https://e.test)'],
    ['wow!![a](https://e.test/a.png)', 'wow! [a](<https://e.test/a.png>)'],
    ['![a ![b](https://e.test/b)](https://e.test/a)', '[a b](<https://e.test/a>)'],
    ['<img src="https://e.test/x">', '&lt;img src="https://e.test/x">'],
    ['one<br>H<sub>2</sub>O', 'one<br>H<sub>2</sub>O'],
    ['`![a](b)` and `<img src=x>`', '`![a](b)` and `<img src=x>`'],
    [
      '- x\n\n  ```html\n  <img src=x>\n  ![a](b)\n  ```',
      '- x\n\n  ```html\n  <img src=x>\n  ![a](b)\n  ```',
    ],
    // The open fence of one answer would make the code of the next one text.
    [
      '```\nopen|||```\n![a](https://e.test/a)\n```',
      '```\nopen\n\n```\n[a](<https://e.test/a>)\n```',
    ],
  ])('%j', async (answer, written) => {
    expect(await exported(answer)).toBe(written);
  });

  it.each([
    ...PAYLOADS,
    '<div>\n![a](https://e.test/a)\n</div>',
    '<div>https://e.test/a<img src=x>\n</div>',
    '<div>\n~~~\n</div>\n\n~~~\n![a](https://e.test/a)\n~~~',
    '> <div>\n> ![a](https://e.test/a)\n> </div>',
    '![\\](x)![a](https://e.test/a)](https://e.test/b)',
    '![a\n![b]\n](https://e.test/a)\n\n[b]: https://e.test/b',
    '| a |\n|---|\n| ![x\\|y](https://e.test/a) |',
    `${'> '.repeat(6_000)}![a](https://e.test/a)`,
    `${'!['.repeat(3_000)}a](https://e.test/a)`,
  ])('whatever stands in an answer: %.60j', async (answer) => {
    const { marked } = await import('marked');
    const found: string[] = [];
    // Nested too deeply for this parser too: then it shows what it is made of.
    const text = await exported(answer);
    if (answer.length > 10_000) expect(text).not.toContain('![');
    else {
      marked.walkTokens(marked.lexer(text), (token) => {
        if (token.type === 'image' || token.type === 'html') found.push(token.raw);
      });
    }
    expect(found).toEqual([]);
  });
});

it.each(PAYLOADS)('as HTML does not run %j', async (payload) => {
  const { data } = await exportConversation(await conversation(payload), 'html', noPicture);
  const html = data.toString();
  const allowed =
    /^\/?(?:html|head|meta|title|style|body|main|h1|h2|div|p|strong|em|del|code|pre|details|summary|figure|figcaption|blockquote|a|ul|ol|li|br|hr)$/;
  const tags = [...html.matchAll(/<(\/?[a-z][\w-]*)/gi)].map(([, name = '']) => name);
  expect(tags.filter((name) => !allowed.test(name))).toEqual([]);
  expect(html.match(/<meta /g)?.length).toBe(4);
  expect(html.match(/<style/g)?.length).toBe(1);
  // No attribute but ours, and no address but of the web.
  const attributes = [...html.matchAll(/<[a-z]\w*((?:\s[^<>]*)?)>/gi)].flatMap(([, inside = '']) =>
    [...inside.matchAll(/\s([\w-]+)=/g)].map(([, name = '']) => name),
  );
  expect(attributes.filter((name) => /^on|src|srcdoc|style/.test(name))).toEqual([]);
  expect(html).not.toMatch(/href="(?!https?:|mailto:)/i);
  expect(html).toContain("default-src 'none'");
});

it('as HTML has the pictures inside, decoded, and names those that are gone', async () => {
  const data = RED;
  const asked: string[] = [];
  const file = await exportConversation(await conversation(), 'html', async (path) => {
    asked.push(path);
    return { mimeType: 'image/png', data };
  });
  const without = await exportConversation(await conversation(), 'html', noPicture);
  expect(asked).toEqual(['chart .png']);
  expect(file.data.toString()).toContain(
    `<img alt="Chart " src="data:image/png;base64,${Buffer.from(data).toString('base64')}"/>`,
  );
  expect([
    without.data.toString().includes('<img'),
    without.data.toString().includes('chart .png'),
  ]).toEqual([false, true]);
});

it('as PDF has text and pictures, and draws a box for letters that no font has', async () => {
  const { data, mimeType } = await exportConversation(
    await conversation('\u{1F9FF}\u{10FFFD}'),
    'pdf',
    async () => ({ mimeType: 'image/png', data: RED }),
  );
  const text = data.toString('latin1');
  expect([mimeType, text.slice(0, 5), /\/Subtype \/Image/.test(text)]).toEqual([
    'application/pdf',
    '%PDF-',
    true,
  ]);
});

it('contains no secret, and no thinking', async () => {
  const known = random('alnum', 24);
  const token = mark('gh', 'p_') + random('alnum', 36);
  const shared = await conversation(`${known} ${token}`, (text) =>
    text.replaceAll(known, '[gone]'),
  );
  for (const format of ['md', 'html'] as const) {
    const { data, fileName } = await exportConversation(shared, format, noPicture);
    const text = `${fileName} ${data.toString()}`;
    expect([known, token, 'nobody shares'].filter((one) => text.includes(one))).toEqual([]);
  }
});

it.each([1, 12, 30])(
  'holds no part of a secret that ends %i characters after the limit of a call',
  async (after) => {
    const secret = mark('gh', 'p_') + random('alnum', 36);
    const text = `${'x'.repeat(20_000 + after - secret.length - 1)} ${secret} and more`;
    const { data } = await exportConversation(await conversation(text), 'html', noPicture);
    expect(data.toString().includes(secret.slice(0, 8))).toBe(false);
  },
);
