import { z } from 'zod';
import { type BrowserToolParts, browserTool, Ref } from '../browser-tool.ts';
import type { ToolDefinition } from '../types.ts';

/** Chooses options of a list by their texts. */
export function tool(parts: BrowserToolParts): ToolDefinition {
  return browserTool(parts, {
    name: 'browser_select',
    description: 'Choose options of a list.',
    input: z.strictObject({
      ref: Ref,
      options: z.array(z.string().max(500)).min(1).max(50),
    }),
    action: ({ ref, options }) => ({ kind: 'select', ref, options }),
  });
}
