import { describe, expect, it } from 'vitest';
import { hasHidden } from '#contract/visible-text.ts';
import { toAnswer } from '#main/connectors/call-answer.ts';

type Result = Parameters<typeof toAnswer>[1];

const answer = (content: unknown, more: Readonly<Record<string, unknown>> = {}) =>
  toAnswer('tool', { content, ...more } as Result);
const text = (value: unknown) => ({ type: 'text', text: value });
const picture = (bytes: number, mimeType = 'image/png') => ({
  ...{ type: 'image', mimeType, data: Buffer.alloc(bytes, 1).toString('base64') },
});

it('joins texts, and names what cannot be shown', () => {
  const made = answer([
    ...[text('one'), text('two')],
    { type: 'audio', data: 'AAAA', mimeType: 'audio/wav' },
    { type: 'resource_link', uri: 'file:///etc/passwd', name: 'Notes' },
    { type: 'resource', resource: { uri: 'a://b', text: 'inside' } },
    { type: 'resource', resource: { uri: 'a://c', blob: 'AAAA' } },
  ]);
  expect(made.text.split('\n')).toEqual([
    ...['one', 'two', '(a sound that cannot be played: audio/wav)'],
    ...['(a link to file:///etc/passwd: Notes)', 'a://b:', 'inside', '(data of a://c)'],
  ]);
  expect([made.isError, made.pictures, 'data' in made]).toEqual([false, [], false]);
});

it('gives structured content as data, and as text where there is no other', () => {
  const structuredContent = { rows: [1, 2] };
  expect(answer([], { structuredContent })).toMatchObject({
    ...{ text: '{"rows":[1,2]}', data: structuredContent },
  });
  expect(answer([text('rows')], { structuredContent })).toMatchObject({
    ...{ text: 'rows', data: structuredContent },
  });
  expect(answer([text('x')], { isError: true }).isError).toBe(true);
  expect(answer([text('x')], { isError: 'true' }).isError).toBe(false);
});

describe('pictures', () => {
  it('takes four, of known kinds and no more than 8 MB', () => {
    const made = answer([
      ...[picture(4), picture(4, 'image/svg+xml'), picture(4, 'IMAGE/PNG\n'), picture(9_000_000)],
      ...[picture(4), picture(4), picture(4), picture(4)],
    ]);
    expect(made.pictures.map(({ name, bytes }) => [name, bytes.length])).toEqual(
      [1, 2, 3, 4].map((at) => [`tool ${at}`, 4]),
    );
    expect(made.text.match(/a picture that cannot be shown/g)).toHaveLength(4);
  });

  it('takes none without bytes', () => {
    for (const data of ['', '!!!!', '=']) {
      const made = answer([{ type: 'image', mimeType: 'image/png', data }]);
      expect([made.pictures, made.text]).toEqual([[], expect.stringContaining('cannot be shown')]);
    }
  });
});

it('bounds the text, also where hidden characters become names', () => {
  for (const one of ['x', '\u200b', '\u{e0041}', '😀']) {
    expect(answer([text(one.repeat(1_000_000))]).text.length).toBeLessThan(201_000);
    expect(
      answer(Array.from({ length: 3_000 }, () => text(one.repeat(100)))).text.length,
    ).toBeLessThan(201_000);
  }
  expect(answer([text('x'.repeat(300_000))]).text).toMatch(/the rest was left off/);
});

it('shows hidden characters of every part by their names', () => {
  const bad = 'a\u202eb\u200b\0\u{e0041}';
  const made = answer(
    [
      ...[text(bad), { type: 'audio', mimeType: bad, data: '' }],
      { type: 'image', mimeType: bad, data: 'AAAA' },
      { type: 'resource_link', uri: bad, name: bad },
      { type: 'resource', resource: { uri: bad, text: bad } },
    ],
    { structuredContent: { a: bad } },
  );
  expect(hasHidden(made.text.replaceAll('⟨U+', ''))).toBe(false);
  expect(made.text).toContain('a⟨U+202E⟩b⟨U+200B⟩⟨U+0000⟩⟨U+E0041⟩');
});

it.each([
  ...['video', 'constructor', '__proto__', '', 'TEXT', 5, null, undefined, {}].map((type) => ({
    type,
  })),
  ...[null, undefined, 5, 'text', [], {}],
  ...[{ type: 'text' }, { type: 'text', text: 5 }, { type: 'image' }, { type: 'image', data: 5 }],
  ...[{ type: 'image', data: 'AAAA' }, { type: 'audio' }, { type: 'resource_link' }],
  ...[
    { type: 'resource' },
    { type: 'resource', resource: null },
    { type: 'resource', resource: {} },
  ],
])('does not fail at the part %j', (part) => {
  expect(answer([text('before'), part, text('after')]).text).toMatch(/^before\n[\s\S]*after$/);
});

it.each([null, undefined, 'x', {}])('does not fail at the content %j', (content) => {
  expect(typeof answer(content).text).toBe('string');
});
