import type { RunEventDraft } from '#contract/events/run-event.ts';

/**
 * The partial answer of a run that ends without one: the text of the last model message, unless that message
 * turns out to introduce a tool call.
 */
export class PartialAnswer {
  #messageId: string | null = null;
  #text = '';

  take(event: RunEventDraft): void {
    if (event.type === 'tool_call') {
      this.#text = '';
    } else if (event.type === 'token') {
      if (event.messageId !== this.#messageId) this.#text = '';
      this.#messageId = event.messageId;
      this.#text += event.text;
    }
  }

  get text(): string {
    return this.#text;
  }
}
