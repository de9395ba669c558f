import { Images } from 'lucide-react';
import type { ReactNode } from 'react';
import { EmptyState } from '../../components/empty-state.tsx';
import { LoadFailed } from '../../components/load-failed.tsx';
import { useTask } from '../../components/markdown/task-context.ts';
import { Skeleton } from '../../components/skeleton.tsx';
import { NO_ARTIFACT_FILTER } from '../../store/app-state.ts';
import type { RunView } from '../../store/run-view.ts';
import { artifactStrings as words } from '../../strings/artifacts.ts';
import { ArtifactList } from './artifact-list.tsx';
import { useArtifacts } from './use-artifacts.ts';

/** Whether calls of a run made a file. */
export function hasArtifacts({ workspace }: RunView): boolean {
  for (const { operation, origin } of workspace.byPath.values()) {
    if (operation !== 'delete' && origin !== 'attachment' && origin !== 'other') return true;
  }
  return false;
}

/** What the agent made in one task. */
export function ArtifactsTab({ threadId }: { readonly threadId: string }): ReactNode {
  const task = useTask();
  const listing = useArtifacts(threadId, NO_ARTIFACT_FILTER);
  const { artifacts, phase, problem, retry } = listing;
  if (artifacts.length > 0) {
    return (
      <ArtifactList listing={listing} ofAll={false} onOpen={({ path }) => task.openFile(path)} />
    );
  }
  if (phase === 'loading') return <Skeleton label={words.loading} lines={5} />;
  if (phase === 'failed') {
    return <LoadFailed title={words.failed} problem={problem} onRetry={retry} />;
  }
  return <EmptyState icon={Images} text={words.none} />;
}
