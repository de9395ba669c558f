import { z } from 'zod';
import { describeReport } from '../../apps/check-app.ts';
import { defineTool, type ToolParts } from '../define-tool.ts';
import type { ToolDefinition } from '../types.ts';

const name = z.string().min(1).max(200);
const Step = z.union([
  z.strictObject({ click: name }),
  z.strictObject({ fill: name, value: z.string().max(1_000) }),
  z.strictObject({ expect: name }),
  z.strictObject({ gone: name }),
]);

/** Opens the app in a browser that nobody watches, and says what is wrong with it. */
export function tool({ apps, pictures }: Pick<ToolParts, 'apps' | 'pictures'>): ToolDefinition {
  return defineTool({
    name: 'app_check',
    description:
      'Check the app: types, server, errors, blank page, layout, buttons. Steps by visible names prove what it must do. Call it after changes and before you say that it is done.',
    input: z.strictObject({ steps: z.array(Step).max(30).optional() }),
    risk: 'low',
    effect: 'read',
    run: async ({ steps = [] }, context) => {
      const { sandbox, threadId, signal, emit } = context;
      const onProgress = (line: string): void =>
        emit({ type: 'stage', name: 'sandbox_start', status: 'running', description: line });
      const runtime = await sandbox.runtime({ signal, onProgress });
      const files = sandbox.workspace.withoutLinks();
      const touch = (path: string): Promise<void> => sandbox.workspace.touch(path);
      const report = await apps.check(threadId, { files, touch, runtime, steps, signal });
      const { problems, passed, text, screenshot } = report;
      const output = {
        content: describeReport(report),
        ok: problems.length === 0,
        data: {
          problems: problems.map(({ kind, message, place }) => ({ kind, message, place })),
          passed,
          text,
        },
      };
      if (screenshot === null) return output;
      const picture = await pictures.add(
        threadId,
        { name: 'a picture of the app', bytes: screenshot },
        signal,
      );
      return { ...output, pictures: [picture], ownPictures: true };
    },
  });
}
