import { ImageOff } from 'lucide-react';
import type { ReactNode } from 'react';
import type { AppState } from '#contract/apps.ts';
import { makeVisible } from '#contract/visible-text.ts';
import { useLoaded } from '../../components/use-loaded.ts';
import { useSession } from '../../session-context.ts';
import { appTabStrings } from '../../strings/app-tab.ts';

const words = appTabStrings.states;

interface StatePictureProps {
  readonly threadId: string;
  readonly state: AppState;
  readonly alt: string;
}

/** What the app looked like; a sign in its place where that is not known. */
export function StatePicture({ threadId, state, alt }: StatePictureProps): ReactNode {
  const { snapshotId, hasPicture } = state;
  return (
    <span className="app-state-picture">
      {hasPicture ? (
        <Picture {...{ threadId, snapshotId, alt }} />
      ) : (
        <ImageOff role="img" aria-label={words.noPicture} size={18} />
      )}
    </span>
  );
}

function Picture({
  threadId,
  snapshotId,
  alt,
}: {
  readonly threadId: string;
  readonly snapshotId: string;
  readonly alt: string;
}): ReactNode {
  const { bridge } = useSession();
  const loaded = useLoaded<'apps.picture'>(
    () => bridge.request('apps.picture', { threadId, snapshotId }),
    `${threadId} ${snapshotId}`,
  );
  if (loaded === null || typeof loaded === 'string') return null;
  return <img src={`data:image/jpeg;base64,${loaded.data}`} alt={alt} />;
}

/** What was asked for, or who changed the files. */
export function titleOfState({ by, prompt }: AppState): string {
  return prompt === null ? words[by] : makeVisible(prompt);
}
