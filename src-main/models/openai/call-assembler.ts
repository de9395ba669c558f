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
  readonly extent: JsonExtent;
}

/**
 * Assembles calls from the fragments in a stream. A fragment belongs to the call with its index. Some
 * servers omit the index, or give every call the same one: then a new id starts a new call. Others give
 * every fragment a new id: one without a name, or with the name of a call whose arguments are not complete,
 * continues that call. Arguments are not parsed here, only once the answer is complete.
 */
export class CallAssembler {
  readonly #calls: OpenCall[] = [];

  add(fragment: CallFragment): void {
    const id = fragment.id ?? '';
    const name = fragment.function?.name ?? '';
    const index = fragment.index ?? null;
    const call = this.#find(index, { id, name }) ?? this.#open(index);
    if (call.id === '') call.id = id;
    // Some servers repeat the name in every fragment, so only the first one counts.
    if (call.name === '') call.name = name;
    const args = fragment.function?.arguments;
    if (typeof args === 'string') {
      call.text += args;
      call.extent.push(args);
    } else if (args !== undefined && args !== null) call.whole = args;
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

  #find(
    index: number | null,
    { id, name }: { readonly id: string; readonly name: string },
  ): OpenCall | undefined {
    const call =
      index === null ? this.#calls.at(-1) : this.#calls.findLast((open) => open.index === index);
    if (call === undefined) return undefined;
    const hasOtherId = id !== '' && call.id !== '' && call.id !== id;
    const isContinued =
      name === '' || (name === call.name && call.whole === undefined && call.extent.isOpen);
    return hasOtherId && !isContinued ? undefined : call;
  }

  #open(index: number | null): OpenCall {
    if (this.#calls.length === MAX_CALLS) throw tooManyCalls();
    const call: OpenCall = {
      ...{ index, id: '', name: '', text: '', whole: undefined, extraContent: undefined },
      extent: new JsonExtent(),
    };
    this.#calls.push(call);
    return call;
  }
}

/** Whether a JSON object that arrives in pieces has begun and not ended; each character is looked at once. */
class JsonExtent {
  #depth = 0;
  #inString = false;
  #isEscaped = false;

  get isOpen(): boolean {
    return this.#depth > 0;
  }

  push(piece: string): void {
    for (const char of piece) {
      if (this.#isEscaped) this.#isEscaped = false;
      else if (this.#inString && char === '\\') this.#isEscaped = true;
      else if (char === '"') this.#inString = !this.#inString;
      else if (!this.#inString && (char === '{' || char === '[')) this.#depth += 1;
      else if (!this.#inString && (char === '}' || char === ']')) this.#depth -= 1;
    }
  }
}
