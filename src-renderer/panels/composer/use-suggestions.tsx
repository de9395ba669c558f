import {
  type KeyboardEvent,
  lazy,
  type ReactNode,
  type RefObject,
  Suspense,
  type SyntheticEvent,
  useRef,
  useState,
} from 'react';
import { useCommand } from '../../commands-context.ts';
import type { Choices } from '../../components/use-choices.ts';
import { useSession } from '../../session-context.ts';
import type { ShownList } from './suggestion-list.tsx';
import { useOffers } from './use-offers.tsx';
import { useTypedSign } from './use-typed-sign.ts';

const ComposerSuggestions = lazy(() =>
  import('./composer-suggestions.tsx').then((module) => ({ default: module.ComposerSuggestions })),
);
const SavePromptDialog = lazy(() =>
  import('./save-prompt-dialog.tsx').then((module) => ({ default: module.SavePromptDialog })),
);

type TextEvent = SyntheticEvent<HTMLTextAreaElement>;

/** What the text field of the message box needs for its lists, and the lists and the dialog themselves. */
interface Suggestions {
  readonly field: {
    readonly list: ShownList | null;
    readonly onChange: (event: TextEvent) => void;
    readonly onCaret: (event: TextEvent) => void;
    readonly onLeave: () => void;
    readonly onKey: (event: KeyboardEvent) => boolean;
  };
  readonly list: ReactNode;
}

/** The lists that `/` and `@` open over the message box. What is in them is loaded with the first one. */
export function useSuggestions({
  threadId,
  draftKey,
  text,
  input,
}: {
  readonly threadId: string | null;
  readonly draftKey: string;
  readonly text: string;
  readonly input: RefObject<HTMLTextAreaElement | null>;
}): Suggestions {
  const { drafts } = useSession();
  const { typed, change, move, dismiss, leave } = useTypedSign(text);
  const [shown, setShown] = useState<ShownList | null>(null);
  const [saving, setSaving] = useState(false);
  const offers = useOffers({ draftKey, input });
  const keys = useRef<Choices['press']>(null);
  const save = (): void => setSaving(true);
  useCommand('savePrompt', text.trim() === '' ? null : save);
  return {
    field: {
      list: shown,
      onChange: (event) => {
        drafts.change(draftKey, { text: event.currentTarget.value });
        change(event);
      },
      onCaret: move,
      onLeave: leave,
      onKey: (event) => {
        if (shown === null) return false;
        if (event.key !== 'Escape') return keys.current?.(event) ?? false;
        event.preventDefault();
        dismiss();
        return true;
      },
    },
    list: (
      <>
        {typed !== null && (
          <Suspense fallback={null}>
            <ComposerSuggestions
              key={typed.sign}
              {...{ typed, threadId, draftKey, input, keys }}
              onShown={setShown}
              onInserted={leave}
              onSave={save}
              onOffer={offers.choose}
            />
          </Suspense>
        )}
        {offers.shown}
        {saving && (
          <Suspense fallback={null}>
            <SavePromptDialog text={text} onClose={() => setSaving(false)} />
          </Suspense>
        )}
      </>
    ),
  };
}
