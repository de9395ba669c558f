import {
  type DiagramQuestion,
  type Drawing,
  LONGEST_SOURCE,
  type NumberedQuestion,
  readAnswer,
} from './diagram-messages.ts';

/** Where diagrams are drawn. To end it must stop what it does, whatever that is. */
export interface DiagramFrame {
  ask(question: NumberedQuestion): void;
  end(): void;
}

export type OpenDiagramFrame = (heard: (message: unknown) => void) => DiagramFrame;

/** Why a diagram is shown as its source. */
export type DrawingFailure = 'too-long' | 'failed' | 'too-slow' | 'off';
export type DrawingResult = Drawing | DrawingFailure;

interface Job {
  readonly question: DiagramQuestion;
  readonly settle: (result: DrawingResult) => void;
}

const OPENING_MS = 20_000;
/** A page that does not load is opened again: Chromium breaks a load off when the computer's network changes. */
const MOST_OPENINGS = 3;
const DRAWING_MS = 20_000;
/** A frame that is not needed is a process that takes memory. */
const IDLE_MS = 30_000;
/** One text could hold a hundred that take all the time there is. */
const MOST_SLOW = 5;
const KEPT = 50;
const KEPT_CHARS = 4_000_000;

/**
 * Draws diagrams, one at a time, each within a time limit; a frame that takes longer is ended, and the next
 * one gets a frame of its own. After five of those nothing more is drawn.
 */
export class DiagramThread {
  readonly #open: OpenDiagramFrame;
  #frame: DiagramFrame | null = null;
  #isReady = false;
  #running: Job | null = null;
  #waiting: Job[] = [];
  #timer: ReturnType<typeof setTimeout> | undefined;
  #slow = 0;
  /** Of the question that was asked last. */
  #number = 0;
  readonly #kept = new Map<string, DrawingResult>();
  #keptChars = 0;

  constructor(open: OpenDiagramFrame) {
    this.#open = open;
  }

  /** The cached result; undefined if there is none. */
  kept(question: DiagramQuestion): DrawingResult | undefined {
    if (question.source.length > LONGEST_SOURCE) return 'too-long';
    const kept = this.#kept.get(keyOf(question));
    return kept ?? (this.#slow >= MOST_SLOW ? 'off' : undefined);
  }

  /** Calls back once. The returned function withdraws a question that has not started yet. */
  ask(question: DiagramQuestion, settle: (result: DrawingResult) => void): () => void {
    const kept = this.kept(question);
    if (kept !== undefined) {
      settle(kept);
      return () => undefined;
    }
    const job = { question, settle };
    this.#waiting.push(job);
    this.#next();
    return () => {
      this.#waiting = this.#waiting.filter((one) => one !== job);
    };
  }

  #next(): void {
    if (this.#running !== null) return;
    for (let job = this.#waiting.shift(); job !== undefined; job = this.#waiting.shift()) {
      const kept = this.kept(job.question);
      if (kept === undefined) this.#start(job);
      else job.settle(kept);
      // Who was called back may have asked.
      if (this.#running !== null) return;
    }
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#end(), IDLE_MS);
  }

  #start(job: Job): void {
    this.#running = job;
    if (this.#frame !== null && this.#isReady) this.#draw(this.#frame, job);
    else this.#begin();
  }

  #begin(openings = 1): void {
    this.#limit(OPENING_MS, () => {
      if (openings === MOST_OPENINGS) return this.#giveUp();
      this.#end();
      this.#begin(openings + 1);
    });
    const frame: DiagramFrame = this.#open((message) => {
      if (frame === this.#frame) this.#hear(frame, message);
    });
    this.#frame = frame;
  }

  #hear(frame: DiagramFrame, message: unknown): void {
    const answer = readAnswer(message);
    const job = this.#running;
    if (answer === null) return;
    if ('ready' in answer) {
      if (this.#isReady || job === null) return;
      this.#isReady = true;
      this.#draw(frame, job);
    } else if (this.#isReady && job !== null && answer.number === this.#number) {
      this.#finish(answer.drawing ?? 'failed');
    }
  }

  #draw(frame: DiagramFrame, job: Job): void {
    this.#limit(DRAWING_MS, () => this.#giveUp());
    this.#number += 1;
    frame.ask({ ...job.question, number: this.#number });
  }

  #limit(ms: number, late: () => void): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(late, ms);
  }

  #giveUp(): void {
    this.#slow += 1;
    this.#end();
    this.#finish('too-slow');
  }

  #end(): void {
    this.#frame?.end();
    this.#frame = null;
    this.#isReady = false;
  }

  #finish(result: DrawingResult): void {
    const job = this.#running;
    this.#running = null;
    if (job !== null) {
      this.#keep(job.question, result);
      job.settle(result);
    }
    this.#next();
  }

  /** For a question that is not kept yet, as each one that runs. */
  #keep(question: DiagramQuestion, result: DrawingResult): void {
    const key = keyOf(question);
    this.#kept.set(key, result);
    this.#keptChars += charsOf(key, result);
    for (const [oldest, drawn] of this.#kept) {
      if (this.#kept.size <= KEPT && this.#keptChars <= KEPT_CHARS) break;
      this.#kept.delete(oldest);
      this.#keptChars -= charsOf(oldest, drawn);
    }
  }
}

function keyOf({ source, dark }: DiagramQuestion): string {
  return `${dark ? 'dark' : 'light'}\n${source}`;
}

function charsOf(key: string, result: DrawingResult): number {
  return key.length + (typeof result === 'string' ? 0 : result.svg.length);
}
