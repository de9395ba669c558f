import {
  CircleAlert,
  Info,
  type LucideIcon,
  ScrollText,
  Trash2,
  TriangleAlert,
  Unplug,
} from 'lucide-react';
import { type ReactNode, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { Button, IconButton } from '../../components/button.tsx';
import { VisibleText } from '../../components/visible-text.tsx';
import { useSession } from '../../session-context.ts';
import { appTabStrings as words } from '../../strings/app-tab.ts';
import { countErrors, type LoggedLine } from './page-reports.ts';

const ICONS: Readonly<Record<LoggedLine['kind'], LucideIcon>> = {
  log: ScrollText,
  info: Info,
  warn: TriangleAlert,
  error: CircleAlert,
  failed: Unplug,
};
const LOG_EVERY_MS = 2_000;
/** Nearer than this to the end, a list follows what is added. */
const NEAR_END_PX = 24;

type Shown = 'console' | 'serverLog';

interface AppConsoleProps {
  readonly threadId: string;
  readonly lines: readonly LoggedLine[];
  readonly onClear: () => void;
  /** Puts an error into the message of the user. */
  readonly onFix: (text: string) => void;
}

/** What the page logs and what its server prints, each behind a button. */
export function AppConsole({ threadId, lines, onClear, onFix }: AppConsoleProps): ReactNode {
  const [shown, setShown] = useState<Shown | null>(null);
  const errors = countErrors(lines);
  const toggle = (name: Shown, label: ReactNode): ReactNode => (
    <Button
      variant="ghost"
      size="small"
      aria-expanded={shown === name}
      onClick={() => setShown(shown === name ? null : name)}
    >
      {label}
    </Button>
  );
  return (
    <section className="app-console">
      <div className="app-console-bar">
        {toggle(
          'console',
          <>
            {words.console}{' '}
            {errors > 0 && <span className="app-errors">{words.errors(errors)}</span>}
          </>,
        )}
        {toggle('serverLog', words.serverLog)}
        {shown === 'console' && lines.length > 0 && (
          <IconButton label={words.clear} size="small" onClick={onClear}>
            <Trash2 aria-hidden="true" size={14} />
          </IconButton>
        )}
      </div>
      {shown === 'console' && <ConsoleLines {...{ lines, onFix }} />}
      {shown === 'serverLog' && <ServerLog threadId={threadId} />}
    </section>
  );
}

function ConsoleLines({ lines, onFix }: Pick<AppConsoleProps, 'lines' | 'onFix'>): ReactNode {
  const list = useEndOf<HTMLUListElement>(lines);
  if (lines.length === 0) return <p className="app-console-empty">{words.nothingLogged}</p>;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by keyboard
    <ul className="app-console-lines" aria-label={words.console} tabIndex={0} ref={list}>
      {lines.map(({ id, kind, text, count }) => {
        const Icon = ICONS[kind];
        return (
          <li key={id} data-kind={kind}>
            <span>
              <Icon aria-hidden="true" size={13} />
              <span className="app-line-kind">{words.kinds[kind]}</span> <VisibleText text={text} />
              {count > 1 && <span className="app-line-count"> ({words.times(count)})</span>}
            </span>
            {(kind === 'error' || kind === 'failed') && (
              <Button variant="ghost" size="small" onClick={() => onFix(text)}>
                {words.fix}
              </Button>
            )}
          </li>
        );
      })}
    </ul>
  );
}

function ServerLog({ threadId }: { readonly threadId: string }): ReactNode {
  const { apps } = useSession();
  const [text, setText] = useState<string | null>(null);
  useEffect(() => {
    let isGone = false;
    const read = async (): Promise<void> => {
      const log = await apps.log(threadId);
      if (!isGone && log !== null) setText(log);
    };
    void read();
    const timer = setInterval(() => void read(), LOG_EVERY_MS);
    return () => {
      isGone = true;
      clearInterval(timer);
    };
  }, [apps, threadId]);
  const log = useEndOf<HTMLPreElement>(text);
  if (text?.trim() === '') return <p className="app-console-empty">{words.nothingPrinted}</p>;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by keyboard
    <pre className="app-server-log" role="log" aria-label={words.serverLog} tabIndex={0} ref={log}>
      <VisibleText text={text ?? ''} />
    </pre>
  );
}

/** Keeps a list at its end while things are added, unless the user has scrolled up. */
function useEndOf<Element extends HTMLElement>(content: unknown) {
  const element = useRef<Element>(null);
  const wasAtEnd = useRef(true);
  useLayoutEffect(() => {
    const shown = element.current;
    if (shown === null) return;
    const onScroll = (): void => {
      wasAtEnd.current = shown.scrollHeight - shown.scrollTop - shown.clientHeight < NEAR_END_PX;
    };
    shown.addEventListener('scroll', onScroll, { passive: true });
    return () => shown.removeEventListener('scroll', onScroll);
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: it follows what is shown
  useLayoutEffect(() => {
    const shown = element.current;
    if (shown !== null && wasAtEnd.current) shown.scrollTop = shown.scrollHeight;
  }, [content]);
  return element;
}
