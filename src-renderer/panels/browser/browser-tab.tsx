import { CircleAlert, Globe, Hand, Power } from 'lucide-react';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { type BrowserState, refusesSignIn } from '#contract/browser.ts';
import '../../styles/browser.css';
import { Button, IconButton } from '../../components/button.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { Skeleton } from '../../components/skeleton.tsx';
import { Spinner } from '../../components/spinner.tsx';
import { VisibleText } from '../../components/visible-text.tsx';
import { useApp, useSession } from '../../session-context.ts';
import { liveRun, openQuestions } from '../../store/selectors.ts';
import { browserStrings as words } from '../../strings/browser.ts';
import { HandBackAnswer, isAnsweredInBrowser } from '../questions/browser-link.tsx';
import { ActionList } from './action-list.tsx';
import { BrowserTabs, BrowserToolbar } from './browser-toolbar.tsx';
import { PageChooser } from './page-chooser.tsx';
import { PageDialog } from './page-dialog.tsx';
import { LEAVE_HINT } from './page-keys.tsx';
import { PageView } from './page-view.tsx';

/** The browser of a task: its page as the agent works in it, and control for the user. */
export function BrowserTab({ threadId }: { readonly threadId: string }): ReactNode {
  const { browsers } = useSession();
  const browser = useApp((state) => state.browsers.get(threadId) ?? null);
  const keys = useRef<HTMLTextAreaElement>(null);
  const address = useRef<HTMLInputElement>(null);
  const control = useRef<HTMLButtonElement>(null);
  const [isTaking, setTaking] = useState(false);
  /** A browser takes seconds to start. */
  const [isBusy, setBusy] = useState(false);
  const isLive = useApp((state) => liveRun(state, threadId) !== null);
  const isRefused = refusesSignIn(browser?.tabs.find(({ id }) => id === browser.tabId)?.url ?? '');
  const isTypedShown = useApp((state) => state.typedShown.has(threadId));
  const question = useApp(
    (state) => openQuestions(state, threadId).find(isAnsweredInBrowser) ?? null,
  );
  const hasControl = browser?.control === 'user';

  // Who takes over goes on in the page, or in the address of one that is empty.
  useEffect(() => {
    if (!isTaking || browser?.control !== 'user') return;
    setTaking(false);
    // A dialog takes the focus by itself.
    if (browser.dialog !== null) return;
    const tab = browser.tabs.find(({ id }) => id === browser.tabId);
    const isEmpty = tab === undefined || tab.url === 'about:blank';
    (isEmpty ? address : keys).current?.focus({ preventScroll: true });
  }, [isTaking, browser]);

  const change = async (): Promise<void> => {
    if (isBusy) return;
    setBusy(true);
    if (hasControl) await browsers.control(threadId, 'hand_back');
    else setTaking(await browsers.control(threadId, 'take'));
    setBusy(false);
  };
  return (
    <div className="browser-tab">
      {browser === null ? (
        <Skeleton label={words.loading} lines={5} />
      ) : (
        <>
          <div className="browser-control" data-control={browser.control}>
            <p role="status">
              {isBusy && !browser.isOpen ? words.opening : words.control[browser.control]}
            </p>
            {hasControl && browser.isOpen && (
              <IconButton
                label={words.end}
                size="small"
                onClick={() => void browsers.close(threadId)}
              >
                <Power aria-hidden="true" size={14} />
              </IconButton>
            )}
            <Button
              variant="primary"
              size="small"
              ref={control}
              aria-disabled={isBusy}
              onClick={() => void change()}
            >
              {isBusy ? <Spinner /> : <Hand aria-hidden="true" size={14} />}
              {hasControl ? words.handBack : words.takeOver}
            </Button>
          </div>
          {hasControl && question !== null && (
            <div className="browser-question">
              <p>
                {words.question.asks} <VisibleText text={question.message} />
              </p>
              <HandBackAnswer {...{ threadId, question }} />
            </div>
          )}
          {browser.isOpen && browser.problem === null && (
            <>
              <BrowserTabs browser={browser} />
              <BrowserToolbar browser={browser} addressRef={address} />
            </>
          )}
          <NoPage browser={browser} />
        </>
      )}
      <PageView
        {...{ threadId, browser }}
        keysRef={keys}
        onLeave={() => control.current?.focus()}
      />
      {isRefused && (
        <p className="browser-hint" role="status">
          {words.refuses}
        </p>
      )}
      {hasControl && browser.isOpen && (
        <div className="browser-hint">
          <p id={LEAVE_HINT}>
            {isLive && `${words.waits} `}
            {words.leave}
          </p>
          <label className="choice-option">
            <input
              type="checkbox"
              checked={isTypedShown}
              onChange={(event) => browsers.showTyped(threadId, event.target.checked)}
            />
            {words.showTyped}
          </label>
        </div>
      )}
      {browser !== null && browser.dialog !== null && (
        <PageDialog
          key={`${browser.dialog.kind} ${browser.dialog.message}`}
          {...{ threadId, dialog: browser.dialog, canAnswer: hasControl }}
          onAnswered={() => keys.current?.focus({ preventScroll: true })}
        />
      )}
      {hasControl && browser.chooser !== null && (
        <PageChooser
          key={browser.chooser.id}
          {...{ threadId, chooser: browser.chooser }}
          onAnswered={() => keys.current?.focus({ preventScroll: true })}
        />
      )}
      <ActionList threadId={threadId} />
    </div>
  );
}

/** In place of a picture: why there is none, and what to do. */
function NoPage({ browser }: { readonly browser: BrowserState }): ReactNode {
  if (browser.problem !== null) return <EmptyState icon={CircleAlert} text={browser.problem} />;
  return browser.isOpen ? null : <EmptyState icon={Globe} text={words.notOpen} />;
}
