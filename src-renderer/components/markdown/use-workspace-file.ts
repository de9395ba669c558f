import { useEffect, useState } from 'react';
import { useSession } from '../../session-context.ts';
import type { FileContent } from '../../store/file-cache.ts';

export type FileState =
  | { readonly phase: 'loading' }
  | { readonly phase: 'ready'; readonly content: FileContent }
  | { readonly phase: 'failed'; readonly problem: string };

/** A file of a task's workspace, read again when `version` changes; the old one stays until then. */
export function useWorkspaceFile(
  threadId: string | null,
  path: string,
  version: number,
): FileState {
  const { files } = useSession();
  const name = `${threadId} ${path}`;
  const [state, setState] = useState<FileState & { readonly name: string }>({
    phase: 'loading',
    name,
  });
  useEffect(() => {
    if (threadId === null) return;
    let cancelled = false;
    void files.read(threadId, path, version).then((result) => {
      if (cancelled) return;
      setState(
        result.ok
          ? { phase: 'ready', content: result.content, name }
          : { phase: 'failed', problem: result.problem, name },
      );
    });
    return () => {
      cancelled = true;
    };
  }, [files, threadId, path, version, name]);
  return state.name === name ? state : { phase: 'loading' };
}
