import { z } from 'zod';
import { defined } from '#contract/defined.ts';
import { type BrowserToolParts, browserTool, Ref } from '../browser-tool.ts';
import type { ToolDefinition } from '../types.ts';

/** Scrolls the page, or the element `ref`. */
export function tool(parts: BrowserToolParts): ToolDefinition {
  return browserTool(parts, {
    name: 'browser_scroll',
    description: 'Scroll by screens, up if negative.',
    input: z.strictObject({ screens: z.number().min(-50).max(50), ref: Ref.optional() }),
    action: ({ screens, ref }) => ({ kind: 'scroll', screens, ...defined({ ref }) }),
  });
}
