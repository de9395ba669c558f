import { findSecretsByKind, mayHoldSecretKinds } from '../base/secret-kinds.ts';
import { findPersonalData, mayHoldPersonalData } from './personal-data.ts';
import {
  oneAfterAnother,
  type Redaction,
  type RedactionParts,
  RedactorStream,
} from './redactor-stream.ts';
import { type Finding, isClosed, type Scanner, withArticle } from './scanner.ts';
import { SentenceGate } from './sentence-gate.ts';
import { PERSONAL_SPANS, SECRET_SPANS } from './span-grammar.ts';

/** First, because an address with a password in it looks like an e-mail address. */
const SECRETS: Redaction = {
  spans: SECRET_SPANS,
  mayHold: mayHoldSecretKinds,
  search: findSecretsByKind,
};
const PERSONAL: Redaction = {
  spans: PERSONAL_SPANS,
  mayHold: mayHoldPersonalData,
  search: findPersonalData,
};

/** Filters what a model says, on its way to the user and into the conversation. */
export interface OutputGuard {
  /** Takes a piece of the answer; returns what may be shown now. */
  text(piece: string): string;
  /** The same for its thinking, which is only redacted. */
  reasoning(piece: string): string;
  /** The withheld rest of the thinking: it has ended or paused. */
  endReasoning(): string;
  endText(): string;
  /** Why the output was cut off; null if it was not. */
  readonly blocked: Finding | null;
  /** What was found, each rule once. */
  readonly findings: readonly Finding[];
}

export interface OutputGuardParts {
  readonly isKnown: RedactionParts['isKnown'];
  /** Does not throw: a scan that fails or is late is a finding. */
  readonly harmful: Scanner;
  readonly failed: (error: unknown) => Finding;
  /** Whether findings change the output; otherwise they are only reported. */
  readonly acts: boolean;
}

export class StreamedOutputGuard implements OutputGuard {
  readonly #parts: OutputGuardParts;
  readonly #findings = new Map<string, Finding>();
  readonly #text: Pick<RedactorStream, 'push' | 'end'>;
  readonly #reasoning: Pick<RedactorStream, 'push' | 'end'>;
  readonly #gate: SentenceGate;
  #blocked: Finding | null = null;

  constructor(parts: OutputGuardParts) {
    this.#parts = parts;
    const redaction: RedactionParts = {
      isKnown: (kind, text) => parts.isKnown(kind, text),
      onFound: (kind) => this.#note(redacted(kind, parts.acts)),
      onFailure: (error) => this.#note(parts.failed(error)),
    };
    const open = () =>
      oneAfterAnother(
        new RedactorStream(SECRETS, redaction),
        new RedactorStream(PERSONAL, redaction),
      );
    this.#text = open();
    this.#reasoning = open();
    this.#gate = new SentenceGate({
      mayPass: (sentence) => this.#judge(sentence),
      holds: () => parts.acts,
    });
  }

  text(piece: string): string {
    return this.#gate.push(this.#shown(this.#text.push(piece), piece));
  }

  endText(): string {
    return this.#gate.push(this.#shown(this.#text.end(), '')) + this.#gate.end();
  }

  reasoning(piece: string): string {
    return this.#shown(this.#reasoning.push(piece), piece);
  }

  endReasoning(): string {
    return this.#shown(this.#reasoning.end(), '');
  }

  get blocked(): Finding | null {
    return this.#blocked;
  }

  get findings(): readonly Finding[] {
    return [...this.#findings.values()];
  }

  /** The redacted text; if findings are only reported, the original. */
  #shown(redactedText: string, piece: string): string {
    return this.#parts.acts ? redactedText : piece;
  }

  #judge(sentence: string): boolean {
    const found = this.#parts.harmful(sentence);
    for (const finding of found) this.#note(finding);
    const stopping = this.#parts.acts ? found[0] : found.find(isClosed);
    if (stopping === undefined) return true;
    this.#blocked = stopping;
    return false;
  }

  #note(finding: Finding): void {
    this.#findings.set(finding.rule, finding);
  }
}

function redacted(kind: string, acts: boolean): Finding {
  const rule = `output_${kind.toLowerCase().replaceAll(' ', '_')}`;
  const named = withArticle(kind);
  const message = acts
    ? `${named.charAt(0).toUpperCase()}${named.slice(1)} was removed from the answer.`
    : `The answer contains ${named}.`;
  return { rule, message, weight: 'certain' };
}
