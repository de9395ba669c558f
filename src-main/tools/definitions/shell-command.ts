import { z } from 'zod';
import { plainArgv } from '../../hitl/argv.ts';
import { defineTool, type ToolParts } from '../define-tool.ts';
import { runInSandbox } from '../run-command.ts';
import type { ToolDefinition } from '../types.ts';

/** Runs a line in the task's shell. */
export function tool({ commandTimeoutMs }: Pick<ToolParts, 'commandTimeoutMs'>): ToolDefinition {
  return defineTool({
    name: 'shell_command',
    description:
      'Run a bash command in the sandbox. Directory and variables stay from one call to the next.',
    input: z.strictObject({
      command: z.string().min(1),
      timeout_seconds: z.number().positive().optional(),
    }),
    question: () => 'Run this command?',
    risk: 'high',
    effect: 'opaque',
    subjects: ({ command }) => ({ argv: plainArgv(command) }),
    run: ({ command, timeout_seconds }, context) => {
      const limit = commandTimeoutMs();
      const timeoutMs = Math.min(limit, (timeout_seconds ?? Number.POSITIVE_INFINITY) * 1000);
      return runInSandbox({ language: 'bash', code: command, timeoutMs }, context);
    },
  });
}
