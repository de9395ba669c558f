import path from 'node:path/posix';
import { AppError } from '#contract/errors.ts';
import type { WorkspaceEntry } from '#contract/workspace.ts';
import type { WorkspaceFiles } from '../../sandbox/types.ts';

/** Where builds put their pages: Vite and Vue, Create React App, Next.js. */
const FOLDERS = ['dist', 'build', 'out'];

/** The folders that builds may have filled, and when their page was written. */
export type BuiltPages = ReadonlyMap<string, number>;

export async function builtPages(files: WorkspaceFiles, folder: string): Promise<BuiltPages> {
  const pages = new Map<string, number>();
  for (const name of FOLDERS) {
    const built = path.join(folder, name);
    const page = (await entriesOf(files, built)).find(
      (entry) => entry.path === `${built}/index.html`,
    );
    if (page !== undefined) pages.set(built, page.modifiedAt);
  }
  return pages;
}

/** Of several folders the newest, of those that changed since `before` if there are any; null where there is none. */
export async function builtFolder(
  files: WorkspaceFiles,
  { folder, before }: { readonly folder: string; readonly before: BuiltPages },
): Promise<{ folder: string; files: number; bytes: number } | null> {
  const pages = [...(await builtPages(files, folder))].sort(([, a], [, b]) => b - a);
  const changed = pages.filter(([built, at]) => before.get(built) !== at);
  const [found] = changed.length > 0 ? changed : pages;
  if (found === undefined) return null;
  const entries = await entriesOf(files, found[0], true);
  const made = entries.filter(({ kind }) => kind === 'file');
  const bytes = made.reduce((sum, { size }) => sum + size, 0);
  return { folder: found[0], files: made.length, bytes };
}

/** None where the folder is not there, or is a link. */
async function entriesOf(
  files: WorkspaceFiles,
  folder: string,
  recursive = false,
): Promise<readonly WorkspaceEntry[]> {
  try {
    return (await files.list(folder, { recursive })).entries;
  } catch (error) {
    if (error instanceof AppError) return [];
    throw error;
  }
}
