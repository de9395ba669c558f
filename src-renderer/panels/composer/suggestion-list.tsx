import './suggestion-list.css';
import {
  BookOpen,
  File,
  type LucideIcon,
  MessageSquare,
  Plug,
  Puzzle,
  TextQuote,
  Wand,
  Zap,
} from 'lucide-react';
import {
  type ReactNode,
  type Ref,
  useEffect,
  useImperativeHandle,
  useLayoutEffect,
  useRef,
} from 'react';
import { useAnnounce } from '../../components/announcer.tsx';
import { type Choices, useChoices } from '../../components/use-choices.ts';
import { suggestionStrings as words } from '../../strings/suggestions.ts';
import { FoundOption } from '../palette/found-option.tsx';
import type { SuggestionGroup, SuggestionTarget } from './suggestions.ts';
import type { TypedSign } from './typed-sign.ts';

/** A list over the message box that is on the screen: its id, and the id of its active option. */
export interface ShownList {
  readonly listId: string;
  readonly activeId: string | undefined;
}

const ICONS: Readonly<Record<SuggestionTarget['kind'], LucideIcon>> = {
  mode: Wand,
  skill: Puzzle,
  prompt: TextQuote,
  action: Zap,
  file: File,
  task: MessageSquare,
  document: BookOpen,
  resource: Plug,
  offeredPrompt: Plug,
};

/** From the list to the message box, and to the edge of the window. */
const MARGIN = 12;

/** What can take the place of a typed sign. Not shown where there is nothing; the focus stays in the text. */
export function SuggestionList({
  typed: { sign, query },
  groups,
  keys,
  onShown,
  onChoose,
}: {
  readonly typed: TypedSign;
  readonly groups: readonly SuggestionGroup[];
  /** Gets the keys of the text field first. */
  readonly keys: Ref<Choices['press']>;
  readonly onShown: (shown: ShownList | null) => void;
  readonly onChoose: (target: SuggestionTarget) => void;
}): ReactNode {
  const announce = useAnnounce();
  const all = groups.flatMap(({ found }) => found);
  const count = all.length;
  const choices = useChoices({
    keys: all.map(({ item }) => item.key),
    query,
    takesTab: true,
    onChoose: (index) => {
      const chosen = all[index];
      if (chosen !== undefined) onChoose(chosen.item.target);
    },
  });
  const { listId, activeId } = choices;
  useImperativeHandle(keys, () => choices.press);
  useLayoutEffect(() => {
    onShown(activeId === undefined ? null : { listId, activeId });
    return () => onShown(null);
  }, [onShown, listId, activeId]);
  useEffect(() => announce(words.count(count)), [announce, count]);
  const place = useRef<HTMLDivElement>(null);
  // As high as there is room over the message box, which grows with its text.
  useLayoutEffect(() => {
    const top = place.current?.offsetParent?.getBoundingClientRect().top ?? 0;
    place.current?.style.setProperty('--room', `${top - MARGIN}px`);
  });
  if (count === 0) return null;
  return (
    <div
      ref={place}
      role="listbox"
      id={listId}
      className="suggestion-list"
      aria-label={words.labels[sign]}
      onMouseDown={(event) => event.preventDefault()}
    >
      {groups.map(({ title, from, found }) => (
        // biome-ignore lint/a11y/useSemanticElements: a listbox has no element for its groups
        <div key={title} role="group" aria-label={title}>
          <div className="menu-label" aria-hidden="true">
            {title}
          </div>
          {found.map(({ item, pieces }, index) => (
            <FoundOption
              key={item.key}
              icon={ICONS[item.target.kind]}
              pieces={pieces}
              detail={item.detail}
              id={choices.idOf(from + index)}
              active={from + index === choices.active}
              onPoint={() => choices.setActive(from + index)}
              onChoose={() => onChoose(item.target)}
            />
          ))}
        </div>
      ))}
    </div>
  );
}
