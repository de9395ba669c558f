import { z } from 'zod';
import type { JsonSchema, ToolSchema } from '../models/types.ts';
import type { ToolDefinition } from './types.ts';

/** Keys that model servers read; Ollama drops all others, and every byte costs context. */
const KEPT = new Set(['type', 'properties', 'required', 'description', 'enum', 'items', 'anyOf']);

/** The fixed part of a tool's schema: the same bytes at every start. */
export function toToolSchema({ name, description, input }: ToolDefinition): ToolSchema {
  const schema = z.toJSONSchema(input, { io: 'input' });
  return { name, description, parameters: trim(schema) as JsonSchema };
}

function trim(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(trim);
  if (schema === null || typeof schema !== 'object') return schema;
  const kept: [string, unknown][] = [];
  for (const [key, value] of Object.entries(schema)) {
    if (key === 'properties') {
      const properties = Object.entries(value as object).map(([name, inner]) => [
        name,
        trim(inner),
      ]);
      kept.push([key, Object.fromEntries(properties)]);
    } else if (KEPT.has(key)) kept.push([key, trim(value)]);
  }
  return Object.fromEntries(kept);
}

/** A tool in a list of tools. `varies` where a value depends on the arguments. */
export function summarizeTool(tool: ToolDefinition) {
  const { name, category, description, risk, effect } = tool;
  return {
    name,
    category,
    description,
    risk: typeof risk === 'function' ? 'varies' : risk,
    effect: typeof effect === 'function' ? 'varies' : effect,
    parameters: toToolSchema(tool).parameters,
  };
}
