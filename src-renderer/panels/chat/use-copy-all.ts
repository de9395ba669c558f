import { type RefObject, useEffect, useState } from 'react';

/**
 * Select all in the conversation means all of it, although only some rows are rendered: what is copied then is
 * what `text` gives. Returns whether all is selected.
 */
export function useCopyAll(scroller: RefObject<HTMLElement | null>, text: () => string): boolean {
  const [isAll, setIsAll] = useState(false);
  useEffect(() => {
    const element = scroller.current;
    if (element === null) return;
    const selectAll = (event: KeyboardEvent): void => {
      const isTyped = event.target instanceof Element && event.target.closest('input, textarea');
      const isWanted = (event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'a';
      if (!isWanted || event.shiftKey || event.altKey || isTyped) return;
      event.preventDefault();
      getSelection()?.selectAllChildren(element);
      setIsAll(true);
    };
    element.addEventListener('keydown', selectAll);
    return () => element.removeEventListener('keydown', selectAll);
  }, [scroller]);
  useEffect(() => {
    if (!isAll) return;
    const copy = (event: ClipboardEvent): void => {
      event.preventDefault();
      event.clipboardData?.setData('text/plain', text());
    };
    const leave = (event: Event): void => {
      const isKey = event instanceof KeyboardEvent;
      // The keys of copying, and those that scroll, leave the selection as it is.
      if (isKey && (event.ctrlKey || event.metaKey || SCROLLING.has(event.key))) return;
      if (isKey && (event.key === 'Control' || event.key === 'Meta')) return;
      getSelection()?.removeAllRanges();
      setIsAll(false);
    };
    document.addEventListener('copy', copy);
    document.addEventListener('pointerdown', leave);
    document.addEventListener('keydown', leave);
    return () => {
      document.removeEventListener('copy', copy);
      document.removeEventListener('pointerdown', leave);
      document.removeEventListener('keydown', leave);
    };
  }, [isAll, text]);
  return isAll;
}

const SCROLLING = new Set(['ArrowUp', 'ArrowDown', 'PageUp', 'PageDown', 'Home', 'End', ' ']);
