import { z } from 'zod';
import { defined } from '#contract/defined.ts';
import { type BrowserToolParts, browserTool } from '../browser-tool.ts';
import type { ToolDefinition } from '../types.ts';

/** Answers a dialog; accepting one that asks about an act is that act. */
export function tool(parts: BrowserToolParts): ToolDefinition {
  return browserTool(parts, {
    name: 'browser_dialog',
    description: 'Answer an open dialog of the page.',
    input: z.strictObject({ accept: z.boolean(), text: z.string().max(2_000).optional() }),
    action: ({ accept, text }) => ({ kind: 'dialog', accept, ...defined({ text }) }),
  });
}
