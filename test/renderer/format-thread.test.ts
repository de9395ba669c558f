import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type CodeQuestion, FormatThread } from '#renderer/formatting/format-thread.ts';

const LIMIT_MS = 1_000;

/** A worker that answers when the test says so. */
class HeldWorker extends EventTarget {
  readonly asked: unknown[] = [];
  ended = false;

  postMessage(question: unknown): void {
    this.asked.push(question);
  }
  terminate(): void {
    this.ended = true;
  }
  answer(formatted: unknown): void {
    this.dispatchEvent(new MessageEvent('message', { data: { formatted } }));
  }
}

function code(text: string, growing = false): CodeQuestion {
  return { kind: 'code', code: text, language: 'js', growing };
}

describe('the thread that formats', () => {
  let workers: HeldWorker[];
  let thread: FormatThread;
  let answers: [string, unknown][];
  const ask = (question: CodeQuestion): (() => void) =>
    thread.ask(question, (formatted) => answers.push([question.code, formatted]));

  beforeEach(() => {
    vi.useFakeTimers();
    workers = [];
    answers = [];
    thread = new FormatThread(() => {
      const worker = new HeldWorker();
      workers.push(worker);
      return worker as unknown as Worker;
    }, LIMIT_MS);
  });
  afterEach(() => {
    vi.useRealTimers();
    vi.restoreAllMocks();
  });

  it('asks one question after another, and keeps the answers', () => {
    ask(code('a'));
    ask(code('b'));
    expect(workers[0]?.asked).toEqual([code('a')]);
    workers[0]?.answer(['A']);
    workers[0]?.answer(['B']);
    expect(answers).toEqual([
      ['a', ['A']],
      ['b', ['B']],
    ]);
    expect(thread.kept(code('a'))).toEqual(['A']);
    expect(thread.kept(code('c'))).toBeUndefined();
  });

  it('does not start a withdrawn question', () => {
    ask(code('a'));
    const takeBack = ask(code('b'));
    ask(code('c'));
    takeBack();
    workers[0]?.answer(['A']);
    expect(workers[0]?.asked).toEqual([code('a'), code('c')]);
  });

  it('ends a worker that takes too long, and asks a new one for the rest', () => {
    ask(code('endless'));
    ask(code('b'));
    vi.advanceTimersByTime(LIMIT_MS);
    expect(answers).toEqual([['endless', null]]);
    expect(workers.map(({ ended }) => ended)).toEqual([true, false]);
    // Too late: it belongs to another question.
    workers[0]?.answer(['late']);
    workers[1]?.answer(['B']);
    expect(answers.at(-1)).toEqual(['b', ['B']]);
    expect(thread.kept(code('endless'))).toBeNull();
  });

  it('retries a growing text that took too long only once it is complete', () => {
    ask(code('endless', true));
    vi.advanceTimersByTime(LIMIT_MS);
    ask(code('endless and more', true));
    expect(answers.at(-1)).toEqual(['endless and more', null]);
    expect(workers).toHaveLength(1);
    ask(code('endless and more'));
    expect(workers[1]?.asked).toEqual([code('endless and more')]);
  });

  it('shows texts unformatted where no worker can be started', () => {
    const warned = vi.spyOn(console, 'warn').mockImplementation(() => undefined);
    ask(code('a'));
    workers[0]?.dispatchEvent(new Event('error'));
    expect(answers).toEqual([['a', null]]);
    expect(warned).toHaveBeenCalledOnce();
  });
});
