import { z } from 'zod';
import { defined } from '#contract/defined.ts';
import { type BrowserToolParts, browserTool } from '../browser-tool.ts';
import type { ToolDefinition } from '../types.ts';

/** A picture of the page, with masked fields covered. */
export function tool(parts: BrowserToolParts): ToolDefinition {
  return browserTool(parts, {
    name: 'browser_screenshot',
    description: 'See a picture of the page. In drawings: refs, and points to click.',
    input: z.strictObject({ whole_page: z.boolean().optional() }),
    action: ({ whole_page: wholePage }) => ({ kind: 'screenshot', ...defined({ wholePage }) }),
  });
}
