import { z } from 'zod';
import { defined } from '#contract/defined.ts';
import { type BrowserToolParts, browserTool, Ref } from '../browser-tool.ts';
import type { ToolDefinition } from '../types.ts';

/** Presses a key, in the focused element or in `ref`. Enter counts as sending or clicking. */
export function tool(parts: BrowserToolParts): ToolDefinition {
  return browserTool(parts, {
    name: 'browser_press_key',
    description: 'Press a key such as Enter or Control+A.',
    input: z.strictObject({ key: z.string().min(1).max(40), ref: Ref.optional() }),
    action: ({ key, ref }) => ({ kind: 'press_key', key, ...defined({ ref }) }),
  });
}
