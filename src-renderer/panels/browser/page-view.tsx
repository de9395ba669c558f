import { type CSSProperties, type ReactNode, type RefObject, useEffect, useRef } from 'react';
import type { BrowserState } from '#contract/browser.ts';
import { useApp, useSession } from '../../session-context.ts';
import { browserStrings as words } from '../../strings/browser.ts';
import { drawFrame } from './draw-frame.ts';
import { PageKeys } from './page-keys.tsx';

interface PageViewProps {
  readonly threadId: string;
  /** Null until it is known. */
  readonly browser: BrowserState | null;
  /** Takes the keyboard while the user has control. */
  readonly keysRef: RefObject<HTMLTextAreaElement | null>;
  readonly onLeave: () => void;
}

/** The live picture of a task's page, with a mark on what the agent is about to act on. */
export function PageView({ threadId, browser, keysRef, onLeave }: PageViewProps): ReactNode {
  const { browsers } = useSession();
  const isConnected = useApp((state) => state.connection === 'open');
  const canvas = useRef<HTMLCanvasElement>(null);
  const picture = useRef<HTMLDivElement>(null);
  // A connection that broke has ended what it was sent.
  useEffect(() => {
    if (!isConnected) return;
    return browsers.watch(threadId, async ({ data }) => {
      if (canvas.current !== null) await drawFrame(canvas.current, data);
    });
  }, [browsers, threadId, isConnected]);

  const { width, height } = browser?.viewport ?? { width: 16, height: 10 };
  const isShown = browser?.isOpen === true && browser.problem === null;
  const hasControl = browser?.control === 'user';
  const mark = hasControl ? null : (browser?.mark ?? null);
  const title = titleOf(browser);
  const size = { '--page-width': width, '--page-height': height } as CSSProperties;
  return (
    // Always there: the first picture may come before the browser is known to be open.
    <div className="browser-page" hidden={!isShown}>
      <div className="browser-picture" data-control={browser?.control} ref={picture} style={size}>
        <canvas ref={canvas} role="img" aria-label={words.page(title)} />
        {mark !== null && (
          <div
            className="browser-mark"
            style={{
              left: `${(mark.x / width) * 100}%`,
              top: `${(mark.y / height) * 100}%`,
              width: `${(mark.width / width) * 100}%`,
              height: `${(mark.height / height) * 100}%`,
            }}
          />
        )}
        {isShown && hasControl && (
          <PageKeys
            {...{ threadId, title, onLeave }}
            viewport={browser.viewport}
            picture={picture}
            ref={keysRef}
          />
        )}
      </div>
    </div>
  );
}

/** The title of the shown page. */
function titleOf(browser: BrowserState | null): string {
  const tab = browser?.tabs.find(({ id }) => id === browser.tabId);
  return tab === undefined || tab.title === '' ? words.untitled : tab.title;
}
