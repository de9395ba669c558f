import { toToolSchema } from './tool-schema.ts';
import type { ToolDefinition } from './types.ts';

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
