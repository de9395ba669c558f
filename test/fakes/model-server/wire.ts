import type { ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { WireCall } from './options.ts';

/** The closing figures of an answer; null when the script leaves them out. */
export type Metrics = { readonly prompt: number; readonly eval: number } | null;

/** How one endpoint says things. `Playback` calls these in the order of the script. */
export interface Wire {
  /** Media type of the stream. */
  readonly contentType: string;
  thinking(text: string): string;
  text(text: string): string;
  both(thinking: string, text: string): string;
  calls(calls: readonly WireCall[]): string;
  /** An error after the first byte. */
  errorLine(message: string): string;
  /** The body of an error before the first byte. */
  errorBody(message: string): string;
  /** The closing message, or messages. */
  finish(reason: 'stop' | 'length', metrics: Metrics): string;
}

/** Writes an answer to the socket: the head with the first byte, then byte for byte if asked to. */
export class Sender {
  readonly #response: ServerResponse;
  readonly #contentType: string;
  #bytewiseMs: number | null = null;
  readonly gone = new AbortController();

  constructor(response: ServerResponse, contentType: string) {
    this.#response = response;
    this.#contentType = contentType;
    response.once('close', () => this.gone.abort());
  }

  get hasBegun(): boolean {
    return this.#response.headersSent;
  }

  begin(): void {
    if (!this.hasBegun) this.#response.writeHead(200, { 'content-type': this.#contentType });
    this.#response.flushHeaders();
  }

  addHeaders(fields: Readonly<Record<string, string>>): void {
    for (const [name, value] of Object.entries(fields)) this.#response.setHeader(name, value);
  }

  sendBytewise(everyMs: number): void {
    this.#bytewiseMs = everyMs;
    this.#response.socket?.setNoDelay(true);
  }

  async send(data: string | Buffer): Promise<void> {
    if (data.length === 0 || this.gone.signal.aborted) return;
    if (!this.hasBegun) this.#response.writeHead(200, { 'content-type': this.#contentType });
    if (this.#bytewiseMs === null) {
      this.#response.write(data);
      return;
    }
    for (const byte of Buffer.from(data)) {
      this.#response.write(Buffer.of(byte));
      await this.pause(this.#bytewiseMs);
      if (this.gone.signal.aborted) return;
    }
  }

  refuse(status: number, body: string, contentType: string): void {
    this.#response.writeHead(status, { 'content-type': contentType });
    this.#response.end(body);
  }

  end(): void {
    if (!this.hasBegun) this.#response.writeHead(200, { 'content-type': this.#contentType });
    this.#response.end();
  }

  reset(): void {
    this.#response.socket?.resetAndDestroy();
  }

  /** Waits, at most until the client is gone. */
  async pause(ms: number): Promise<void> {
    await sleep(ms, undefined, { signal: this.gone.signal }).catch(() => undefined);
  }

  /** Waits until the client is gone. */
  async stall(): Promise<void> {
    if (this.gone.signal.aborted) return;
    await new Promise((resolve) => this.gone.signal.addEventListener('abort', resolve));
  }
}
