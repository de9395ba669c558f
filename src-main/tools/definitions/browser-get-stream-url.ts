import { z } from 'zod';
import { defineTool } from '../define-tool.ts';
import type { ToolDefinition } from '../types.ts';

/** Says where the user sees the browser live. */
export function tool(): ToolDefinition {
  return defineTool({
    name: 'browser_get_stream_url',
    description: 'Where the user watches the browser.',
    input: z.strictObject({}),
    risk: 'low',
    effect: 'read',
    run: async (_input, { threadId }) => {
      const streamUrl = `browser:${threadId}`;
      return {
        content: `The user watches and can take over in the Browser tab beside the conversation.`,
        data: streamUrl,
        events: [{ type: 'browser_stream', streamUrl, label: 'Browser' }],
      };
    },
  });
}
