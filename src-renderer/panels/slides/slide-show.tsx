import '../../styles/slide-show.css';
import { ChevronLeft, ChevronRight, NotebookText, X } from 'lucide-react';
import { Dialog } from 'radix-ui';
import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react';
import type { OpenDeck } from '#contract/slides.ts';
import { IconButton } from '../../components/button.tsx';
import { useFocusBack } from '../../components/use-focus-back.ts';
import { VisibleText } from '../../components/visible-text.tsx';
import type { PageCache } from '../../store/page-cache.ts';
import { slideStrings } from '../../strings/slides.ts';
import { aspectOf, PagePicture, usePageWidth } from './page-picture.tsx';

const words = slideStrings.show;

interface SlideShowProps {
  readonly open: OpenDeck;
  readonly cache: PageCache;
  readonly name: string;
  readonly page: number;
  readonly onPage: (page: number) => void;
  readonly onClose: () => void;
}

/** One page at a time over the whole window, and over the whole screen where the browser allows that. */
export function SlideShow(props: SlideShowProps): ReactNode {
  const { open, cache, name, page, onPage, onClose } = props;
  const { pages, hash } = open;
  const [hasNotes, setNotes] = useState(false);
  const [stage, width] = usePageWidth();
  const textId = useId();
  const focusBack = useFocusBack();
  useFullScreen(onClose);
  const last = pages.length - 1;
  const go = (to: number): void => onPage(Math.min(last, Math.max(0, to)));
  // The next page is there before it is asked for.
  useEffect(() => {
    if (width === 0 || page >= last) return;
    return cache.request({ hash, page: page + 1, width }, () => undefined);
  }, [cache, hash, page, width, last]);

  const press = (event: KeyboardEvent): void => {
    const { key, altKey, ctrlKey, metaKey } = event;
    if (altKey || ctrlKey || metaKey) return;
    // A button does what it is for.
    if (key === ' ' && event.target instanceof HTMLButtonElement) return;
    const to = targetOf(event, page, last);
    if (to !== null) go(to);
    else if (key.toLowerCase() === 'n') setNotes(!hasNotes);
    else return;
    event.preventDefault();
  };
  const shown = pages[page];
  return (
    <Dialog.Root open onOpenChange={(isOpen) => !isOpen && onClose()}>
      <Dialog.Portal>
        <Dialog.Content
          className="slide-show"
          style={aspectOf(open)}
          aria-describedby={undefined}
          onKeyDown={press}
          onOpenAutoFocus={(event) => {
            focusBack.onOpenAutoFocus();
            event.preventDefault();
            (event.currentTarget as HTMLElement).focus();
          }}
          onCloseAutoFocus={focusBack.onCloseAutoFocus}
        >
          <Dialog.Title className="visually-hidden">{words.title(name)}</Dialog.Title>
          {/* biome-ignore lint/a11y/noStaticElementInteractions lint/a11y/useKeyWithClickEvents: keys and a button do the same */}
          <div className="slide-show-stage" onClick={() => go(page + 1)}>
            <div className="slide-show-page" ref={stage}>
              <PagePicture
                cache={cache}
                wanted={width === 0 ? null : { hash, page, width }}
                title={shown?.title ?? ''}
                describedBy={textId}
              />
            </div>
          </div>
          <div className="visually-hidden" id={textId} aria-live="polite">
            {slideStrings.page(page + 1, pages.length, shown?.text ?? '')}
          </div>
          {hasNotes && (
            <section
              className="slide-show-notes"
              aria-label={slideStrings.notes}
              // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
              tabIndex={0}
            >
              {shown === undefined || shown.notes === '' ? (
                <p className="muted">{slideStrings.noNotes}</p>
              ) : (
                <VisibleText text={shown.notes} />
              )}
            </section>
          )}
          <footer className="slide-show-bar">
            <IconButton
              label={words.before}
              size="small"
              aria-disabled={page === 0}
              onClick={() => go(page - 1)}
            >
              <ChevronLeft aria-hidden="true" size={16} />
            </IconButton>
            <span className="slide-show-place">{words.place(page + 1, pages.length)}</span>
            <IconButton
              label={words.next}
              size="small"
              aria-disabled={page === last}
              onClick={() => go(page + 1)}
            >
              <ChevronRight aria-hidden="true" size={16} />
            </IconButton>
            <span className="spacer" />
            <IconButton
              label={words.notes}
              size="small"
              aria-pressed={hasNotes}
              aria-keyshortcuts="N"
              onClick={() => setNotes(!hasNotes)}
            >
              <NotebookText aria-hidden="true" size={16} />
            </IconButton>
            <IconButton label={words.end} size="small" aria-keyshortcuts="Escape" onClick={onClose}>
              <X aria-hidden="true" size={16} />
            </IconButton>
          </footer>
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

/** The page that a key leads to; null for any other key. */
function targetOf(
  { key, shiftKey }: Pick<KeyboardEvent, 'key' | 'shiftKey'>,
  page: number,
  last: number,
): number | null {
  switch (key) {
    case 'ArrowRight':
    case 'ArrowDown':
    case 'PageDown':
      return page + 1;
    case 'ArrowLeft':
    case 'ArrowUp':
    case 'PageUp':
      return page - 1;
    case ' ':
      return page + (shiftKey ? -1 : 1);
    case 'Home':
      return 0;
    case 'End':
      return last;
    default:
      return null;
  }
}

/** Takes the whole screen, where that is allowed, until the show ends; leaving it ends the show. */
function useFullScreen(onLeave: () => void): void {
  const latest = useRef(onLeave);
  latest.current = onLeave;
  useEffect(() => {
    const root = document.documentElement;
    let isOver = false;
    let isFull = false;
    const leave = async (): Promise<void> => {
      if (document.fullscreenElement !== root) return;
      try {
        await document.exitFullscreen();
      } catch {
        // The user left it in the same moment.
      }
    };
    const enter = async (): Promise<void> => {
      try {
        await root.requestFullscreen();
      } catch {
        // Not allowed, or not there: the show fills the window instead.
        return;
      }
      if (isOver) await leave();
    };
    const change = (): void => {
      const wasFull = isFull;
      isFull = document.fullscreenElement === root;
      if (wasFull && !isFull && !isOver) latest.current();
    };
    document.addEventListener('fullscreenchange', change);
    void enter();
    return () => {
      isOver = true;
      document.removeEventListener('fullscreenchange', change);
      void leave();
    };
  }, []);
}
