import { posix } from 'node:path';
import { AppError } from '#contract/errors.ts';
import type { TaskSandbox, Workspace } from '../sandbox/types.ts';
import type { PreparedCall } from './prepare-call.ts';

/**
 * The call with its paths resolved, for rules to match and for the tool to open: a path can be written in many
 * ways, and a link leads elsewhere. A path that leads nowhere stays as written, and fails when it is opened.
 */
export async function withOpenedPaths(
  call: PreparedCall,
  { sandbox }: { readonly sandbox: Pick<TaskSandbox, 'workspace'> },
): Promise<PreparedCall> {
  const { paths, lastLink = 'follow' } = call.subjects;
  if (paths === undefined) return call;
  const { workspace } = sandbox;
  const opened = paths.map((path) => openedPath(path, lastLink, workspace));
  const below = lastLink === 'keep' ? await filesBelow(opened, workspace) : [];
  return { ...call, subjects: { ...call.subjects, opened, below } };
}

/** What a link or another spelling hides, a sentence each, for the user who decides. */
export function detours({ subjects: { paths = [], opened = [] } }: PreparedCall): string[] {
  return paths.flatMap((path, i) => {
    const leadsTo = opened[i] ?? path;
    if (posix.join(leadsTo, '.') === posix.join(path, '.')) return [];
    return [`${path} leads to ${leadsTo === '' ? 'the whole workspace' : leadsTo}.`];
  });
}

function openedPath(path: string, lastLink: 'follow' | 'keep', workspace: Workspace): string {
  try {
    return workspace.pathOf(path, lastLink);
  } catch (error) {
    if (error instanceof AppError) return path;
    throw error;
  }
}

async function filesBelow(folders: readonly string[], workspace: Workspace): Promise<string[]> {
  const lists = await Promise.all(
    folders.map(async (folder) => {
      try {
        const { entries } = await workspace.withoutLinks().list(folder, { recursive: true });
        return entries.map(({ path }) => path);
      } catch (error) {
        // A file, or nothing at all.
        if (error instanceof AppError) return [];
        throw error;
      }
    }),
  );
  return lists.flat();
}
