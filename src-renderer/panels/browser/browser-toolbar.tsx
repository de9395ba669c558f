import { ArrowLeft, ArrowRight, type LucideIcon, Plus, RotateCw, X } from 'lucide-react';
import { type ReactNode, type Ref, useState } from 'react';
import type { BrowserState } from '#contract/browser.ts';
import { makeVisible } from '#contract/visible-text.ts';
import { IconButton } from '../../components/button.tsx';
import { Spinner } from '../../components/spinner.tsx';
import { VisibleText } from '../../components/visible-text.tsx';
import { useSession } from '../../session-context.ts';
import { browserStrings as words } from '../../strings/browser.ts';

import { SignInMenu } from './sign-in-menu.tsx';

interface BarProps {
  readonly browser: BrowserState;
}

/** Address and history of the shown page: to be used while the user has control, else to be read. */
export function BrowserToolbar({
  browser,
  addressRef,
}: BarProps & { readonly addressRef: Ref<HTMLInputElement> }): ReactNode {
  const { browsers } = useSession();
  const { threadId, control, isLoading, tabs, tabId } = browser;
  const url = tabs.find(({ id }) => id === tabId)?.url ?? '';
  if (control !== 'user') {
    return (
      <div className="browser-toolbar">
        <span className="browser-address" title={makeVisible(url)}>
          <span className="visually-hidden">{words.address}: </span>
          <VisibleText text={url} />
        </span>
        {isLoading && (
          <span>
            <Spinner />
            <span className="visually-hidden">{words.pageLoads}</span>
          </span>
        )}
      </div>
    );
  }
  const step = (label: string, Icon: LucideIcon, to: 'back' | 'forward' | 'reload' | 'stop') => (
    <IconButton label={label} size="small" onClick={() => void browsers.go(threadId, to)}>
      <Icon aria-hidden="true" size={15} />
    </IconButton>
  );
  return (
    <div className="browser-toolbar">
      {step(words.back, ArrowLeft, 'back')}
      {step(words.forward, ArrowRight, 'forward')}
      {isLoading ? step(words.stop, X, 'stop') : step(words.reload, RotateCw, 'reload')}
      <AddressField
        url={url}
        ref={addressRef}
        onGo={(wanted) => void browsers.go(threadId, { url: wanted })}
      />
      <IconButton
        label={words.newTab}
        size="small"
        onClick={() => void browsers.go(threadId, 'new_tab')}
      >
        <Plus aria-hidden="true" size={15} />
      </IconButton>
      <SignInMenu browser={browser} />
    </div>
  );
}

interface AddressFieldProps {
  readonly url: string;
  readonly ref: Ref<HTMLInputElement>;
  readonly onGo: (url: string) => void;
}

function AddressField({ url, ref, onGo }: AddressFieldProps): ReactNode {
  /** What is being typed; null to show where the page is. */
  const [typed, setTyped] = useState<string | null>(null);
  return (
    <form
      className="browser-address-form"
      onSubmit={(event) => {
        event.preventDefault();
        const wanted = (typed ?? url).trim();
        if (wanted !== '') onGo(wanted);
        setTyped(null);
      }}
    >
      <input
        className="text-input"
        ref={ref}
        aria-label={words.address}
        autoComplete="off"
        inputMode="url"
        maxLength={8_000}
        spellCheck={false}
        value={typed ?? (url === 'about:blank' ? '' : url)}
        onChange={(event) => setTyped(event.target.value)}
        onFocus={(event) => event.target.select()}
        onBlur={() => setTyped(null)}
        onKeyDown={(event) => {
          if (event.key === 'Escape') setTyped(null);
        }}
      />
    </form>
  );
}

/** The tabs of the browser, where there are several. */
export function BrowserTabs({ browser }: BarProps): ReactNode {
  const { browsers } = useSession();
  const { threadId, control, tabs, tabId } = browser;
  if (tabs.length < 2) return null;
  return (
    <ul className="browser-tabs" aria-label={words.tabs}>
      {tabs.map(({ id, title, url }) => {
        const name = title === '' ? words.untitled : title;
        const current = id === tabId ? { 'aria-current': 'true' as const } : {};
        const shown = (
          <span className="ellipsis">
            <VisibleText text={name} />
          </span>
        );
        return (
          <li key={id} className="browser-page-tab" {...current} title={makeVisible(url)}>
            {control === 'user' ? (
              <>
                <button
                  type="button"
                  {...current}
                  onClick={() => void browsers.go(threadId, { showTab: id })}
                >
                  {shown}
                </button>
                <IconButton
                  label={words.closeTab(makeVisible(name))}
                  size="small"
                  onClick={() => void browsers.go(threadId, { closeTab: id })}
                >
                  <X aria-hidden="true" size={13} />
                </IconButton>
              </>
            ) : (
              shown
            )}
          </li>
        );
      })}
    </ul>
  );
}
