import { type ReactNode, type RefObject, useEffect, useMemo, useState } from 'react';
import { flushSync } from 'react-dom';
import type { Thread } from '#contract/entities.ts';
import type { LibraryHit } from '#contract/library.ts';
import type { SavedPrompt } from '#contract/settings.ts';
import type { SkillSummary } from '#contract/skills.ts';
import type { WorkspaceEntry } from '#contract/workspace.ts';
import type { Choices } from '../../components/use-choices.ts';
import { useApp, useSession } from '../../session-context.ts';
import { draftOf, loadedValue } from '../../store/selectors.ts';
import { offeredModes } from '../../store/skill-list.ts';
import { suggestionEdit, typeEdit } from './insert-suggestion.ts';
import { type ShownList, SuggestionList } from './suggestion-list.tsx';
import {
  type ChosenOffer,
  documentSuggestions,
  fileSource,
  findSuggestions,
  foundGroup,
  type Offers,
  resourceSource,
  type SuggestionTarget,
  slashSources,
  taskSource,
} from './suggestions.ts';
import type { TypedSign } from './typed-sign.ts';

interface SuggestionsProps {
  readonly typed: TypedSign;
  readonly threadId: string | null;
  readonly draftKey: string;
  readonly input: RefObject<HTMLTextAreaElement | null>;
  readonly keys: RefObject<Choices['press'] | null>;
  readonly onShown: (shown: ShownList | null) => void;
  /** A suggestion took the place of the sign: what was put there opens no list. */
  readonly onInserted: () => void;
  /** Asks for a name under which the message is saved. */
  readonly onSave: () => void;
  /** Attaches a resource of a connector, or inserts a prompt; what either asks for is asked first. */
  readonly onOffer: (chosen: ChosenOffer) => void;
}

/** What `/` or `@` offers at the caret, and what a choice does to the message. */
export function ComposerSuggestions(props: SuggestionsProps): ReactNode {
  const { typed, draftKey, input } = props;
  const { drafts, settings, store } = useSession();
  const choose = (target: SuggestionTarget): void => {
    const { text } = draftOf(store.get(), draftKey);
    const edit = suggestionEdit(text, typed, target);
    const field = input.current;
    if (field === null || !typeEdit(field, edit)) {
      const changed = text.slice(0, edit.from) + edit.inserted + text.slice(edit.to);
      // The caret can only go where there is text already.
      flushSync(() => drafts.change(draftKey, { text: changed }));
    }
    field?.setSelectionRange(...edit.selected);
    props.onInserted();
    if (target.kind === 'mode') drafts.change(draftKey, { mode: target.mode });
    if (target.kind === 'offeredPrompt' || target.kind === 'resource') props.onOffer(target);
    else if (target.kind === 'task') {
      void drafts.attachTask(draftKey, { id: target.threadId, title: target.title });
    } else if (target.kind === 'action') {
      if (target.action === 'save') props.onSave();
      else settings.show('prompts');
    }
  };
  const List = typed.sign === '/' ? SlashList : MentionList;
  return <List {...props} onChoose={choose} />;
}

type ListProps = SuggestionsProps & { readonly onChoose: (target: SuggestionTarget) => void };

const NO_PROMPTS: readonly SavedPrompt[] = [];
const NO_SKILLS: readonly SkillSummary[] = [];

function SlashList({ draftKey, ...props }: ListProps): ReactNode {
  const { typed } = props;
  const skills = useApp((state) => loadedValue(state.skills) ?? NO_SKILLS);
  const prompts = useApp((state) => state.settings?.prompts ?? NO_PROMPTS);
  // Besides what is being typed here.
  const canSave = useApp((state) => {
    const { text } = draftOf(state, draftKey);
    const rest = text.slice(0, typed.from) + text.slice(typed.from + 1 + typed.query.length);
    return rest.trim() !== '';
  });
  const offers = useOffers();
  const sources = useMemo(
    () =>
      slashSources({
        ...{ modes: offeredModes(skills), skills, prompts, canSave },
        offers: offers ?? NO_OFFERS,
      }),
    [skills, prompts, offers, canSave],
  );
  // The first entry is marked when the list opens, so everything must be there by then.
  if (offers === null) return null;
  return <SuggestionList {...props} groups={findSuggestions(sources, typed.query)} />;
}

