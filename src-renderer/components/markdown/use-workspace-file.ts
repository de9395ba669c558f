import { useEffect, useState } from 'react';
import { useApp, useSession } from '../../session-context.ts';
import { fileKey } from '../../store/app-state.ts';
import type { FileContent } from '../../store/file-cache.ts';

export type FileState =
  | { readonly phase: 'loading' }
  | { readonly phase: 'ready'; readonly content: FileContent }
  | { readonly phase: 'failed'; readonly problem: string; readonly isGone: boolean };

/** A file of a task's workspace, read again when `version` changes, or the user saved it; the old one stays until then. */
export function useWorkspaceFile(
  threadId: string | null,
  path: string,
  version: number | string,
): FileState {
  const { files } = useSession();
  const saves = useApp((state) => state.savedFiles.get(fileKey(threadId ?? '', path)) ?? 0);
  const name = `${threadId} ${path}`;
  const [state, setState] = useState<FileState & { readonly name: string }>({
    phase: 'loading',
    name,
  });
  useEffect(() => {
    if (threadId === null) return;
    let cancelled = false;
    void files.read(threadId, path, `${version} ${saves}`).then((result) => {
      if (cancelled) return;
      setState(
        result.ok
          ? { phase: 'ready', content: result.content, name }
          : { phase: 'failed', problem: result.problem, isGone: result.isGone, name },
      );
    });
    return () => {
      cancelled = true;
    };
  }, [files, threadId, path, version, saves, name]);
  return state.name === name ? state : { phase: 'loading' };
}
