import { z } from 'zod';
import { defined } from '#contract/defined.ts';
import { type BrowserToolParts, browserTool } from '../browser-tool.ts';
import type { ToolDefinition } from '../types.ts';

/** Lists the tabs, or shows, closes or opens one. */
export function tool(parts: BrowserToolParts): ToolDefinition {
  return browserTool(parts, {
    name: 'browser_tabs',
    description: 'List tabs; show, close or open one.',
    input: z.strictObject({
      tab: z.int().min(1).max(1_000).optional(),
      close: z.boolean().optional(),
      open: z.boolean().optional(),
    }),
    action: ({ tab, close, open }) => ({ kind: 'tabs', ...defined({ tab, close, open }) }),
  });
}
