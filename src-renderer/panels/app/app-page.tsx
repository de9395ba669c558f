import { type ReactNode, type RefObject, useEffect, useRef, useState } from 'react';
import type { TaskApp } from '#contract/apps.ts';
import { useTask } from '../../components/markdown/task-context.ts';
import { useSession } from '../../session-context.ts';
import { appTabStrings as words } from '../../strings/app-tab.ts';
import { AppBuildState } from './app-build.tsx';
import { AppConsole } from './app-console.tsx';
import { AppToolbar, PAGE_WIDTHS, type PageWidth } from './app-toolbar.tsx';
import { fenced, type LoggedLine, type PageReport, withReports } from './page-reports.ts';
import { usePageReports } from './use-page-reports.ts';

/** What the page may do beyond showing itself; the policy that it is served with says the same. */
const SANDBOX = 'allow-scripts allow-same-origin allow-forms allow-modals allow-downloads';

interface AppPageProps {
  readonly app: TaskApp;
  /** The address of a preview: see `isPreviewUrl`. */
  readonly url: string;
}

/** The page of a running app in its frame, with its bar and its console. */
export function AppPage({ app, url }: AppPageProps): ReactNode {
  const { apps } = useSession();
  const { focusMessage } = useTask();
  const { threadId, ports } = app;
  const frame = useRef<HTMLIFrameElement>(null);
  const [place, setPlace] = useState('/');
  const [lines, setLines] = useState<readonly LoggedLine[]>([]);
  const [width, setWidth] = useState<PageWidth>('desktop');
  const [isPicking, setPicking] = useState(false);
  /** What was just added to the message, to be read out. */
  const [said, setSaid] = useState('');

  const mention = (text: string): void => {
    apps.mention(threadId, text);
    setSaid(words.put);
    focusMessage();
  };
  const pick = (picked: Extract<PageReport, { kind: 'picked' }>): void => {
    if (!isPicking) return;
    setPicking(false);
    const { selector, html } = picked;
    // Nothing was picked: it was cancelled in the page.
    if (selector !== '') mention(words.changeThis(fenced(`${selector}\n${html}`, 'html')));
  };
  usePageReports(frame, url, (reports) => {
    setLines((before) => withReports(before, reports));
    for (const report of reports) {
      if (report.kind === 'place') setPlace(report.text);
      if (report.kind === 'picked') pick(report);
    }
  });

  const togglePicking = (): void => {
    post(frame, url, isPicking ? 'stop_picking' : 'pick');
    setPicking(!isPicking);
    if (!isPicking) frame.current?.focus();
  };
  useEffect(() => {
    if (!isPicking) return;
    const onKey = (event: KeyboardEvent): void => {
      if (event.key !== 'Escape') return;
      post(frame, url, 'stop_picking');
      setPicking(false);
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, [isPicking, url]);

  const pixels = PAGE_WIDTHS[width];
  return (
    <>
      <AppToolbar
        {...{ app, url, place, width, isPicking }}
        onWidth={setWidth}
        onReload={() => post(frame, url, 'reload')}
        onPick={togglePicking}
      />
      <p className="app-hint" role="status">
        {isPicking ? words.picking : said}
      </p>
      <AppBuildState app={app} onFix={(text) => mention(words.build.fixThis(fenced(text)))} />
      <div className="app-stage">
        <iframe
          // Another port is another page at the same address.
          key={`${url} ${ports[0]}`}
          ref={frame}
          className="app-frame"
          style={pixels === null ? undefined : { width: pixels }}
          src={url}
          title={words.page}
          sandbox={SANDBOX}
          referrerPolicy="no-referrer"
        />
      </div>
      <AppConsole
        {...{ threadId, lines }}
        onClear={() => setLines([])}
        onFix={(text) => mention(words.fixThis(fenced(text)))}
      />
    </>
  );
}

function post(
  frame: RefObject<HTMLIFrameElement | null>,
  url: string,
  message: 'pick' | 'stop_picking' | 'reload',
): void {
  frame.current?.contentWindow?.postMessage({ hyperagentPreview: message }, new URL(url).origin);
}
