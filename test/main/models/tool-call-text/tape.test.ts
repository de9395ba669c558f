import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Reader, Tape } from '#main/models/tool-call-text/tape.ts';
import { trials } from '../../../setup/sampling.ts';

/** Marks that overlap, begin alike and hold each other. */
const MARKS = ['<a>', '<ab>', 'b><', '<', '\n', 'aa', 'abab', '<ab></ab><a>'];
const texts = fc
  .array(fc.constantFrom('<', '>', 'a', 'b', '<a>', 'ab', '\n', '</ab>', '<ab></ab><a>'), {
    maxLength: 40,
  })
  .map((parts) => parts.join(''));
const sizes = fc.array(fc.integer({ min: 1, max: 30 }), { minLength: 1, maxLength: 8 });
const needles = fc.uniqueArray(fc.constantFrom(...MARKS), { minLength: 1, maxLength: 4 });

describe('a search', () => {
  it('finds the first of some marks from anywhere, however the text is cut and whatever was sought before', () => {
    const search = fc.record({ needles, share: fc.double({ min: 0, max: 1, noNaN: true }) });
    const searches = fc.array(search, { minLength: 1, maxLength: 8 });
    const property = fc.property(texts, sizes, searches, (text, cuts, asked) => {
      const found = run(text, cuts, function* (tape) {
        const answers: unknown[] = [];
        for (const { needles: sought, share } of asked) {
          tape.position = Math.min(Math.floor(share * text.length), tape.length);
          const from = tape.position;
          const hit = yield* tape.until(sought);
          answers.push([from, hit, tape.position]);
        }
        return answers;
      });
      const expected = (found as [number, unknown, number][]).map(([from], index) => {
        const { hit, at } = firstOf(text, asked[index]?.needles ?? [], from);
        return [from, hit, at];
      });
      expect(found).toEqual(expected);
    });
    fc.assert(property, trials(2_000, { name: 'searches in answers', size: 500 }));
  });

  it('copies what comes before the first mark, and nothing of the mark', () => {
    const property = fc.property(texts, sizes, needles, (text, cuts, sought) => {
      let copied = '';
      const hit = run(text, cuts, (tape) =>
        tape.copyUntil(sought, (part) => {
          copied += part;
        }),
      );
      const expected = firstOf(text, sought, 0);
      expect([hit, copied]).toEqual([expected.hit, text.slice(0, expected.at)]);
    });
    fc.assert(property, trials(2_000, { name: 'copies up to a mark', size: 500 }));
  });

  it('finds a mark that begins in a short chunk behind a long one', () => {
    const tape = new Tape();
    for (const chunk of ['b'.repeat(30), '<ab></ab>', '<a>']) tape.append(chunk);
    tape.position = 2;
    const step = tape.until(['<ab></ab><a>']).next();
    expect([step.value, tape.position]).toEqual(['<ab></ab><a>', 30]);
  });

  it('gives up past its limit without waiting for the end', () => {
    const tape = new Tape();
    tape.append(`${'a'.repeat(11)}<a>`);
    expect(tape.until(['<a>'], 10).next()).toEqual({ done: true, value: null });
    tape.position = 1;
    expect(tape.until(['<a>'], 10).next()).toEqual({ done: true, value: '<a>' });
  });
});

it('counts what is read, not what is searched, and the same in any chunks', () => {
  const property = fc.property(texts, sizes, (text, cuts) => {
    const consumed = run(text, cuts, function* (tape) {
      yield* tape.skipSpace('<a');
      const start = tape.position;
      yield* tape.until(['b']);
      tape.position = start;
      yield* tape.skipSpace('ab<>');
      return tape.consumed;
    });
    const first = /^[<a\s]*/.exec(text)?.[0].length ?? 0;
    const again = /^[ab<>\s]*/.exec(text.slice(first))?.[0].length ?? 0;
    expect(consumed).toBe(first + again);
  });
  fc.assert(property, trials(1_000, { name: 'readings that are counted', size: 300 }));
});

function run<T>(text: string, cuts: readonly number[], reading: (tape: Tape) => Reader<T>): T {
  const tape = new Tape();
  const reader = reading(tape);
  for (let at = 0, turn = 0; at < text.length; turn += 1) {
    const size = cuts[turn % cuts.length] ?? 1;
    tape.append(text.slice(at, at + size));
    at += size;
    const step = reader.next();
    if (step.done === true) return step.value;
  }
  tape.end(false);
  const last = reader.next();
  if (last.done !== true) throw new Error('A reader waits for more of an answer that is over');
  return last.value;
}

/** What a search is to find, looked for in the simplest way. */
function firstOf(
  text: string,
  sought: readonly string[],
  from: number,
): { readonly hit: string | null; readonly at: number } {
  for (let at = from; at < text.length; at += 1) {
    const hit = sought.find((mark) => text.startsWith(mark, at));
    if (hit !== undefined) return { hit, at };
  }
  return { hit: null, at: text.length };
}
