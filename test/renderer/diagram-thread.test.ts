import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type DiagramQuestion, readAnswer } from '#renderer/formatting/diagram-messages.ts';
import { DiagramThread, type DrawingResult } from '#renderer/formatting/diagram-thread.ts';

const DRAWING = { svg: '<svg/>', width: 10, height: 20, kind: 'pie', title: 'Pets' };
const light = (source: string): DiagramQuestion => ({ source, dark: false });

describe('the thread that draws diagrams', () => {
  interface Frame {
    readonly asked: string[];
    ended: boolean;
    /** Anything at all. */
    say(message: unknown): void;
    /** The answer to the last question. */
    answer(drawing: unknown): void;
  }
  let frames: Frame[];
  let thread: DiagramThread;
  let results: [string, DrawingResult][];
  const ask = (source: string): (() => void) =>
    thread.ask(light(source), (result) => results.push([source, result]));

  beforeEach(() => {
    vi.useFakeTimers();
    frames = [];
    results = [];
    thread = new DiagramThread((heard) => {
      let last = 0;
      const answer = (drawing: unknown) => heard({ number: last, drawing });
      const frame: Frame = { asked: [], ended: false, say: heard, answer };
      frames.push(frame);
      return {
        ask: ({ source, number }) => {
          last = number;
          frame.asked.push(source);
        },
        end: () => {
          frame.ended = true;
        },
      };
    });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it('asks a frame that is ready, one question after another, and keeps the results', () => {
    ask('a');
    ask('b');
    expect(frames[0]?.asked).toEqual([]);
    frames[0]?.say({ ready: true });
    expect(frames[0]?.asked).toEqual(['a']);
    frames[0]?.answer(DRAWING);
    expect(frames[0]?.asked).toEqual(['a', 'b']);
    frames[0]?.answer(null);
    expect(results).toEqual([
      ['a', DRAWING],
      ['b', 'failed'],
    ]);
    ask('a');
    expect(results.at(-1)).toEqual(['a', DRAWING]);
    expect(thread.kept({ source: 'a', dark: true })).toBeUndefined();
    expect(frames).toHaveLength(1);
  });

  it('draws equal questions once, counts what it keeps once, and keeps the next one, too', () => {
    const large = { ...DRAWING, svg: `<svg${'x'.repeat(400_000)}` };
    for (let count = 0; count < 11; count++) ask('same');
    frames[0]?.say({ ready: true });
    frames[0]?.answer(large);
    expect(frames[0]?.asked).toEqual(['same']);
    expect(results).toEqual(Array.from({ length: 11 }, () => ['same', large]));
    ask('b');
    frames[0]?.answer(DRAWING);
    expect(thread.kept(light('same'))).toEqual(large);
    expect(thread.kept(light('b'))).toEqual(DRAWING);
  });

  it('answers thousands of equal questions, and those who ask while they are answered', () => {
    for (let count = 0; count < 20_000; count++) ask('same');
    thread.ask(light('same'), () => ask('b'));
    ask('c');
    frames[0]?.say({ ready: true });
    frames[0]?.answer(DRAWING);
    expect(results).toHaveLength(20_000);
    frames[0]?.answer(DRAWING);
    frames[0]?.answer(DRAWING);
    expect(frames[0]?.asked).toEqual(['same', 'c', 'b']);
    expect(results.slice(20_000).map(([source]) => source)).toEqual(['c', 'b']);
  });

  it('takes no second answer of one question for the answer of the next', () => {
    ask('a');
    ask('b');
    frames[0]?.say({ ready: true });
    const forged = { ...DRAWING, title: 'Forged' };
    frames[0]?.say({ number: 1, drawing: DRAWING });
    frames[0]?.say({ number: 1, drawing: forged });
    frames[0]?.say({ drawing: forged });
    frames[0]?.say('ready');
    expect(results).toEqual([['a', DRAWING]]);
    frames[0]?.answer(null);
    expect(results.at(-1)).toEqual(['b', 'failed']);
  });

  it('ends a frame that takes too long, does not hear it any more, and goes on with another', () => {
    ask('slow');
    ask('b');
    frames[0]?.say({ ready: true });
    vi.advanceTimersByTime(20_000);
    frames[0]?.answer(DRAWING);
    expect(frames[0]?.ended).toBe(true);
    expect(results).toEqual([['slow', 'too-slow']]);
    frames[1]?.say({ ready: true });
    frames[1]?.answer(DRAWING);
    expect(results.at(-1)).toEqual(['b', DRAWING]);
  });

  it('draws nothing more after five that took too long', () => {
    for (let count = 0; count < 100; count++) ask(`slow ${count}`);
    for (let count = 0; count < 5; count++) {
      frames[count]?.say({ ready: true });
      vi.advanceTimersByTime(20_000);
    }
    expect(frames.map(({ ended }) => ended)).toEqual([true, true, true, true, true]);
    expect(results.map(([, result]) => result)).toEqual([
      ...Array.from({ length: 5 }, () => 'too-slow'),
      ...Array.from({ length: 95 }, () => 'off'),
    ]);
    expect(thread.kept(light('slow 0'))).toBe('too-slow');
  });

  it('opens a frame that does not load again', () => {
    ask('a');
    vi.advanceTimersByTime(20_000);
    expect(frames.map(({ ended }) => ended)).toEqual([true, false]);
    frames[0]?.say({ ready: true });
    expect(frames.flatMap(({ asked }) => asked)).toEqual([]);
    frames[1]?.say({ ready: true });
    frames[1]?.answer(DRAWING);
    expect(results).toEqual([['a', DRAWING]]);
  });

  it('does not wait for ever for a frame that does not load', () => {
    ask('a');
    vi.advanceTimersByTime(60_000);
    expect(frames.map(({ ended }) => ended)).toEqual([true, true, true]);
    expect(results).toEqual([['a', 'too-slow']]);
  });

  it('ends the frame when it is not needed, and draws nothing that is withdrawn or too long', () => {
    ask('a');
    const withdraw = ask('b');
    ask('x'.repeat(20_001));
    withdraw();
    frames[0]?.say({ ready: true });
    frames[0]?.answer(DRAWING);
    expect(frames[0]?.asked).toEqual(['a']);
    expect(results.map(([, result]) => result)).toEqual(['too-long', DRAWING]);
    vi.advanceTimersByTime(30_000);
    expect(frames[0]?.ended).toBe(true);
  });

  it('takes no answer before its question, and no second one', () => {
    ask('a');
    frames[0]?.answer(DRAWING);
    expect(results).toEqual([]);
    frames[0]?.say({ ready: true });
    frames[0]?.say({ ready: true });
    frames[0]?.answer(DRAWING);
    frames[0]?.answer({ ...DRAWING, title: 'Later' });
    expect(frames[0]?.asked).toEqual(['a']);
    expect(results).toEqual([['a', DRAWING]]);
  });
});

describe('what the frame says', () => {
  const read = (change: object): unknown =>
    readAnswer({ number: 7, drawing: { ...DRAWING, ...change } });

  it.each([null, 'ready', {}, { drawing: DRAWING }, { number: '7', drawing: DRAWING }])(
    'answers nothing where it names no question: %o',
    (message) => {
      expect(readAnswer(message)).toBeNull();
    },
  );

  it.each([
    {},
    { drawing: null },
    { drawing: 'x' },
    { drawing: { ...DRAWING, svg: 1 } },
    { drawing: { ...DRAWING, svg: '<html>' } },
    { drawing: { ...DRAWING, svg: `<svg>${'x'.repeat(3_000_000)}` } },
    { drawing: { ...DRAWING, width: Number.NaN } },
    { drawing: { ...DRAWING, height: 1e9 } },
    { drawing: { ...DRAWING, height: '10' } },
  ])('is no drawing where it has another form: %o', (message) => {
    expect(readAnswer({ number: 7, ...message })).toEqual({ number: 7, drawing: null });
  });

  it('is taken over by its known parts, and these in bounds', () => {
    expect(read({ more: 1, kind: 7, title: 'x'.repeat(999) })).toEqual({
      number: 7,
      drawing: { ...DRAWING, kind: '', title: 'x'.repeat(300) },
    });
  });
});
