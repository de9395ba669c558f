import type { InvalidToolCall, ToolCall, ToolSchema } from '../types.ts';
import type { Reader, Tape } from './tape.ts';
import type { ToolIndex } from './tool-index.ts';

/**
 * What the parser makes of an answer, in its order. A `call` is complete and names an offered tool.
 * `invalid` is a call that the model plainly began and that must not run: cut, malformed, or to a
 * tool that is not offered; `source` is the text it was written as.
 */
export type ParsedPiece =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'reasoning'; readonly text: string }
  | { readonly kind: 'call'; readonly call: ToolCall }
  | { readonly kind: 'invalid'; readonly call: InvalidToolCall; readonly source: string };

export interface ToolCallTextOptions {
  /** The tools that were offered. Left out (not empty), any name is taken in an unmistakable form. */
  readonly tools?: readonly ToolSchema[] | undefined;
  /** The prompt ended inside the model's thinking (`<think>` is part of the prompt). */
  readonly startsInThinking?: boolean | undefined;
  /** Makes the ids of calls; random ones by default. */
  readonly newId?: (() => string) | undefined;
}

export interface ToolCallTextParser {
  /** Takes the next piece of the answer; returns what has become certain by it. */
  push(chunk: string): ParsedPiece[];
  /**
   * The answer is over. With `cut` (an output limit stopped it) nothing that is open is completed;
   * without, a model that merely forgot the closing mark of an envelope is understood. JSON is never completed.
   */
  end(options?: { readonly cut?: boolean }): ParsedPiece[];
}

/** A call as a family read it, its tool already looked up. */
export type Item =
  | { readonly ok: true; readonly name: string; readonly args: Readonly<Record<string, unknown>> }
  | {
      readonly ok: false;
      readonly name: string;
      readonly raw: string;
      readonly problem: string;
      /** It was not read to its end, so where the next call begins is not known. */
      readonly isBroken?: true;
    };

export interface Site {
  readonly tape: Tape;
  readonly tools: ToolIndex;
}

/**
 * Reads what stands at the tape's position. `null`: this is not such a call, and the position may
 * have moved; the caller sets it back. An item that is not ok: it is one, and it cannot run.
 */
export type Grammar = (site: Site) => Reader<Item[] | null>;

/** One way of writing calls: the marks that open it, and what follows them. */
export interface Family {
  readonly id: string;
  readonly opens: readonly string[];
  /** Reads on from behind the opening mark. */
  readonly read: Grammar;
}
