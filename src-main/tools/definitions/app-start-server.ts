import { z } from 'zod';
import { plainArgv } from '../../hitl/argv.ts';
import { serverOutput } from '../app-project.ts';
import { defineTool, type ToolParts } from '../define-tool.ts';
import type { ToolDefinition } from '../types.ts';

/** Starts the server of the task's app in its sandbox, where it outlives the run. */
export function tool({ apps }: Pick<ToolParts, 'apps'>): ToolDefinition {
  return defineTool({
    name: 'app_start_server',
    description:
      "Start the app's server and show it to the user. Without a command it runs the script dev of package.json. Any port will do. It reloads changed files by itself.",
    input: z.strictObject({
      folder: z.string().max(200).optional().describe('another folder of /workspace'),
      command: z.string().min(1).max(2_000).optional(),
      restart: z.boolean().optional(),
    }),
    question: () => 'Start the server of this app?',
    notice: ({ command }) =>
      command === undefined
        ? 'It runs the script dev of its package.json in the sandbox, until you stop it or nobody looks for 30 minutes.'
        : 'It runs this command in the sandbox, until you stop it or nobody looks for 30 minutes.',
    risk: 'high',
    effect: 'idempotent',
    subjects: ({ command }) => (command === undefined ? {} : { argv: plainArgv(command) }),
    run: async ({ folder, command, restart }, { threadId, signal }) => {
      const known = apps.state(threadId).folder;
      const wish =
        known === null && folder === undefined && command === undefined
          ? null
          : { folder: folder ?? known ?? '', command, restart };
      return serverOutput(await apps.start(threadId, wish, signal), { apps });
    },
  });
}
