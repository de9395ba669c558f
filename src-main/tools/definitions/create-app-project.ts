import path from 'node:path/posix';
import { z } from 'zod';
import { AppTemplate } from '#contract/apps.ts';
import { AppError } from '#contract/errors.ts';
import { MAIN_FILES, packageName, type TemplateFile } from '../../apps/templates.ts';
import type { WorkspaceFiles } from '../../sandbox/types.ts';
import { defineTool, type ToolParts } from '../define-tool.ts';
import { changeEvents } from '../run-command.ts';
import type { ToolDefinition } from '../types.ts';
import { insideWorkspace } from '../workspace-paths.ts';

/** Writes the files of a new app, and makes it the app of the task. */
export function tool({ apps }: Pick<ToolParts, 'apps'>): ToolDefinition {
  return defineTool({
    name: 'create_app_project',
    description:
      'Start a web app from a template, offline: static (HTML, CSS, JS), react (TypeScript), vue, express (server and page). Then write its files and start its server.',
    input: z.strictObject({
      name: z.string().min(1).max(80),
      template: AppTemplate,
      folder: z.string().min(1).max(200).optional().describe('in /workspace; from the name'),
    }),
    question: () => 'Create this app?',
    risk: 'medium',
    effect: 'idempotent',
    subjects: (input) => ({ paths: [folderOf(input)] }),
    run: async ({ name, template }, context) => {
      const { workspace } = context.sandbox;
      const folder = context.paths[0] ?? '';
      const files = await apps.files(template, name);
      const opened = workspace.withoutLinks();
      await requireFree(folder, files, opened);
      using watch = await workspace.watch(context.toolCallId, context.paths);
      for (const file of files) await opened.write(path.join(folder, file.path), file.content);
      const events = changeEvents(context.toolCallId, await watch.end());
      await apps.made(context.threadId, { folder, template });
      const paths = files.map((file) => path.join(folder, file.path));
      const main = MAIN_FILES[template].map((file) => path.join(folder, file));
      return {
        content: `Created ${paths.join(', ')}. Write ${main.join(' and ')} and what else it needs with app_write_file, then call app_start_server. Its packages are installed.`,
        data: { folder, files_created: paths, main_files: main },
        events,
      };
    },
  });
}

function folderOf({ name, folder }: { name: string; folder?: string | undefined }): string {
  return folder === undefined ? packageName(name) : insideWorkspace(folder);
}

/** A folder with other files is not written into; with these, a call before a crash wrote them. */
async function requireFree(
  folder: string,
  wanted: readonly TemplateFile[],
  files: WorkspaceFiles,
): Promise<void> {
  const { entries } = await files.list(folder, { recursive: true }).catch((error: unknown) => {
    if (error instanceof AppError && error.code === 'NOT_FOUND') return { entries: [] };
    throw error;
  });
  for (const entry of entries) {
    if (entry.kind === 'directory') continue;
    const file = wanted.find((one) => path.join(folder, one.path) === entry.path);
    const content = file === undefined ? null : Buffer.from(file.content);
    const found = content === null ? null : await files.read(entry.path, content.length + 1);
    if (content !== null && found?.data.equals(content) === true) continue;
    throw new AppError(
      'CONFLICT',
      `${folder} has files already (${entry.path}). Choose another folder, or write them with app_write_file and call app_start_server.`,
    );
  }
}
