/**
 * One server-sent event. `name` is `message` unless the server sent one. A line that starts with
 * `error:`, which is not in the standard but how llama.cpp reports failures, becomes an event named
 * `error`.
 */
export interface ServerSentEvent {
  readonly name: string;
  readonly data: string;
}

/** Assembles events from the lines of a stream. Comments and fields without data are dropped. */
export class SseDecoder {
  #name = 'message';
  #data: string[] = [];

  /** The event that `line` completes, or null. */
  push(line: string): ServerSentEvent | null {
    if (line === '') return this.end();
    const colon = line.indexOf(':');
    if (colon === 0) return null;
    const field = colon === -1 ? line : line.slice(0, colon);
    const value = colon === -1 ? '' : line.slice(line[colon + 1] === ' ' ? colon + 2 : colon + 1);
    if (field === 'data') this.#data.push(value);
    else if (field === 'event') this.#name = value;
    else if (field === 'error') {
      this.#name = 'error';
      this.#data.push(value);
    }
    return null;
  }

  /** The buffered event, at an empty line or the end of the stream; null if there is none. */
  end(): ServerSentEvent | null {
    const event = this.#data.length > 0 ? { name: this.#name, data: this.#data.join('\n') } : null;
    this.#name = 'message';
    this.#data = [];
    return event;
  }
}
