import { z } from 'zod';
import { inAppFolder } from '../../apps/in-app-folder.ts';
import { plainArgv } from '../../hitl/argv.ts';
import { defineTool, type ToolParts } from '../define-tool.ts';
import { runInSandbox } from '../run-command.ts';
import type { ToolDefinition } from '../types.ts';

/** Runs a command in the folder of the app, with the programs of its packages. */
export function tool({
  apps,
  commandTimeoutMs,
}: Pick<ToolParts, 'apps' | 'commandTimeoutMs'>): ToolDefinition {
  return defineTool({
    name: 'app_run_command',
    description: 'Run a bash command in the folder of the app, such as its build or its tests.',
    input: z.strictObject({ command: z.string().min(1) }),
    question: () => 'Run this command?',
    risk: 'high',
    effect: 'opaque',
    subjects: ({ command }) => ({ argv: plainArgv(command) }),
    run: ({ command }, context) => {
      const { folder } = apps.state(context.threadId);
      const code = inAppFolder(folder ?? '', command);
      const timeoutMs = commandTimeoutMs();
      return runInSandbox({ language: 'bash', code, timeoutMs, shown: command }, context);
    },
  });
}
