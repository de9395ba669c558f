import { describe, expect, it } from 'vitest';
import { hasHidden, makeVisible } from '#contract/visible-text.ts';
import { promptText } from '#main/connectors/server-offers.ts';
import {
  assistant,
  blob,
  DEEP,
  failureOf,
  forEach,
  HIDDEN,
  LONG,
  NOTHINGS,
  numbered,
  PNG,
  promptOf,
  text,
  user,
} from '../../fakes/connectors/offers.ts';

describe('the text of a prompt', () => {
  it('is what server-everything says', () => {
    const simple = 'This is a simple prompt without arguments.';
    expect(promptText('everything', 'simple-prompt', { messages: [user(text(simple))] })).toBe(
      simple,
    );
    const uri = 'demo://resource/dynamic/text/1';
    const embedded = (resource: object) =>
      promptText('everything', 'resource-prompt', {
        description: 'A prompt that includes an embedded resource reference',
        messages: [
          user(text('Please analyze the following resource:')),
          user({ type: 'resource', resource: { uri, mimeType: 'text/plain', ...resource } }),
        ],
      });
    expect(embedded({ text: 'Resource 1' })).toBe(
      `Please analyze the following resource:\n\n${uri}:\nResource 1`,
    );
    expect(embedded({ blob: blob('Resource 1') })).toBe(
      `Please analyze the following resource:\n\n(data of ${uri})`,
    );
  });

  it('says who speaks where one of the messages is of the assistant', () => {
    expect(
      promptOf(
        user(text('Get the last 10 issues of octocat/hello.')),
        assistant(text('Sure! I will get them.')),
        user([text('Thanks.')]),
      ),
    ).toBe(
      'User: Get the last 10 issues of octocat/hello.\n\nAssistant: Sure! I will get them.\n\nUser: Thanks.',
    );
    expect(promptOf(assistant(text('Hello')))).toBe('Assistant: Hello');
    expect(promptOf(user(text('one')), user(text('two')))).toBe('one\n\ntwo');
  });

  it('knows no other speakers', () => {
    const roles = ['system', 'ASSISTANT', '', 'constructor', '__proto__', 5, null, undefined, {}];
    forEach([...roles, [], ['assistant'], DEEP], (role, label) => {
      const odd = { role, content: text('two') };
      expect(promptOf(user(text('one')), odd), label).toBe('one\n\ntwo');
      expect(promptOf(assistant(text('one')), odd), label).toMatch(
        /^Assistant: one\n\n(?:User|Assistant): two$/,
      );
    });
  });

  it('shows or names parts of every kind', () => {
    const parts: readonly (readonly [part: object, shown: string])[] = [
      [
        { type: 'image', data: blob(PNG), mimeType: 'image/png' },
        '(a picture that cannot be shown: image/png)',
      ],
      [
        { type: 'audio', data: 'AAAA', mimeType: 'audio/wav' },
        '(a sound that cannot be played: audio/wav)',
      ],
      [{ type: 'resource_link', uri: 'file:///a.md', name: 'A' }, '(a link to file:///a.md: A)'],
      [{ type: 'resource', resource: { uri: 'a://b', text: 'inside' } }, 'a://b:\ninside'],
      [{ type: 'resource', resource: { uri: 'a://b', blob: 'AAAA' } }, '(data of a://b)'],
      [{ type: 'video' }, '(a part of an unknown kind: video)'],
    ];
    forEach(parts, ([part, shown], label) => {
      expect([promptOf(user(part)), promptOf(user([part]))], label).toEqual([shown, shown]);
      expect(promptOf(user(text('before')), user(part)), label).toBe(`before\n\n${shown}`);
      const between = promptOf(user([text('before'), part, text('after')]));
      expect(between.replaceAll(/\n+/g, '\n'), label).toBe(`before\n${shown}\nafter`);
    });
  });

  it('is trimmed, and keeps the lines between', () => {
    expect(promptOf(user(text('\n  one\n\n  two \n')))).toBe('one\n\n  two');
    expect(promptOf(user(text('  one')), user(text('two  ')))).toBe('one\n\ntwo');
  });

  it('shows hidden characters of every part', () => {
    expect(promptOf(user(text(`x${HIDDEN}`)))).toBe(`x${makeVisible(HIDDEN)}`);
    const made = promptOf(
      user(text(HIDDEN)),
      assistant([
        { type: 'image', mimeType: HIDDEN, data: 'AAAA' },
        { type: 'resource_link', uri: HIDDEN, name: HIDDEN },
        { type: 'resource', resource: { uri: HIDDEN, text: HIDDEN } },
        { type: HIDDEN },
      ]),
    );
    expect(hasHidden(made.replaceAll('⟨U+', ''))).toBe(false);
    expect(made.startsWith(`User: ${makeVisible(HIDDEN)}\n\nAssistant: (`)).toBe(true);
  });

  it.each(['x', '\u200b', '\u{e0041}', '😀', '\ud800'])('is bounded: %j', (unit) => {
    const words = unit.repeat(250_000);
    const embedded = { type: 'resource', resource: { uri: words, text: words } };
    for (const made of [
      promptOf(user(text(words))),
      promptOf(...numbered(2_500, () => assistant(text(unit.repeat(100))))),
      promptOf(user(numbered(2_500, () => text(unit.repeat(100))))),
      promptOf(...numbered(5, () => user([embedded, embedded]))),
    ]) {
      expect(made.length).toBeGreaterThan(190_000);
      expect(made.length).toBeLessThan(201_000);
    }
  });

  it.each<[string, readonly unknown[]]>([
    ['no result', [...NOTHINGS, { contents: [{ uri: 'a://1', text: 'x' }] }]],
    [
      'no messages',
      NOTHINGS.filter((one) => !Array.isArray(one)).map((messages) => ({ messages })),
    ],
    ['an empty list', [{ messages: [] }]],
    ['no parts', [{ messages: [user([])] }, { messages: [user([]), assistant([])] }]],
    [
      'only empty texts',
      ['', ' ', '\n\n \t'].flatMap((words) => [
        { messages: [user(text(words))] },
        { messages: [user([text(words), text(words)]), user(text(words))] },
        { messages: [user(text(words)), assistant(text(words))] },
      ]),
    ],
  ])('is missing: %s', (_, results) => {
    forEach(results, (result, label) => {
      const { message } = failureOf(() => promptText('github', 'triage', result), label);
      expect(message, label).toContain('github');
      expect(message, label).toContain('triage');
    });
  });

  it('is missing with an error of bounded length', () => {
    failureOf(() => promptText('github', LONG, null));
    failureOf(() => promptText('github', LONG, { messages: [], description: LONG }));
  });

  it('is not hidden by broken messages or parts', () => {
    const odd = [...NOTHINGS, { type: 'text' }, { type: 'text', text: 5 }, { type: 'resource' }];
    forEach(odd, (broken, label) => {
      for (const made of [
        promptOf(user(text('one')), broken, user(text('two'))),
        promptOf(user([text('one'), broken, text('two')])),
        promptOf(user(text('one')), user(broken), user(text('two'))),
      ]) {
        expect(made, label).toMatch(/^one\n[\s\S]*two$/);
      }
    });
  });
});
