import { newId } from '../../base/ids.ts';
import { isRecord, parseJson } from '../json-text.ts';
import type { ChatMessage, InvalidToolCall, JsonSchema, ToolCall, ToolSchema } from '../types.ts';

/** Schema for exactly one call of one of these tools. */
export function callSchema(tools: readonly ToolSchema[]): JsonSchema {
  const calls = tools.map(({ name, parameters }) => ({
    type: 'object',
    properties: { tool: { type: 'string', enum: [name] }, arguments: parameters },
    required: ['tool', 'arguments'],
    additionalProperties: false,
  }));
  return calls.length === 1 ? { ...calls[0] } : { anyOf: calls };
}

/** The message to a model whose call could not be parsed. */
export function constrainedReminder({ problem }: InvalidToolCall): ChatMessage {
  return {
    role: 'user',
    content: `Your tool call could not be read: ${problem} Make it again as one JSON object {"tool": NAME, "arguments": {…}} and nothing else.`,
  };
}

/** The call in an answer to `callSchema`; null if there is no valid one. */
export function readConstrainedCall(text: string, tools: readonly ToolSchema[]): ToolCall | null {
  const value = parseJson(text);
  if (!isRecord(value) || !isRecord(value.arguments)) return null;
  const tool = tools.find(({ name }) => name === value.tool);
  if (tool === undefined) return null;
  return { id: newId('call'), name: tool.name, arguments: value.arguments };
}
