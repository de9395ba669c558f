import type { NewPassage, PassageKind, SearchedEvent } from '../storage/task-search-store.ts';

/** Characters of a call's arguments, of its result and of any other text that are searched. */
export const CALL_CHARS = 4_000;
export const TEXT_CHARS = 64_000;
/** Longest passage: words of one passage are found together. */
const PASSAGE_CHARS = 8_000;
/** Events without a piece of it after which a message counts as complete. */
const IDLE_EVENTS = 100;

interface OpenMessage {
  readonly seq: number;
  readonly at: number;
  lastSeq: number;
  text: string;
}

/** Turns the events of one run, in order, into passages. A message is passed on when it is complete. */
export class RunPassages {
  readonly #runId: string;
  readonly #open = new Map<string, OpenMessage>();

  constructor(runId: string) {
    this.#runId = runId;
  }

  /** The first event of a message that is not complete; null if there is none. */
  get openSince(): number | null {
    const seqs = [...this.#open.values()].map(({ seq }) => seq);
    return seqs.length === 0 ? null : Math.min(...seqs);
  }

  take(event: SearchedEvent): NewPassage[] {
    const done = this.#closeIdle(event.seq);
    switch (event.type) {
      case 'token':
        this.#extend(event);
        return done;
      case 'complete':
        return [...done, ...this.close(), ...this.#cut(event, 'answer', TEXT_CHARS)];
      case 'report':
        return [...done, ...this.#cut(event, 'report', TEXT_CHARS)];
      case 'tool_call':
      case 'tool_result':
        return [...done, ...this.#cut(event, 'call', CALL_CHARS)];
    }
  }

  /** Passes on the messages that are still open. */
  close(): NewPassage[] {
    return this.#closeIdle(Number.POSITIVE_INFINITY);
  }

  /** The message that begins the run. */
  userMessage(message: { readonly at: number; readonly text: string }): NewPassage[] {
    return this.#cut({ ...message, seq: 0, ref: '' }, 'message', TEXT_CHARS);
  }

  #extend({ seq, at, ref, text }: SearchedEvent): void {
    const message = this.#open.get(ref) ?? { seq, at, lastSeq: seq, text: '' };
    message.lastSeq = seq;
    if (message.text.length < TEXT_CHARS) message.text += text;
    this.#open.set(ref, message);
  }

  #closeIdle(seq: number): NewPassage[] {
    const passages: NewPassage[] = [];
    for (const [ref, message] of this.#open) {
      if (message.lastSeq + IDLE_EVENTS > seq) continue;
      this.#open.delete(ref);
      passages.push(...this.#cut({ ...message, ref }, 'answer', TEXT_CHARS));
    }
    return passages;
  }

  #cut(
    event: Pick<SearchedEvent, 'seq' | 'at' | 'ref' | 'text'>,
    kind: PassageKind,
    maxChars: number,
  ): NewPassage[] {
    const { seq, at, ref } = event;
    const pieces = cutText(event.text.slice(0, maxChars).trim());
    return pieces.map((text, part) => ({
      ...{ runId: this.#runId, seq, at, part, kind, ref, text },
    }));
  }
}

function cutText(text: string): string[] {
  const pieces: string[] = [];
  let rest = text;
  while (rest.length > PASSAGE_CHARS) {
    const space = rest.lastIndexOf(' ', PASSAGE_CHARS);
    const at = space > PASSAGE_CHARS / 2 ? space : PASSAGE_CHARS;
    pieces.push(rest.slice(0, at));
    rest = rest.slice(at);
  }
  if (rest !== '') pieces.push(rest);
  return pieces;
}
