import { z } from 'zod';
import { noApp } from '../../apps/check-app.ts';
import { serverOutput } from '../app-project.ts';
import { defineTool, type ToolParts } from '../define-tool.ts';
import type { ToolDefinition } from '../types.ts';

/** Says where the app is shown, and how its server is. */
export function tool({ apps }: Pick<ToolParts, 'apps'>): ToolDefinition {
  return defineTool({
    name: 'app_get_preview_url',
    description: 'Where the app is shown; browser tools can open it too.',
    input: z.strictObject({}),
    risk: 'low',
    effect: 'read',
    run: async (_input, { threadId }) => {
      const app = apps.state(threadId);
      if (app.folder !== null) return serverOutput(app, { apps });
      return { content: noApp().message, data: { folder: null }, ok: false };
    },
  });
}
