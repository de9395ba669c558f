import { z } from 'zod';
import { type BrowserToolParts, browserTool, placeOf, Ref } from '../browser-tool.ts';
import type { ToolDefinition } from '../types.ts';

/** Moves the mouse over an element, which may open a menu. */
export function tool(parts: BrowserToolParts): ToolDefinition {
  return browserTool(parts, {
    name: 'browser_hover',
    description: 'Move the mouse over an element.',
    input: z.strictObject({
      ref: Ref.optional(),
      x: z.number().optional(),
      y: z.number().optional(),
    }),
    action: (place) => ({ kind: 'hover', at: placeOf(place) }),
  });
}
