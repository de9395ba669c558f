import { z } from 'zod';
import { type BrowserToolParts, browserTool } from '../browser-tool.ts';
import type { ToolDefinition } from '../types.ts';

/** Goes back in the history of the tab. */
export function tool(parts: BrowserToolParts): ToolDefinition {
  return browserTool(parts, {
    name: 'browser_back',
    description: 'Go back one page.',
    input: z.strictObject({}),
    action: () => ({ kind: 'back' }),
  });
}
