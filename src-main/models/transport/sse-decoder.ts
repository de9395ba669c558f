/**
 * One server-sent event. `name` is `message` unless the server gave one; a line that starts with
 * `error:`, which is no field of the standard but how llama.cpp reports failures, becomes an event
 * named `error`.
 */
export interface ServerSentEvent {
  readonly name: string;
  readonly data: string;
}

/** Puts the lines of an event stream together. Comments and fields that carry no data are dropped. */
export class SseDecoder {
  #name = 'message';
  #data: string[] = [];

  /** The event that `line` completes, if it does. */
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

  /** What is held when the stream ends, or at an empty line. */
  end(): ServerSentEvent | null {
    const event = this.#data.length > 0 ? { name: this.#name, data: this.#data.join('\n') } : null;
    this.#name = 'message';
    this.#data = [];
    return event;
  }
}
