import type { z } from 'zod';
import type { ToolDefinition } from './types.ts';

/** A tool, with the type of its arguments kept from the catalogue, which holds many kinds. */
export function defineTool<Input extends z.ZodType>(
  definition: ToolDefinition<Input>,
): ToolDefinition {
  // The pipeline parses with `input` before it calls anything else of the same definition.
  return definition as unknown as ToolDefinition;
}
