import { orphanThinkingClose } from './tool-call-text/markers.ts';
import { createToolCallTextParser } from './tool-call-text/parser.ts';
import { recoverToolCalls } from './tool-call-text/recover.ts';
import type { ParsedPiece, ToolCallTextParser } from './tool-call-text/types.ts';
import type { InvalidToolCall, ModelProgress, ToolCall, ToolSchema } from './types.ts';

export interface AnswerText {
  readonly content: string;
  readonly reasoning: string;
  readonly calls: readonly ToolCall[];
  readonly invalidCalls: readonly InvalidToolCall[];
}

/** An answer that is longer is not gone through once more. */
const READ_AGAIN_CHARS = 192 * 1024;

/**
 * The text of an answer while it streams in, taken apart: thinking in tags becomes reasoning, calls
 * written as text become calls and are never shown as text. Without tools nothing is a call.
 */
export class AnswerTextReader {
  readonly #tools: readonly ToolSchema[];
  readonly #onProgress: (progress: ModelProgress) => void;
  readonly #parser: ToolCallTextParser;
  readonly #calls: ToolCall[] = [];
  readonly #invalidCalls: InvalidToolCall[] = [];
  #raw = '';
  #content = '';
  #reasoning = '';

  constructor(tools: readonly ToolSchema[], onProgress: (progress: ModelProgress) => void) {
    this.#tools = tools;
    this.#onProgress = onProgress;
    this.#parser = createToolCallTextParser({ tools });
  }

  /** Whether anything has come, even if it is not known yet what it is. */
  get begun(): boolean {
    return this.#raw !== '';
  }

  push(delta: string): void {
    if (delta === '') return;
    this.#raw += delta;
    for (const piece of this.#parser.push(delta)) this.#take(piece);
  }

  /** The answer is over. Where it was `cut`, nothing that is open becomes a call. */
  end(cut: boolean): AnswerText {
    for (const piece of this.#parser.end({ cut })) this.#take(piece);
    // Thinking that was closed and never opened shows only at the end; what was streamed stays shown.
    const isShort = this.#raw.length <= READ_AGAIN_CHARS;
    if (!cut && isShort && this.#reasoning === '' && orphanThinkingClose(this.#raw) >= 0) {
      const { content, reasoning, calls, invalidCalls } = recoverToolCalls(this.#raw, this.#tools);
      return { content, reasoning, calls, invalidCalls };
    }
    return {
      content: this.#content,
      reasoning: this.#reasoning,
      calls: this.#calls,
      invalidCalls: this.#invalidCalls,
    };
  }

  #take(piece: ParsedPiece): void {
    if (piece.kind === 'call') this.#calls.push(piece.call);
    else if (piece.kind === 'reasoning') this.#think(piece.text);
    else if (piece.kind === 'text') this.#say(piece.text);
    else if (this.#tools.length === 0) this.#say(piece.source);
    else this.#invalidCalls.push(piece.call);
  }

  #say(text: string): void {
    this.#content += text;
    this.#onProgress({ kind: 'text', text });
  }

  #think(text: string): void {
    this.#reasoning += text;
    this.#onProgress({ kind: 'reasoning', text });
  }
}
