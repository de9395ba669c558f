import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findPersonalData } from '#main/guardrails/personal-data.ts';
import { type Match, RedactorStream } from '#main/guardrails/redactor-stream.ts';
import { PERSONAL_SPANS, SECRET_SPANS } from '#main/guardrails/span-grammar.ts';
import { testGuards } from '../../fakes/fake-guards.ts';
import { readGuardCases } from '../../fakes/guard-cases.ts';
import { trials } from '../../setup/sampling.ts';

const CASES = ['tuned', 'held-out']
  .flatMap((name) => readGuardCases(`test/fixtures/guardrails/${name}.jsonl`))
  .filter(({ place }) => place === 'output');
const PIECES = [
  ...CASES.flatMap(({ attack, twin }) => [attack, twin]),
  ...[
    '4111 1111',
    ' 1111 1111',
    '-----BEGIN',
    ' RSA ',
    'PRIVATE KEY-----\n',
    'sk-',
    '@',
    '. ',
    '\n',
  ],
  ...[
    'a'.repeat(600),
    '7'.repeat(700),
    '12 34 '.repeat(150),
    'bomb',
    ' make ',
    'mustard gas',
    '炸弹',
  ],
  ...['é', '😀', '\ud83d', '(', '+49 30 ', 'x@y.zz', 'word '],
];

/** Texts of awkward pieces, and a way to cut each. */
const cutTexts = fc
  .array(fc.constantFrom(...PIECES), { minLength: 1, maxLength: 8 })
  .map((pieces) => pieces.join(''))
  .chain((text) =>
    fc.tuple(
      fc.constant(text),
      fc.array(fc.nat({ max: text.length }), { maxLength: 30 }).map((cuts) => {
        const at = [0, ...cuts.sort((a, b) => a - b), text.length];
        return at.slice(1).map((end, i) => text.slice(at[i], end));
      }),
    ),
  );

function shown(pieces: readonly string[], stream: 'text' | 'reasoning' = 'text') {
  const guard = testGuards().openOutput(() => false);
  if (guard === null) throw new Error('It is on by default');
  const given = pieces.map((piece) => guard[stream](piece));
  const rest = stream === 'text' ? guard.endText() : guard.endReasoning();
  const rules = guard.findings.map(({ rule }) => rule).sort();
  return { text: given.join('') + rest, rules, blocked: guard.blocked?.rule ?? null };
}

const personal = (search: (span: string) => readonly Match[] = findPersonalData) =>
  new RedactorStream({ spans: PERSONAL_SPANS, mayHold: () => true, search }, NOTHING_SEEN);
const NOTHING_SEEN = { isKnown: () => false, onFound: () => undefined, onFailure: () => undefined };

describe('a stream of text', () => {
  it('comes out the same however it was cut, as text and as thinking', () => {
    fc.assert(
      fc.property(cutTexts, ([text, pieces]) => {
        expect(shown(pieces)).toEqual(shown([text]));
        expect(shown(pieces, 'reasoning')).toEqual(shown([text], 'reasoning'));
      }),
      trials(1500, { name: 'redacted streams', size: 300 }),
    );
  });

  it('comes out the same letter by letter for every case of the sets', () => {
    for (const { attack, twin } of CASES) {
      for (const text of [attack, twin]) expect(shown([...text])).toEqual(shown([text]));
    }
  });

  it('loses nothing where nothing is found', () => {
    fc.assert(
      fc.property(cutTexts, ([text, pieces]) => {
        for (const spans of [PERSONAL_SPANS, SECRET_SPANS]) {
          const stream = new RedactorStream(
            { spans, mayHold: () => true, search: () => [] },
            NOTHING_SEEN,
          );
          const given = pieces.map((piece) => stream.push(piece)).join('') + stream.end();
          if (!/BEGIN [A-Z ]*PRIVATE KEY/.test(text)) expect(given).toBe(text);
        }
      }),
      trials(500, { name: 'streams without findings', size: 200 }),
    );
  });

  it('withholds no more than could be the beginning of a match', () => {
    const stream = personal();
    let given = 0;
    let fed = 0;
    let most = 0;
    const text = `${CASES.map(({ attack }) => attack).join(' ')} ${'a'.repeat(2_000)} ${'4 '.repeat(900)}`;
    for (const letter of text.replace(/-----BEGIN[\s\S]*?-----END [A-Z ]+-----/g, '')) {
      fed += letter.length;
      given += stream.push(letter).length;
      most = Math.max(most, fed - given);
    }
    // Redacted text is shorter than the original: that is not withheld text.
    expect(most).toBeLessThan(1_200);
    const words = personal();
    expect(words.push('Hello you, how are')).toBe('Hello you, how ');
    expect(words.push(' you? 4111 1111 11')).toBe('are you? ');
    expect(words.push('11 1111. Well')).toBe('[redacted: credit card]. ');
    expect(words.end()).toBe('Well');
  });

  it('removes a whole private key, with or without its end, and nothing around it', () => {
    const line = 'MIIEpAIBAAKCAQEAvR3x5b7c9d1e2f3g4h5i6j7k8l9m0n1o2p3q4r5s6t7u8v9w';
    const head = ['-----BEGIN', 'RSA', 'PRIVATE', 'KEY-----'].join(' ');
    const key = `${head}\n${`${line}\n`.repeat(30)}AB==\n${head.replace('BEGIN', 'END')}`;
    expect(shown([`Here:\n${key}\nKeep it.`]).text).toBe(
      'Here:\n[redacted: private key]\nKeep it.',
    );
    expect(shown([`Here: ${key.slice(0, 900)}`]).text).toBe('Here: [redacted: private key]');
    const cut = `${head}\n${line}\n${line}\n\nThat is all, it was cut.`;
    expect(shown([cut]).text).toBe('[redacted: private key]\n\nThat is all, it was cut.');
    expect(shown([`${key.replaceAll('\n', '\\n')}"}`]).text).toBe('[redacted: private key]"}');
  });

  it('redacts a key that is longer than a span', () => {
    const jwt = `eyJ${'aB3dE5'.repeat(20)}.eyJ${'xY7_'.repeat(400)}.${'Q9'.repeat(30)} end`;
    expect(shown([...jwt]).text).toBe('[redacted: JSON web token] end');
  });

  it('shows nothing of a harmful sentence from its first trigger word on, nor after it', () => {
    const text = 'Sure. Here is how to build a bomb: take a cooker. Then wait.';
    const expected = { text: 'Sure. Here is how to build a ', blocked: 'harmful_weapon' };
    expect(shown([text])).toMatchObject(expected);
    expect(shown([...text])).toMatchObject(expected);
    // What a model thinks is its own: it may think about what it must not do.
    expect(shown([text], 'reasoning')).toMatchObject({ text, blocked: null });
  });

  it('passes unchanged under warn, and reports the findings', () => {
    const guard = testGuards({ guardrailsAction: 'warn' }).openOutput(() => false);
    const text = 'Card 4111 1111 1111 1111. To make sarin, first stir.';
    expect((guard?.text(text) ?? '') + (guard?.endText() ?? '')).toBe(text);
    expect(guard?.findings.map(({ rule }) => rule)).toEqual([
      'output_credit_card',
      'harmful_weapon',
    ]);
    expect(guard?.blocked).toBe(null);
  });
});
