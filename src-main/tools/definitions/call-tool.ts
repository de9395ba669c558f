import { z } from 'zod';
import { defineTool } from '../define-tool.ts';
import type { ToolDefinition } from '../types.ts';

/** Stands for a call of a connector's tool: `prepareCall` puts that call in its place. */
export function tool(): ToolDefinition {
  return defineTool({
    name: 'call_tool',
    description: 'Calls a tool that search_tools found.',
    input: z.strictObject({
      name: z.string().min(1).describe('as search_tools gave it'),
      arguments: z.record(z.string(), z.unknown()).describe('the arguments of that tool'),
    }),
    risk: 'low',
    effect: 'read',
    run: async ({ name }) => ({
      content: `There is no tool ${JSON.stringify(name.slice(0, 100))} of a connector. Find one with search_tools.`,
      ok: false,
    }),
  });
}
