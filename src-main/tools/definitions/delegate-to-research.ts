import { z } from 'zod';
import { defineTool } from '../define-tool.ts';
import type { ToolDefinition } from '../types.ts';

/** Characters of the returned report; the whole report is a file of the workspace. */
const REPORT_CHARS = 12_000;

/** Hands a question to the research agent and reads its report. */
export function tool(): ToolDefinition {
  return defineTool({
    name: 'delegate_to_research',
    description:
      'Hand a question to the research agent: it searches, reads several sources and writes a report with citations. For a single page use fetch_page.',
    input: z.strictObject({
      task: z.string().min(1).max(8_000).describe('the question, complete in itself'),
      artifacts: z
        .array(z.string().min(1).max(300))
        .max(20)
        .optional()
        .describe('globs of files to take along; by default texts, tables, code'),
    }),
    risk: 'low',
    // Repeated after a crash, it continues the research by the id of this call.
    effect: 'idempotent',
    isJob: true,
    restartsAfterParking: true,
    maxResultChars: REPORT_CHARS,
    run: async ({ task, artifacts = null }, { delegate, toolCallId, signal }) => {
      if (delegate === null) {
        return {
          content: 'You cannot delegate from here. Do the work with your own tools.',
          ok: false,
        };
      }
      return await delegate({ task, artifacts, toolCallId, signal });
    },
  });
}
