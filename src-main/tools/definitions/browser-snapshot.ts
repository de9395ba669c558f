import { z } from 'zod';
import { defined } from '#contract/defined.ts';
import { type BrowserToolParts, browserTool, Ref } from '../browser-tool.ts';
import type { ToolDefinition } from '../types.ts';

/** The page as a list of elements with refs, within the tokens of a view; with `ref`, that part in full. */
export function tool(parts: BrowserToolParts): ToolDefinition {
  return browserTool(parts, {
    name: 'browser_snapshot',
    description: 'See the page: its elements with refs, or all below one ref.',
    input: z.strictObject({ ref: Ref.optional() }),
    action: ({ ref }) => ({ kind: 'snapshot', ...defined({ ref }) }),
  });
}
