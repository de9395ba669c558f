import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { RunEventDraft } from '#contract/events/run-event.ts';
import { joinDrafts, MAX_EVENT_TEXT, splitDraft } from '#main/run/coalesce.ts';
import { trials } from '../../setup/sampling.ts';
import { question, token } from './support.ts';

const output = (offset: number, text: string, commandId = 'x'): RunEventDraft => ({
  type: 'terminal_output',
  commandId,
  offset,
  text,
});

describe('joinDrafts', () => {
  test('joins neighbours of one stream and nothing else', () => {
    expect([
      joinDrafts(token('a'), token('b')),
      joinDrafts(output(0, 'ab'), output(2, 'c')),
      joinDrafts(token('a', 'm1'), token('b', 'm2')),
      joinDrafts(token('a'), { type: 'reasoning', messageId: 'm', text: 'b' }),
      joinDrafts(output(0, 'ab'), output(3, 'gap')),
      joinDrafts(output(0, 'ab'), output(2, 'c', 'y')),
      joinDrafts(output(0, 'ab'), { type: 'terminal_error', commandId: 'x', offset: 2, text: 'c' }),
      joinDrafts(question, question),
      joinDrafts(token('a'), question),
    ]).toEqual([token('ab'), output(0, 'abc'), null, null, null, null, null, null, null]);
  });

  test('stops at the limit of an event', () => {
    const full = 'x'.repeat(MAX_EVENT_TEXT);
    expect([
      joinDrafts(token(full), token('y')),
      joinDrafts(token(full.slice(1)), token('y')),
    ]).toEqual([null, token(`${full.slice(1)}y`)]);
  });
});

describe('splitDraft', () => {
  test('leaves out empty pieces and leaves other events alone', () => {
    expect([splitDraft(token('')), splitDraft(token('a')), splitDraft(question)]).toEqual([
      [],
      [token('a')],
      [question],
    ]);
  });

  test('cuts long text into bounded pieces that give it back, with true offsets and whole characters', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary', minLength: 1, maxLength: 40 }),
        fc.integer({ min: 1, max: 3 }),
        fc.integer({ min: 0, max: 1000 }),
        (unit, times, offset) => {
          const text = unit.repeat(Math.ceil((MAX_EVENT_TEXT * times) / unit.length) + 1);
          const pieces = splitDraft(output(offset, text));
          let next = offset;
          for (const piece of pieces) {
            if (piece.type !== 'terminal_output') throw new Error('Another type');
            expect(piece.offset).toBe(next);
            expect(piece.text.length).toBeLessThanOrEqual(MAX_EVENT_TEXT);
            // No half of a character at the seam, unless the program printed one.
            expect(piece.text.isWellFormed()).toBe(
              unit.isWellFormed() || piece.text.isWellFormed(),
            );
            next += piece.text.length;
          }
          expect(pieces.map((piece) => ('text' in piece ? piece.text : '')).join('')).toBe(text);
        },
      ),
      trials(50, { name: 'streams of tokens', size: 50 }),
    );
  });
});
