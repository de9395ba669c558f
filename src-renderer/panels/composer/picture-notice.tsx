import { EyeOff } from 'lucide-react';
import { type ReactNode, useEffect } from 'react';
import { Button } from '../../components/button.tsx';
import { useApp, useSession } from '../../session-context.ts';
import { type Draft, modelKey } from '../../store/app-state.ts';
import { blindModel, chosenModel, hasPictures } from '../../store/selectors.ts';
import { composerStrings } from '../../strings/composer.ts';

const words = composerStrings.blind;

/** Says before sending that the chosen model will not see the pictures of the draft, and offers one that does. */
export function PictureNotice({
  threadId,
  draftKey,
  draft,
}: {
  readonly threadId: string | null;
  readonly draftKey: string;
  readonly draft: Draft;
}): ReactNode {
  const { models, drafts } = useSession();
  const chosen = useApp((state) =>
    hasPictures(draft) ? chosenModel(state, threadId, draft) : null,
  );
  const notice = useApp((state) => blindModel(state, threadId, draft)?.sight ?? null);
  const key = chosen === null ? null : modelKey(chosen);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key stands for the model
  useEffect(() => {
    if (chosen !== null) void models.loadSight(chosen);
  }, [key, models]);
  if (notice === null || chosen === null) return null;
  const { vision, other } = notice;
  return (
    <div className="composer-notice" role="status">
      <EyeOff aria-hidden="true" size={15} />
      <span className="composer-notice-text">
        {(vision === false ? words.no : words.unknown)(chosen.name)}
        {other === null && ` ${words.none}`}
      </span>
      {other !== null && (
        <Button size="small" onClick={() => drafts.change(draftKey, { model: other })}>
          {words.use(other.name)}
        </Button>
      )}
    </div>
  );
}
