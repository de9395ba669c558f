import type { CitedWorks } from './citations.ts';
import type { HighlightedSpan } from './highlight.ts';
import type { MarkdownTree } from './markdown-tree.ts';

export interface MarkdownQuestion {
  readonly kind: 'markdown';
  readonly source: string;
  /** What numbers in brackets refer to; null where they are plain text. */
  readonly works: CitedWorks | null;
  /** More of it is on its way. */
  readonly growing: boolean;
}

export interface CodeQuestion {
  readonly kind: 'code';
  readonly code: string;
  readonly language: string;
  readonly growing: boolean;
}

export type FormatQuestion = MarkdownQuestion | CodeQuestion;
export type Formatted<Q extends FormatQuestion> = Q extends MarkdownQuestion
  ? MarkdownTree
  : readonly HighlightedSpan[];

export interface FormatAnswer {
  /** Null for what cannot be formatted. */
  readonly formatted: Formatted<FormatQuestion> | null;
}

interface Job {
  readonly question: FormatQuestion;
  readonly settle: (formatted: FormatAnswer['formatted']) => void;
}

/** Some texts of 60 kB take the parsers of Markdown and of code half a minute and more. */
const LIMIT_MS = 5_000;
/** Rows that leave the screen and come back find their text formatted. */
const KEPT = 100;
const KEPT_CHARS = 2_000_000;

/**
 * Formats long Markdown and code in a worker, one text at a time, so that no text of a model, a file or
 * a page can stop the window. The worker is started for the first text, and ended when a text takes
 * longer than the limit.
 */
export class FormatThread {
  readonly #start: () => Worker;
  readonly #limitMs: number;
  #worker: Worker | null = null;
  #running: Job | null = null;
  #waiting: Job[] = [];
  #timer: ReturnType<typeof setTimeout> | undefined;
  readonly #kept = new Map<string, FormatAnswer['formatted']>();
  #keptChars = 0;
  /** A growing text that could not be formatted; its longer versions are not tried. */
  #hopeless: string | null = null;

  constructor(start: () => Worker, limitMs: number = LIMIT_MS) {
    this.#start = start;
    this.#limitMs = limitMs;
  }

  /** The cached result; undefined if there is none. */
  kept<Q extends FormatQuestion>(question: Q): Formatted<Q> | null | undefined {
    const key = keyOf(question);
    return key === null ? undefined : (this.#kept.get(key) as Formatted<Q> | null | undefined);
  }

  /**
   * Calls back with the formatted text; with null for what is too large, takes too long, or cannot be
   * formatted here. The returned function withdraws the question if it has not started yet.
   */
  ask<Q extends FormatQuestion>(
    question: Q,
    settle: (formatted: Formatted<Q> | null) => void,
  ): () => void {
    if (this.#isHopeless(question)) {
      settle(null);
      return () => undefined;
    }
    const job = { question, settle: settle as Job['settle'] };
    this.#waiting.push(job);
    this.#next();
    return () => {
      this.#waiting = this.#waiting.filter((one) => one !== job);
    };
  }

  /** Starts the worker before it is needed. */
  warm(): void {
    this.#worker ??= this.#begin();
  }

  #next(): void {
    if (this.#running !== null) return;
    const job = this.#waiting.shift();
    if (job === undefined) return;
    this.#running = job;
    this.#timer = setTimeout(() => this.#restart(), this.#limitMs);
    try {
      this.#worker ??= this.#begin();
      this.#worker.postMessage(job.question);
    } catch (error) {
      this.#giveUp(error);
    }
  }

  #begin(): Worker {
    const worker = this.#start();
    worker.addEventListener('message', ({ data }: MessageEvent<FormatAnswer>) => {
      if (worker === this.#worker) this.#finish(data.formatted);
    });
    worker.addEventListener('error', (event) => {
      if (worker === this.#worker) this.#giveUp(event.message);
    });
    return worker;
  }

  #giveUp(why: unknown): void {
    console.warn('Texts are shown unformatted', why);
    this.#restart();
  }

  /** Drops the text in progress, and terminates the worker. */
  #restart(): void {
    this.#worker?.terminate();
    this.#worker = null;
    this.#finish(null);
  }

  #finish(formatted: FormatAnswer['formatted']): void {
    clearTimeout(this.#timer);
    const job = this.#running;
    this.#running = null;
    if (job !== null) {
      if (formatted === null && job.question.growing) this.#hopeless = textOf(job.question);
      this.#keep(job.question, formatted);
      job.settle(formatted);
    }
    this.#next();
  }

  #isHopeless(question: FormatQuestion): boolean {
    const { growing } = question;
    return growing && this.#hopeless !== null && textOf(question).startsWith(this.#hopeless);
  }

  #keep(question: FormatQuestion, formatted: FormatAnswer['formatted']): void {
    const key = keyOf(question);
    if (key === null || this.#kept.has(key)) return;
    this.#kept.set(key, formatted);
    this.#keptChars += key.length;
    for (const oldest of this.#kept.keys()) {
      if (this.#kept.size <= KEPT && this.#keptChars <= KEPT_CHARS) break;
      this.#kept.delete(oldest);
      this.#keptChars -= oldest.length;
    }
  }
}

/** Null for what is not cached: a growing text, and a report, which is shown in one place. */
function keyOf(question: FormatQuestion): string | null {
  if (question.growing) return null;
  if (question.kind === 'code') return `${question.language}\n${question.code}`;
  return question.works === null ? `\n${question.source}` : null;
}

function textOf(question: FormatQuestion): string {
  return question.kind === 'code' ? question.code : question.source;
}
