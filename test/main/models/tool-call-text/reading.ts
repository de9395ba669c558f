import { createToolCallTextParser } from '#main/models/tool-call-text/parser.ts';
import type { ParsedPiece, ToolCallTextOptions } from '#main/models/tool-call-text/types.ts';
import type { ToolSchema } from '#main/models/types.ts';

export interface ReadOptions extends Omit<ToolCallTextOptions, 'newId'> {
  readonly cut?: boolean;
}

/** What the parser makes of chunks, with neighbours of one kind joined and ids counted. */
export function read(chunks: readonly string[], options: ReadOptions = {}): ParsedPiece[] {
  let ids = 0;
  const { cut = false, ...rest } = options;
  const parser = createToolCallTextParser({ ...rest, newId: () => `id${++ids}` });
  const pieces = [...chunks.flatMap((chunk) => parser.push(chunk)), ...parser.end({ cut })];
  const joined: ParsedPiece[] = [];
  for (const piece of pieces) {
    const last = joined.at(-1);
    if ('text' in piece && last !== undefined && 'text' in last && last.kind === piece.kind) {
      joined[joined.length - 1] = { kind: piece.kind, text: last.text + piece.text };
    } else {
      joined.push(piece);
    }
  }
  return joined;
}

/** The same in short: texts, thoughts in brackets, calls as name and arguments, refusals as names. */
export function outline(text: string, options: ReadOptions = {}): unknown[] {
  return read([text], options).map((piece) => {
    if (piece.kind === 'call') return { [piece.call.name]: piece.call.arguments };
    if (piece.kind === 'invalid') return { refused: piece.call.name };
    return piece.kind === 'text' ? piece.text : [piece.text];
  });
}

/** A tool with properties of the given types; all of them are required. */
export function tool(name: string, properties: Record<string, unknown> = {}): ToolSchema {
  const schemas = Object.entries(properties).map(([key, type]) => [
    key,
    typeof type === 'string' ? { type } : type,
  ]);
  return {
    name,
    description: `${name}, for the tests`,
    parameters: {
      type: 'object',
      properties: Object.fromEntries(schemas),
      required: Object.keys(properties),
    },
  };
}

export const TOOLS: readonly ToolSchema[] = [
  tool('lookup', { word: 'string' }),
  tool('move', { x: 'integer', y: 'number', fast: 'boolean' }),
  tool('now'),
  tool('save', { path: 'string', content: 'string' }),
  tool('tag', { labels: 'array', meta: 'object' }),
];
