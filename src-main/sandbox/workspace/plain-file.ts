import { AppError } from '#contract/errors.ts';
import type { Workspace } from '../types.ts';

/** Whether a path leads to a file without any link. */
export async function isPlainFile(
  path: string,
  workspace: Pick<Workspace, 'withoutLinks'>,
): Promise<boolean> {
  try {
    await workspace.withoutLinks().read(path, 0);
    return true;
  } catch (error) {
    if (error instanceof AppError) return false;
    throw error;
  }
}