const NO_THREADS: readonly Thread[] = [];

function MentionList({ threadId, ...props }: ListProps): ReactNode {
  const { query } = props.typed;
  const threads = useApp((state) => loadedValue(state.threads) ?? NO_THREADS);
  const entries = useFiles(threadId);
  const offers = useOffers();
  const hits = useDocuments(query);
  const isPath = query.includes('/');
  const files = useMemo(
    () => fileSource(entries ?? [], isPath ? 'path' : 'name'),
    [entries, isPath],
  );
  const tasks = useMemo(() => taskSource(threads, threadId), [threads, threadId]);
  const resources = useMemo(() => resourceSource(offers ?? NO_OFFERS), [offers]);
  const named = useMemo(
    () => findSuggestions([files, tasks, resources], query),
    [files, tasks, resources, query],
  );
  const from = named.reduce((sum, { found }) => sum + found.length, 0);
  // Below the others, which stay where they are while documents are searched.
  const documents = foundGroup('document', from, documentSuggestions(hits));
  // Nothing is shown until both are read, so that no entry moves.
  if (entries === null || offers === null) return null;
  return <SuggestionList {...props} groups={[...named, ...documents]} />;
}

const NO_ENTRIES: readonly WorkspaceEntry[] = [];

/** The files of a task, as they are when the list opens; null until they are read. */
function useFiles(threadId: string | null): readonly WorkspaceEntry[] | null {
  const { bridge } = useSession();
  const [entries, setEntries] = useState(threadId === null ? NO_ENTRIES : null);
  useEffect(() => {
    if (threadId === null) return;
    let cancelled = false;
    void bridge.request('files.list', { threadId }).then((result) => {
      // Where they cannot be read, the rest is still offered; the tab of the files says why.
      if (!cancelled) setEntries(result.ok ? result.data.entries : NO_ENTRIES);
    });
    return () => {
      cancelled = true;
    };
  }, [bridge, threadId]);
  return entries;
}

const NO_OFFERS: Offers = [];

/** Resources and prompts of connectors, read when the list opens; null until then. */
function useOffers(): Offers | null {
  const { bridge } = useSession();
  const [offers, setOffers] = useState<Offers | null>(null);
  useEffect(() => {
    let cancelled = false;
    void bridge.request('connectors.offers', {}).then((result) => {
      // Without them, the rest is still offered.
      if (!cancelled) setOffers(result.ok ? result.data.offers : NO_OFFERS);
    });
    return () => {
      cancelled = true;
    };
  }, [bridge]);
  return offers;
}

/** A pause in typing after which the library is searched. */
const PAUSE_MS = 200;
const LEAST_LETTERS = 2;
const NO_HITS: readonly LibraryHit[] = [];

/** The documents of the user's library with the query in their name or title. */
function useDocuments(query: string): readonly LibraryHit[] {
  const { bridge } = useSession();
  const hasLibrary = useApp((state) => (state.settings?.libraryFolders.length ?? 0) > 0);
  const isAsked = hasLibrary && query.length >= LEAST_LETTERS;
  const [hits, setHits] = useState(NO_HITS);
  useEffect(() => {
    let cancelled = false;
    const search = async (): Promise<void> => {
      const result = await bridge.request('library.search', { query, by: 'name', limit: 8 });
      if (!cancelled) setHits(result.ok ? result.data.hits : NO_HITS);
    };
    const timer = isAsked ? setTimeout(() => void search(), PAUSE_MS) : undefined;
    return () => {
      cancelled = true;
      clearTimeout(timer);
    };
  }, [bridge, query, isAsked]);
  return isAsked ? hits : NO_HITS;
}
