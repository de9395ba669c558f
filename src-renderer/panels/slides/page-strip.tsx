import { CircleDot, TriangleAlert } from 'lucide-react';
import { type KeyboardEvent, type ReactNode, useLayoutEffect, useRef } from 'react';
import type { OpenDeck } from '#contract/slides.ts';
import { makeVisible } from '#contract/visible-text.ts';
import { listOf } from '../../format.ts';
import type { PageCache } from '../../store/page-cache.ts';
import { slideStrings as words } from '../../strings/slides.ts';
import { PagePicture, useSeen } from './page-picture.tsx';

/** Small, and sharp where a pixel of the page is two of the screen. */
const THUMBNAIL_WIDTH = 320;

interface PageStripProps {
  readonly open: OpenDeck;
  readonly cache: PageCache;
  /** The page that is shown large. */
  readonly shown: number;
  /** Slides with text that was typed and not saved. */
  readonly unsaved: ReadonlySet<number>;
  readonly onShow: (page: number) => void;
  /** Moves the slide of the shown page up (-1) or down (1). */
  readonly onMove: (by: -1 | 1) => void;
}

/** All pages, small. Arrow keys, Home and End choose one; Alt with an arrow key moves its slide. */
export function PageStrip(props: PageStripProps): ReactNode {
  const { open, cache, shown, unsaved, onShow, onMove } = props;
  const { pages, findings, hash } = open;
  const list = useRef<HTMLOListElement>(null);
  // The shown page stays in sight, and keeps the focus of the strip.
  useLayoutEffect(() => {
    const button = list.current?.querySelector<HTMLElement>(`[data-place="${shown}"]`);
    if (button == null) return;
    if (list.current?.contains(document.activeElement) === true) button.focus();
    button.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }, [shown]);

  const press = (event: KeyboardEvent): void => {
    const by = ARROWS[event.key];
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    if (event.altKey) {
      // Alt with Left is the way back in a browser.
      if (by === undefined || !/Up|Down/.test(event.key)) return;
      event.preventDefault();
      onMove(by);
      return;
    }
    const last = pages.length - 1;
    const to = event.key === 'Home' ? 0 : event.key === 'End' ? last : shown + (by ?? 0);
    if (to === shown && by === undefined) return;
    event.preventDefault();
    onShow(Math.min(last, Math.max(0, to)));
  };
  return (
    <ol className="page-strip" ref={list} aria-label={words.pages} onKeyDown={press}>
      {pages.map(({ slide, title }, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a page is its place; what is drawn there changes with the file
        <li key={place}>
          <Thumbnail
            {...{ cache, hash, place, title, slide }}
            of={pages.length}
            isShown={place === shown}
            isUnsaved={unsaved.has(slide)}
            findingCount={findings.filter((finding) => finding.slide === slide).length}
            onShow={onShow}
          />
        </li>
      ))}
    </ol>
  );
}

const ARROWS: Readonly<Record<string, -1 | 1>> = {
  ...{ ArrowUp: -1, ArrowLeft: -1, ArrowDown: 1, ArrowRight: 1 },
};

function Thumbnail({
  cache,
  hash,
  place,
  of,
  title,
  isShown,
  isUnsaved,
  findingCount,
  onShow,
}: {
  readonly cache: PageCache;
  readonly hash: string;
  readonly place: number;
  readonly of: number;
  readonly title: string;
  readonly isShown: boolean;
  readonly isUnsaved: boolean;
  readonly findingCount: number;
  readonly onShow: (page: number) => void;
}): ReactNode {
  const button = useRef<HTMLButtonElement>(null);
  const seen = useSeen(button);
  const marks = [
    ...(isUnsaved ? [words.unsaved] : []),
    ...(findingCount > 0 ? [words.findingCount(findingCount)] : []),
  ];
  return (
    <button
      ref={button}
      type="button"
      className="page-thumbnail"
      data-place={place}
      aria-current={isShown ? 'page' : undefined}
      aria-label={listOf([words.page(place + 1, of, makeVisible(title)), ...marks])}
      title={makeVisible(title)}
      tabIndex={isShown ? 0 : -1}
      onClick={() => onShow(place)}
    >
      <span className="page-number" aria-hidden="true">
        {place + 1}
        {isUnsaved && <CircleDot size={12} />}
        {findingCount > 0 && <TriangleAlert className="page-mark" size={12} />}
      </span>
      <PagePicture
        cache={cache}
        wanted={seen ? { hash, page: place, width: THUMBNAIL_WIDTH } : null}
        title={null}
      />
    </button>
  );
}
