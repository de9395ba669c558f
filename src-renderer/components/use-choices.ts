import { type KeyboardEvent, useEffect, useId, useState } from 'react';

/**
 * A text field with a list of choices, by the combobox pattern of ARIA: the focus stays in the text, the arrows move
 * through the list, and Enter (or Tab, if it is wanted) takes the active choice. What an input method composes
 * stays with it.
 */
export interface Choices {
  readonly active: number;
  readonly listId: string;
  /** Id of the active choice, for `aria-activedescendant`. */
  readonly activeId: string | undefined;
  /** Id of the choice at a place. */
  readonly idOf: (index: number) => string;
  readonly setActive: (index: number) => void;
  /** Handles a key; true if it was one of the list's. */
  readonly press: (event: KeyboardEvent) => boolean;
}

export function useChoices({
  keys,
  query,
  takesTab = false,
  onChoose,
}: {
  /** Of the choices in their order, each once: the active one stays so while others come and go. */
  readonly keys: readonly string[];
  /** The active choice is the first again when it changes. */
  readonly query: string;
  readonly takesTab?: boolean;
  readonly onChoose: (index: number) => void;
}): Choices {
  const listId = useId();
  const count = keys.length;
  const [marked, setMarked] = useState({ query, key: '' });
  const active = marked.query === query ? Math.max(0, keys.indexOf(marked.key)) : 0;
  const setActive = (index: number): void => setMarked({ query, key: keys[index] ?? '' });
  if (marked.query !== query || marked.key !== (keys[active] ?? '')) setActive(active);
  const idOf = (index: number): string => `${listId}-${index}`;
  const activeId = count === 0 ? undefined : idOf(active);

  useEffect(() => {
    if (activeId !== undefined) {
      document.getElementById(activeId)?.scrollIntoView({ block: 'nearest' });
    }
  }, [activeId]);

  const press = (event: KeyboardEvent): boolean => {
    // 229 is what older input methods send in place of `isComposing`.
    const composing = event.nativeEvent.isComposing || event.keyCode === 229;
    if (composing || count === 0 || event.ctrlKey || event.altKey || event.metaKey) return false;
    const target = placeAfter(event.key, active, count);
    if (target !== null) setActive(target);
    else if ((event.key === 'Enter' || (takesTab && event.key === 'Tab')) && !event.shiftKey) {
      onChoose(active);
    } else return false;
    event.preventDefault();
    return true;
  };
  return { active, listId, activeId, idOf, setActive, press };
}

/** Choices that a page key moves by. */
const PAGE = 8;

function placeAfter(key: string, active: number, count: number): number | null {
  switch (key) {
    case 'ArrowDown':
      return (active + 1) % count;
    case 'ArrowUp':
      return (active + count - 1) % count;
    case 'PageDown':
      return Math.min(count - 1, active + PAGE);
    case 'PageUp':
      return Math.max(0, active - PAGE);
    default:
      return null;
  }
}
