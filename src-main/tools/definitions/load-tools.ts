import { z } from 'zod';
import { TOOL_FAMILIES, toolsOfFamily } from '#contract/tools.ts';
import { defineTool } from '../define-tool.ts';
import type { ToolDefinition } from '../types.ts';

/** Loads a family of tools, which are sent and accepted from the next answer on: see `agents/tool-families.ts`. */
export function tool(): ToolDefinition {
  return defineTool({
    name: 'load_tools',
    description:
      'browser: pages with clicks, forms, sign-in. app: web app, live. slides: pptx. images: draw.',
    input: z.strictObject({ family: z.enum(TOOL_FAMILIES) }),
    risk: 'low',
    effect: 'read',
    run: async ({ family }) => {
      const names = toolsOfFamily(family).join(', ');
      return { content: `Loaded from your next answer on: ${names}.`, data: names };
    },
  });
}
