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

/** A longer answer is not parsed a second time. */
const MAX_REPARSE_CHARS = 192 * 1024;

/**
 * Splits the text of an answer while it streams in: thinking in tags becomes reasoning, and calls written
 * as text become calls, which are never shown as text. Without tools, nothing is a call.
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

  /** Whether any text has arrived, even if its kind is not known yet. */
  get hasStarted(): boolean {
    return this.#raw !== '';
  }

  /** Calls that were made so far, those that cannot run among them. */
  get made(): number {
    return this.#calls.length + this.#invalidCalls.length;
  }

  push(delta: string): void {
    if (delta === '') return;
    this.#raw += delta;
    for (const piece of this.#parser.push(delta)) this.#add(piece);
  }

  /** Ends the answer. If it was `cut`, an unfinished call does not become one. */
  end(cut: boolean): AnswerText {
    for (const piece of this.#parser.end({ cut })) this.#add(piece);
    // Thinking with a closing tag but no opening tag is only detectable now. Text already streamed as
    // content stays on screen.
    const isShort = this.#raw.length <= MAX_REPARSE_CHARS;
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

  #add(piece: ParsedPiece): void {
    if (piece.kind === 'call') this.#calls.push(piece.call);
    else if (piece.kind === 'reasoning') this.#addReasoning(piece.text);
    else if (piece.kind === 'text') this.#addText(piece.text);
    else if (this.#tools.length === 0) this.#addText(piece.source);
    else this.#invalidCalls.push(piece.call);
  }

  #addText(text: string): void {
    this.#content += text;
    this.#onProgress({ kind: 'text', text });
  }

  #addReasoning(text: string): void {
    this.#reasoning += text;
    this.#onProgress({ kind: 'reasoning', text });
  }
}
