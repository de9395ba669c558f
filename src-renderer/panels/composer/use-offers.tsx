import { lazy, type ReactNode, type RefObject, Suspense, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { useSession } from '../../session-context.ts';
import { draftOf } from '../../store/selectors.ts';
import { typeEdit } from './insert-suggestion.ts';
import type { ChosenOffer } from './suggestions.ts';

const OfferDialog = lazy(() =>
  import('./offer-dialog.tsx').then((module) => ({ default: module.OfferDialog })),
);
const WaitingForPrompt = lazy(() =>
  import('./offer-dialog.tsx').then((module) => ({ default: module.WaitingForPrompt })),
);

/** What was chosen, and the message that it is for. */
type Asked = ChosenOffer & { readonly draftKey: string };
type Given = Readonly<Record<string, string>>;

/** Attaches resources of connectors and inserts their prompts, each into the message that it was chosen for. */
export function useOffers({
  draftKey,
  input,
}: {
  readonly draftKey: string;
  readonly input: RefObject<HTMLTextAreaElement | null>;
}): {
  readonly choose: (chosen: ChosenOffer) => void;
  /** The dialog for what it asks, or a waiting notice. */
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
  const close = (): void => {
    // Closes the dialog first, because it would keep the focus.
    flushSync(() => want(null));
    input.current?.focus();
  };
  const attach = (
    key: string,
    { connectorId, resource: { uri, name } }: Extract<ChosenOffer, { kind: 'resource' }>,
    variables: Given,
  ): void => {
    const shownName = [name, ...Object.values(variables)].join(' ');
    void drafts.attachResource(key, {
      ...{ connectorId, uri, variables: { ...variables } },
      name: shownName,
    });
  };
  /** Returns an error message, or null if it was inserted, is being attached, or is no longer wanted. */
  const get = async (target: Asked, given: Given): Promise<string | null> => {
    if (target.kind === 'resource') {
      close();
      attach(target.draftKey, target, given);
      return null;
    }
    const { connectorId, prompt } = target;
    const result = await bridge.request('connectors.prompt', {
      ...{ connectorId, name: prompt.name },
      arguments: { ...given },
    });
    if (wanted.current !== target) return null;
    if (!result.ok) return result.error.message;
    flushSync(() => want(null));
    insert(target.draftKey, result.data.text);
    return null;
  };
  const choose = (chosen: ChosenOffer): void => {
    if (chosen.kind === 'resource' && chosen.resource.variables.length === 0) {
      attach(draftKey, chosen, {});
      return;
    }
    const target = { ...chosen, draftKey };
    want(target);
    if (target.kind === 'resource' || target.prompt.arguments.length > 0) return;
    void get(target, {}).then((problem) => {
      if (problem === null) return;
      want(null);
      showError(problem);
    });
  };
  const isWaiting = asked?.kind === 'offeredPrompt' && asked.prompt.arguments.length === 0;
  return {
    choose,
    shown: asked !== null && (
      <Suspense fallback={null}>
        {isWaiting ? (
          <WaitingForPrompt connector={asked.connector} />
        ) : (
          <OfferDialog chosen={asked} onGet={(given) => get(asked, given)} onClose={close} />
        )}
      </Suspense>
    ),
  };
}
