import { z } from 'zod';
import { defineTool, type ToolParts } from '../define-tool.ts';
import type { ToolDefinition } from '../types.ts';

const LINES = 60;

/** What the server of the app printed last. */
export function tool({ apps }: Pick<ToolParts, 'apps'>): ToolDefinition {
  return defineTool({
    name: 'app_read_log',
    description: "What the app's server printed last.",
    input: z.strictObject({ lines: z.int().min(1).max(500).optional() }),
    risk: 'low',
    effect: 'read',
    run: async ({ lines = LINES }, { threadId }) => {
      const log = apps.log(threadId, lines).trim();
      const content = log === '' ? 'The server has printed nothing.' : log;
      return { content, data: log };
    },
  });
}
