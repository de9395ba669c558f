import type { RunEvent, RunEventDraft } from '#contract/events/run-event.ts';

type Streamed = Extract<RunEventDraft, { type: 'token' | 'reasoning' }>;

/** How far a message that was broken off has been told. */
interface Told {
  readonly text: string;
  /** Characters of it that the model has said again. */
  repeated: number;
}

/**
 * When a run goes on, the model is asked again for an answer that was broken off, and mostly says the
 * same. What is in the log already is not told again; where the model says something else, its whole
 * answer becomes a message of its own.
 */
export class ResumedStreams {
  readonly #told = new Map<string, Told>();
  /** Messages whose second answer differs. */
  readonly #renamed = new Set<string>();

  /** Takes in what an earlier process logged. */
  recall(event: RunEvent): void {
    if (event.type !== 'token' && event.type !== 'reasoning') return;
    const key = keyOf(event);
    const told = this.#told.get(key);
    this.#told.set(key, { text: (told?.text ?? '') + event.text, repeated: 0 });
  }

  /** What of a draft is news: the draft, a part of it, more than it, or null. */
  filter(draft: RunEventDraft): RunEventDraft | null {
    if (draft.type !== 'token' && draft.type !== 'reasoning') return draft;
    if (this.#renamed.has(draft.messageId)) return rename(draft, draft.text);
    const told = this.#told.get(keyOf(draft));
    if (told === undefined) return draft;
    const left = told.text.slice(told.repeated);
    const shared = Math.min(left.length, draft.text.length);
    if (left.slice(0, shared) !== draft.text.slice(0, shared)) {
      this.#renamed.add(draft.messageId);
      return rename(draft, told.text.slice(0, told.repeated) + draft.text);
    }
    told.repeated += shared;
    return shared === draft.text.length ? null : { ...draft, text: draft.text.slice(shared) };
  }
}

function keyOf({ type, messageId }: Pick<Streamed, 'type' | 'messageId'>): string {
  return `${type} ${messageId}`;
}

function rename(draft: Streamed, text: string): Streamed {
  return { ...draft, messageId: `${draft.messageId}-again`, text };
}
