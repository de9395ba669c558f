import { z } from 'zod';
import type { PagePlace } from '../../browser/types.ts';
import { type BrowserToolParts, browserTool, Ref } from '../browser-tool.ts';
import type { ToolDefinition } from '../types.ts';

/** Drags with the mouse from one element or point to another. */
export function tool(parts: BrowserToolParts): ToolDefinition {
  return browserTool(parts, {
    name: 'browser_drag',
    description: 'Drag from one place to another: a ref, or "x,y".',
    input: z.strictObject({ from: Ref, to: Ref }),
    action: ({ from, to }) => ({ kind: 'drag', from: pointOrRef(from), to: pointOrRef(to) }),
  });
}

function pointOrRef(text: string): PagePlace {
  const [, x, y] = /^(-?[\d.]+)\s*,\s*(-?[\d.]+)$/.exec(text) ?? [];
  return x === undefined || y === undefined ? { ref: text } : { x: Number(x), y: Number(y) };
}
