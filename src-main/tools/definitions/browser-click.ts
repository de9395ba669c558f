import { z } from 'zod';
import { defined } from '#contract/defined.ts';
import { type BrowserToolParts, browserTool, placeOf, Ref } from '../browser-tool.ts';
import type { ToolDefinition } from '../types.ts';

/** Clicks an element by its ref; by a point only where the model sees. */
export function tool(parts: BrowserToolParts): ToolDefinition {
  return browserTool(parts, {
    name: 'browser_click',
    description: 'Click an element, or a point of a screenshot.',
    input: z.strictObject({
      ref: Ref.optional(),
      x: z.number().optional(),
      y: z.number().optional(),
      button: z.enum(['left', 'right', 'middle']).optional(),
      clicks: z.int().min(1).max(3).optional(),
    }),
    action: ({ button, clicks, ...place }) => ({
      kind: 'click',
      at: placeOf(place),
      ...defined({ button, clicks }),
    }),
  });
}
