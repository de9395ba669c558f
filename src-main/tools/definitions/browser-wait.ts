import { z } from 'zod';
import { defined } from '#contract/defined.ts';
import { type BrowserToolParts, browserTool } from '../browser-tool.ts';
import type { ToolDefinition } from '../types.ts';

/** Waits for a text, or until it is gone, or for some seconds. */
export function tool(parts: BrowserToolParts): ToolDefinition {
  return browserTool(parts, {
    name: 'browser_wait',
    description: 'Wait for text to be there, or gone.',
    input: z.strictObject({
      text: z.string().min(1).max(500).optional(),
      gone: z.boolean().optional(),
      seconds: z.number().min(0).max(60).optional(),
    }),
    action: ({ text, gone, seconds }) => ({ kind: 'wait', ...defined({ text, gone, seconds }) }),
  });
}
