import { z } from 'zod';
import { AppError } from '#contract/errors.ts';
import { checkWrite } from '../../apps/check-write.ts';
import { letServerHear } from '../../apps/let-server-hear.ts';
import { sha256 } from '../../base/canonical-json.ts';
import type { WorkspaceFiles } from '../../sandbox/types.ts';
import { defineTool, type ToolParts } from '../define-tool.ts';
import { changeUnlessEdited } from '../over-user-edit.ts';
import { changeEvents } from '../run-command.ts';
import type { ToolDefinition, ToolOutput } from '../types.ts';
import { insideWorkspace } from '../workspace-paths.ts';

/** A longer file is not compared. */
const COMPARED_BYTES = 512 * 1024;
/** Refused writes that are remembered. */
const REMEMBERED = 200;

/**
 * Writes a whole file of an app. What models get wrong in whole files (parts left out, a broken `package.json`) is
 * refused once, with what to do; the same write again is meant.
 */
export function tool({ apps, edits }: Pick<ToolParts, 'apps' | 'edits'>): ToolDefinition {
  const refused = new Set<string>();
  return defineTool({
    name: 'app_write_file',
    description: 'Write a whole file of the app: every line of it, nothing left out.',
    input: z.strictObject({
      path: z.string().min(1).max(500).describe('in /workspace'),
      content: z.string(),
    }),
    question: () => 'Write this file?',
    risk: 'medium',
    effect: 'idempotent',
    subjects: ({ path }) => ({ paths: [insideWorkspace(path)] }),
    preview: async ({ content }, { paths: [path = ''], sandbox }) => {
      const before = await textOf(path, sandbox.workspace.withoutLinks());
      return { path, before, after: content, note: '' };
    },
    run: async ({ content }, context) => {
      const { sandbox, threadId, toolCallId, signal } = context;
      const path = context.paths[0] ?? '';
      const files = sandbox.workspace.withoutLinks();
      const change = async (): Promise<ToolOutput> => {
        const isNew = await files.read(path, 0).then(
          () => false,
          () => true,
        );
        const problem = checkWrite({ path, before: await textOf(path, files), after: content });
        const write = sha256(JSON.stringify([threadId, path, content]));
        if (problem !== null && !refused.has(write)) {
          if (refused.size >= REMEMBERED) refused.clear();
          refused.add(write);
          return { content: `${path} was not written. ${problem.message}`, ok: false };
        }
        using watch = await sandbox.workspace.watch(toolCallId, context.paths);
        await files.write(path, content);
        await letServerHear(path, { threadId, apps, workspace: sandbox.workspace, signal });
        const events = changeEvents(toolCallId, await watch.end());
        const wrote = `Wrote ${Buffer.byteLength(content)} bytes to ${path}`;
        return { content: `${wrote}${isNew ? ', a new file' : ''}.`, events };
      };
      return await changeUnlessEdited([path], context, { edits, change });
    },
  });
}

/** Null for a new file, and for one that is too long to compare, or no text. */
async function textOf(path: string, files: WorkspaceFiles): Promise<string | null> {
  try {
    const { data, size } = await files.read(path, COMPARED_BYTES);
    return size > data.length || data.includes(0) ? null : data.toString('utf8');
  } catch (error) {
    if (error instanceof AppError) return null;
    throw error;
  }
}
