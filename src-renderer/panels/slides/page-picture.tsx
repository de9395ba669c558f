import {
  type CSSProperties,
  type ReactNode,
  type RefCallback,
  type RefObject,
  useCallback,
  useEffect,
  useRef,
  useState,
} from 'react';
import type { OpenDeck } from '#contract/slides.ts';
import { Button } from '../../components/button.tsx';
import type { DrawnPage, PageCache, WantedPage } from '../../store/page-cache.ts';
import { appStrings } from '../../strings/app.ts';
import { slideStrings as words } from '../../strings/slides.ts';

interface PagePictureProps {
  readonly cache: PageCache;
  /** Null where it is not drawn yet: it is not in sight, or its size is not known. */
  readonly wanted: WantedPage | null;
  /** Its title; null where something else names the picture. */
  readonly title: string | null;
  /** The id of the text of the page. */
  readonly describedBy?: string;
  /** Shown where it cannot be drawn: it tries again. */
  readonly onRetry?: () => void;
}

/**
 * A page as main draws it. It is painted once it is decoded, so that the page before stays until then and a show does
 * not flash.
 */
export function PagePicture(props: PagePictureProps): ReactNode {
  const { cache, wanted, title, describedBy, onRetry } = props;
  const canvas = useRef<HTMLCanvasElement>(null);
  const [state, setState] = useState<'waiting' | 'drawn' | 'failed'>('waiting');
  const [problem, setProblem] = useState('');
  const [attempt, setAttempt] = useState(0);
  const { hash, page, width } = wanted ?? NOTHING;
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new attempt draws again
  useEffect(() => {
    if (width === 0) return;
    let isLeft = false;
    const fail = (message: string): void => {
      setProblem(message);
      setState('failed');
    };
    const paint = async (drawn: DrawnPage): Promise<void> => {
      if (!drawn.ok) {
        fail(drawn.error.message);
        return;
      }
      const picture = await decode(drawn.png);
      const target = canvas.current;
      if (isLeft || target === null) return;
      if (picture === null) {
        fail('');
        return;
      }
      target.width = picture.width;
      target.height = picture.height;
      target.getContext('2d')?.drawImage(picture, 0, 0);
      picture.close();
      setState('drawn');
    };
    const stop = cache.request({ hash, page, width }, (drawn) => void paint(drawn));
    return () => {
      isLeft = true;
      stop();
    };
  }, [cache, hash, page, width, attempt]);

  return (
    <span className="page-picture" data-state={state}>
      <canvas
        ref={canvas}
        {...(title === null
          ? { 'aria-hidden': true }
          : { role: 'img', 'aria-label': title, 'aria-describedby': describedBy })}
      />
      {state === 'failed' && onRetry !== undefined && (
        <span className="page-picture-problem" role="alert">
          {words.notDrawn} {problem}
          <Button
            size="small"
            onClick={() => {
              setAttempt(attempt + 1);
              onRetry();
            }}
          >
            {appStrings.retry}
          </Button>
        </span>
      )}
    </span>
  );
}

/** The style of what pages of a presentation are shown in: as wide by their height as they are. */
export function aspectOf({ aspect }: Pick<OpenDeck, 'aspect'>): CSSProperties {
  return { '--page-aspect': aspect } as CSSProperties;
}

const NOTHING: WantedPage = { hash: '', page: 0, width: 0 };

/** Null for what is no picture. */
async function decode(png: string): Promise<ImageBitmap | null> {
  const bytes = Uint8Array.from(atob(png), (character) => character.charCodeAt(0));
  try {
    return await createImageBitmap(new Blob([bytes], { type: 'image/png' }));
  } catch {
    // Damaged: the caller says that the page could not be drawn.
    return null;
  }
}

/** Widths at which pages are drawn: few, so that a page is drawn again for few sizes of the window. */
const WIDTHS = [320, 640, 960, 1_280, 1_920, 2_560];

/** The width at which a page is drawn to be sharp in the element that gets the ref; 0 until that was laid out. */
export function usePageWidth(): readonly [RefCallback<HTMLElement>, number] {
  const [width, setWidth] = useState(0);
  const observe = useCallback((element: HTMLElement | null) => {
    if (element === null) return;
    const observer = new ResizeObserver(([entry]) => {
      const pixels = (entry?.contentRect.width ?? 0) * devicePixelRatio;
      if (pixels > 0) setWidth(WIDTHS.find((one) => one >= pixels) ?? WIDTHS.at(-1) ?? 0);
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return [observe, width];
}

/** Whether an element was in sight. */
export function useSeen(element: RefObject<HTMLElement | null>): boolean {
  const [seen, setSeen] = useState(false);
  useEffect(() => {
    if (seen || element.current === null) return;
    const observer = new IntersectionObserver((entries) => {
      if (entries.some(({ isIntersecting }) => isIntersecting)) setSeen(true);
    });
    observer.observe(element.current);
    return () => observer.disconnect();
  }, [element, seen]);
  return seen;
}
