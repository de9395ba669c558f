import { z } from 'zod';
import { defined } from '#contract/defined.ts';
import { type BrowserToolParts, browserTool, Ref } from '../browser-tool.ts';
import type { ToolDefinition } from '../types.ts';

/** Replaces what a field holds; `submit` counts as sending its form. */
export function tool(parts: BrowserToolParts): ToolDefinition {
  return browserTool(parts, {
    name: 'browser_type',
    description: 'Fill a field; submit presses Enter.',
    input: z.strictObject({
      ref: Ref,
      text: z.string().max(20_000),
      submit: z.boolean().optional(),
    }),
    action: ({ ref, text, submit }) => ({ kind: 'type', ref, text, ...defined({ submit }) }),
  });
}
