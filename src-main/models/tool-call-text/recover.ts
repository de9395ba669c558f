import type { InvalidToolCall, ToolCall, ToolSchema } from '../types.ts';
import { orphanThinkingClose } from './markers.ts';
import { createToolCallTextParser } from './parser.ts';
import type { ParsedPiece, ToolCallTextOptions } from './types.ts';

/** A whole answer, taken apart. */
export interface RecoveredAnswer {
  readonly content: string;
  readonly reasoning: string;
  readonly calls: readonly ToolCall[];
  readonly invalidCalls: readonly InvalidToolCall[];
}

export interface RecoverOptions extends Omit<ToolCallTextOptions, 'tools'> {
  /** An output limit stopped the answer. */
  readonly cut?: boolean;
}

/**
 * Takes apart an answer that is all there. Sees what a stream cannot: that thinking is closed in it
 * which it never opened, so that all before the close was thought and not said.
 */
export function recoverToolCalls(
  text: string,
  tools: readonly ToolSchema[] | undefined,
  options: RecoverOptions = {},
): RecoveredAnswer {
  const startsInThinking = options.startsInThinking ?? orphanThinkingClose(text) >= 0;
  const parser = createToolCallTextParser({ ...options, tools, startsInThinking });
  const pieces = [...parser.push(text), ...parser.end({ cut: options.cut ?? false })];
  return joinPieces(pieces);
}

/** The pieces of one answer, put together by kind; what a call parted is on lines of its own. */
export function joinPieces(pieces: readonly ParsedPiece[]): RecoveredAnswer {
  const spoken = { text: '', reasoning: '' };
  const calls: ToolCall[] = [];
  const invalidCalls: InvalidToolCall[] = [];
  let last: ParsedPiece['kind'] | null = null;
  for (const piece of pieces) {
    if (piece.kind === 'call') calls.push(piece.call);
    else if (piece.kind === 'invalid') invalidCalls.push(piece.call);
    else {
      const parted = last !== piece.kind && spoken[piece.kind] !== '';
      spoken[piece.kind] += parted ? `\n${piece.text}` : piece.text;
    }
    last = piece.kind;
  }
  return { content: spoken.text, reasoning: spoken.reasoning, calls, invalidCalls };
}
