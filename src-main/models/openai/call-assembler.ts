import { MAX_CALLS, tooManyCalls } from '../answer-limits.ts';
import type { CallFragment } from './openai-wire.ts';

export interface AssembledCall {
  readonly id: string;
  readonly name: string;
  /** The arguments as raw text, exactly as received, or the value that a server sent in place of text. */
  readonly arguments: unknown;
  readonly extraContent: unknown;
}

interface OpenCall {
  readonly index: number | null;
  id: string;
  name: string;
  text: string;
  whole: unknown;
  extraContent: unknown;
}

/**
 * Assembles calls from the fragments in a stream. A fragment belongs to the call with its index. Some
 * servers omit the index, or give every call the same one: then a new id starts a new call. Arguments
 * are not parsed here, only once the answer is complete.
 */
export class CallAssembler {
  readonly #calls: OpenCall[] = [];

  add(fragment: CallFragment): void {
    const id = fragment.id ?? '';
    const name = fragment.function?.name ?? '';
    const call = this.#find(fragment.index ?? null, id) ?? this.#open(fragment.index ?? null);
    if (call.id === '') call.id = id;
    // Some servers repeat the name in every fragment, so only the first one counts.
    if (call.name === '') call.name = name;
    const args = fragment.function?.arguments;
    if (typeof args === 'string') call.text += args;
    else if (args !== undefined && args !== null) call.whole = args;
    if (fragment.extra_content !== undefined) call.extraContent = fragment.extra_content;
  }

  /** The calls in the order in which they started. */
  calls(): AssembledCall[] {
    return this.#calls.map(({ id, name, text, whole, extraContent }) => ({
      id,
      name,
      arguments: whole ?? text,
      extraContent,
    }));
  }

  #find(index: number | null, id: string): OpenCall | undefined {
    const call =
      index === null ? this.#calls.at(-1) : this.#calls.findLast((open) => open.index === index);
    const isAnother = call !== undefined && id !== '' && call.id !== '' && call.id !== id;
    return isAnother ? undefined : call;
  }

  #open(index: number | null): OpenCall {
    if (this.#calls.length === MAX_CALLS) throw tooManyCalls();
    const call = { index, id: '', name: '', text: '', whole: undefined, extraContent: undefined };
    this.#calls.push(call);
    return call;
  }
}
