import { lazy, type ReactNode, type RefObject, Suspense, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { useSession } from '../../session-context.ts';
import { draftOf } from '../../store/selectors.ts';
import { typeEdit } from './insert-suggestion.ts';
import type { AskedPrompt } from './suggestions.ts';

const OfferedPromptDialog = lazy(() =>
  import('./offered-prompt-dialog.tsx').then((module) => ({ default: module.OfferedPromptDialog })),
);
const WaitingForPrompt = lazy(() =>
  import('./offered-prompt-dialog.tsx').then((module) => ({ default: module.WaitingForPrompt })),
);

/** A prompt, and the message that it is for. */
type Asked = AskedPrompt & { readonly draftKey: string };

/** Requests prompts of connectors, and inserts each into the message that it was requested for. */
export function useOfferedPrompts({
  draftKey,
  input,
}: {
  readonly draftKey: string;
  readonly input: RefObject<HTMLTextAreaElement | null>;
}): {
  readonly askFor: (asked: AskedPrompt) => void;
  /** The dialog for the arguments, or a waiting notice. */
  readonly shown: ReactNode;
} {
  const { bridge, drafts, store, showError } = useSession();
  const [asked, setAsked] = useState<Asked | null>(null);
  /** The request whose answer is still wanted; answers to earlier ones are dropped. */
  const wanted = useRef<Asked | null>(null);
  const shownDraft = useRef(draftKey);
  shownDraft.current = draftKey;

  const insert = (key: string, text: string): void => {
    const field = shownDraft.current === key ? input.current : null;
    if (field !== null) {
      const { selectionStart: from, selectionEnd: to } = field;
      if (typeEdit(field, { from, to, inserted: text, selected: [from, from] })) return;
    }
    // Another message is shown, or the browser cannot type into the field.
    const before = draftOf(store.get(), key).text;
    drafts.change(key, { text: before === '' ? text : `${before}\n\n${text}` });
  };
  const want = (target: Asked | null): void => {
    wanted.current = target;
    setAsked(target);
  };
  /** Inserts the prompt. Returns an error message, or null if it was inserted or is no longer wanted. */
  const get = async (
    target: Asked,
    given: Readonly<Record<string, string>>,
  ): Promise<string | null> => {
    const { connectorId, prompt } = target;
    const result = await bridge.request('connectors.prompt', {
      ...{ connectorId, name: prompt.name },
      arguments: { ...given },
    });
    if (wanted.current !== target) return null;
    if (!result.ok) return result.error.message;
    // Closes the dialog first, because it would keep the focus.
    flushSync(() => want(null));
    insert(target.draftKey, result.data.text);
    return null;
  };
  const askFor = (chosen: AskedPrompt): void => {
    const target = { ...chosen, draftKey };
    want(target);
    if (chosen.prompt.arguments.length > 0) return;
    void get(target, {}).then((problem) => {
      if (problem === null) return;
      want(null);
      showError(problem);
    });
  };
  return {
    askFor,
    shown: asked !== null && (
      <Suspense fallback={null}>
        {asked.prompt.arguments.length === 0 ? (
          <WaitingForPrompt connector={asked.connector} />
        ) : (
          <OfferedPromptDialog
            asked={asked}
            onGet={(given) => get(asked, given)}
            onClose={() => {
              flushSync(() => want(null));
              input.current?.focus();
            }}
          />
        )}
      </Suspense>
    ),
  };
}
