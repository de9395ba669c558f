import type { z } from 'zod';
import type { ToolDefinition } from './types.ts';

/** Defines a tool and hides the type of its arguments from the catalogue, which holds many types. */
export function defineTool<Input extends z.ZodType>(
  definition: ToolDefinition<Input>,
): ToolDefinition {
  // Safe: the pipeline parses with `input` before it calls anything else of the definition.
  return definition as unknown as ToolDefinition;
}
