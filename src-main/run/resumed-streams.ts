import type { RunEvent, RunEventDraft } from '#contract/events/run-event.ts';

type Streamed = Extract<RunEventDraft, { type: 'token' | 'reasoning' }>;

/** How much of an interrupted message is in the log. */
interface Logged {
  readonly text: string;
  /** How many of its characters the model has repeated. */
  repeated: number;
}

/**
 * When a run continues, the model is asked again for an interrupted answer, and usually repeats it. What is
 * already in the log is not emitted again; if the model says something else, its whole answer becomes a new
 * message.
 */
export class ResumedStreams {
  readonly #logged = new Map<string, Logged>();
  /** Messages whose second answer differs. */
  readonly #renamed = new Set<string>();

  /** Remembers what an earlier process logged. */
  replay(event: RunEvent): void {
    if (event.type !== 'token' && event.type !== 'reasoning') return;
    const key = keyOf(event);
    const logged = this.#logged.get(key);
    this.#logged.set(key, { text: (logged?.text ?? '') + event.text, repeated: 0 });
  }

  /** What is new in a draft: all of it, a part, or null. If the answer differs from the log, all of it so far. */
  filter(draft: RunEventDraft): RunEventDraft | null {
    if (draft.type !== 'token' && draft.type !== 'reasoning') return draft;
    if (this.#renamed.has(draft.messageId)) return rename(draft, draft.text);
    const logged = this.#logged.get(keyOf(draft));
    if (logged === undefined) return draft;
    const left = logged.text.slice(logged.repeated);
    const shared = Math.min(left.length, draft.text.length);
    if (left.slice(0, shared) !== draft.text.slice(0, shared)) {
      this.#renamed.add(draft.messageId);
      return rename(draft, logged.text.slice(0, logged.repeated) + draft.text);
    }
    logged.repeated += shared;
    return shared === draft.text.length ? null : { ...draft, text: draft.text.slice(shared) };
  }
}

function keyOf({ type, messageId }: Pick<Streamed, 'type' | 'messageId'>): string {
  return `${type} ${messageId}`;
}

function rename(draft: Streamed, text: string): Streamed {
  return { ...draft, messageId: `${draft.messageId}-again`, text };
}
