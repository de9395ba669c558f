import { z } from 'zod';
import { defined } from '#contract/defined.ts';
import { type BrowserToolParts, browserTool } from '../browser-tool.ts';
import type { ToolDefinition } from '../types.ts';

/** Elements and texts of the whole page, by text or role. */
export function tool(parts: BrowserToolParts): ToolDefinition {
  return browserTool(parts, {
    name: 'browser_find',
    description: 'Find elements of the page, also outside the view.',
    input: z
      .strictObject({ text: z.string().max(500).optional(), role: z.string().max(40).optional() })
      .refine(({ text, role }) => text !== undefined || role !== undefined, 'give text or role'),
    action: ({ text, role }) => ({ kind: 'find', ...defined({ text, role }) }),
  });
}
