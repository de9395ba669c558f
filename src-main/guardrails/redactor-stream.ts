import type { ContactKind } from './personal-data.ts';
import { KEY_OPENS, PEM_MARK, PrivateKeyBody } from './private-key.ts';
import type { SpanGrammar } from './span-grammar.ts';

/** Longest span that is searched at once, and how much of it is searched again with the next. */
const SPAN_CHARS = 512;
const OVERLAP_CHARS = 128;
/** Characters needed to tell a private key from a text that mentions one. */
const KEY_LOOKAHEAD = 512;

const SPACE = /[ \t\u00a0]/;
const KEY_TAIL = /^[A-Za-z0-9._-]+/;

export interface Match {
  readonly kind: string;
  readonly start: number;
  readonly end: number;
}

/** What to search for, and in which spans of a text. */
export interface Redaction {
  readonly spans: SpanGrammar;
  /** A quick check that rules out most spans. */
  readonly mayHold: (span: string) => boolean;
  /** Matches in order, without overlaps. Throws if it fails or takes too long. */
  readonly search: (span: string) => readonly Match[];
}

export interface RedactionParts {
  /** Whether the conversation already holds this contact, so the user may read it. */
  readonly isKnown: (kind: ContactKind, text: string) => boolean;
  readonly onFound: (kind: string) => void;
  readonly onFailure: (error: unknown) => void;
}

/**
 * Redacts a text that comes in pieces. The output does not depend on how the text was cut: it is searched
 * in spans that the text alone decides, and only a span that may continue is withheld (a word, groups of
 * digits; at most 512 characters). Nothing is lost and nothing changes its place.
 */
export class RedactorStream {
  readonly #redaction: Redaction;
  readonly #parts: RedactionParts;
  #pending = '';
  /** In the body of a private key that was redacted. */
  #key: PrivateKeyBody | null = null;
  /** After a key that was longer than a span: the rest still belongs to it. */
  #inTail = false;

  constructor(redaction: Redaction, parts: RedactionParts) {
    this.#redaction = redaction;
    this.#parts = parts;
  }

  push(piece: string): string {
    this.#pending += piece;
    return this.#advance(false);
  }

  /** The withheld rest. The stream can be used for another text afterwards. */
  end(): string {
    const rest = this.#advance(true);
    this.#key = null;
    this.#inTail = false;
    return rest;
  }

  #advance(ended: boolean): string {
    let given = '';
    let at = 0;
    const text = this.#pending;
    while (at < text.length) {
      const step = this.#step(text, at, ended);
      if (step === null) break;
      given += step.text;
      at = step.next;
    }
    this.#pending = text.slice(at);
    return given;
  }

  /** The output for the text at `at`, and where to continue; null if more text is needed. */
  #step(text: string, at: number, ended: boolean): { text: string; next: number } | null {
    if (this.#key !== null) {
      const taken = this.#key.take(text.slice(at), ended);
      if (taken === null) return null;
      if (taken.left) this.#key = null;
      return { text: '', next: at + taken.chars };
    }
    if (this.#inTail) {
      const tail = KEY_TAIL.exec(text.slice(at))?.[0].length ?? 0;
      if (at + tail < text.length) this.#inTail = false;
      if (tail > 0) return { text: '', next: at + tail };
    }
    const { spans } = this.#redaction;
    if (spans.hasPrivateKeys && text.startsWith(PEM_MARK, at)) return this.#atKey(text, at, ended);
    const end = spanEnd(spans, text, { at, ended });
    if (end === null) return null;
    if (end === at) {
      spans.gap.lastIndex = at;
      const plain = spans.gap.exec(text)?.[0] ?? '';
      return { text: plain, next: at + plain.length };
    }
    return this.#redact(text, at, end);
  }

  #atKey(text: string, at: number, ended: boolean): { text: string; next: number } | null {
    if (text.length - at < KEY_LOOKAHEAD && !ended) return null;
    const opens = KEY_OPENS.exec(text.slice(at, at + KEY_LOOKAHEAD));
    if (opens === null) return { text: PEM_MARK, next: at + PEM_MARK.length };
    this.#key = new PrivateKeyBody();
    this.#parts.onFound('private key');
    return { text: '[redacted: private key]', next: at + opens[0].length };
  }

  #redact(text: string, at: number, end: number): { text: string; next: number } {
    const span = text.slice(at, end);
    if (!this.#redaction.mayHold(span)) return { text: span, next: end };
    let matches: readonly Match[];
    try {
      matches = this.#redaction.search(span);
    } catch (error) {
      this.#parts.onFailure(error);
      return { text: '[redacted: could not be checked]', next: end };
    }
    const isFull = span.length === SPAN_CHARS;
    // The end of a full span is searched again, together with what follows.
    let keep = isFull ? SPAN_CHARS - OVERLAP_CHARS : span.length;
    let given = '';
    let from = 0;
    for (const { kind, start, end: stop } of matches) {
      if (start >= keep) break;
      const found = span.slice(start, stop);
      const isContact = kind === 'email address' || kind === 'phone number';
      if (isContact && this.#parts.isKnown(kind, found)) {
        keep = Math.max(keep, stop);
        continue;
      }
      this.#parts.onFound(kind);
      given += `${span.slice(from, start)}[redacted: ${kind}]`;
      from = stop;
      keep = Math.max(keep, stop);
      if (isFull && stop === span.length) this.#inTail = true;
    }
    return { text: given + span.slice(from, keep), next: at + keep };
  }
}

/**
 * Where the span that begins at `at` ends: `at` itself if no word begins there, null if more text is
 * needed. Words that belong together across a space are one span.
 */
function spanEnd(
  spans: SpanGrammar,
  text: string,
  { at, ended }: { readonly at: number; readonly ended: boolean },
): number | null {
  const limit = at + SPAN_CHARS;
  let end = wordEnd(spans, text, at);
  if (end === at) return at;
  let word = text.slice(at, end);
  for (;;) {
    if (end >= limit) return limit;
    if (end === text.length) return ended ? end : null;
    if (!spans.leads(word) || !SPACE.test(text.charAt(end))) return end;
    if (end + 1 === text.length) return ended ? end : null;
    const next = wordEnd(spans, text, end + 1);
    if (next === end + 1) return end;
    word = text.slice(end + 1, next);
    if (next === text.length && !ended && next < limit) return spans.mayFollow(word) ? null : end;
    if (!spans.follows(word)) return end;
    end = next;
  }
}

function wordEnd({ word, hasPrivateKeys }: SpanGrammar, text: string, at: number): number {
  word.lastIndex = at;
  const found = word.exec(text)?.[0] ?? '';
  const mark = hasPrivateKeys ? found.indexOf(PEM_MARK) : -1;
  return at + (mark > 0 ? mark : found.length);
}

/** Feeds the output of `first` to `second`. */
export function oneAfterAnother(
  first: RedactorStream,
  second: RedactorStream,
): Pick<RedactorStream, 'push' | 'end'> {
  return {
    push: (piece) => second.push(first.push(piece)),
    end: () => second.push(first.end()) + second.end(),
  };
}
