import { CircleAlert, Play } from 'lucide-react';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { isPreviewUrl, type TaskApp } from '#contract/apps.ts';
import '../../styles/app-tab.css';
import { Button } from '../../components/button.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { useTask } from '../../components/markdown/task-context.ts';
import { Skeleton } from '../../components/skeleton.tsx';
import { Spinner } from '../../components/spinner.tsx';
import { VisibleText } from '../../components/visible-text.tsx';
import { useApp, useSession } from '../../session-context.ts';
import { appTabStrings as words } from '../../strings/app-tab.ts';
import { AppBuildState, AppExport } from './app-build.tsx';
import { AppPage } from './app-page.tsx';
import { AppStates } from './app-states.tsx';
import { fenced } from './page-reports.ts';

/** A server that nobody looks at is stopped after half an hour. */
const USE_EVERY_MS = 5 * 60_000;
/** Lines of a server that failed. */
const LAST_LINES = 20;

/** The app of a task: its page as it is, and its server. */
export function AppTab({ threadId }: { readonly threadId: string }): ReactNode {
  const { apps } = useSession();
  const app = useApp((state) => state.apps.get(threadId) ?? null);
  const [isStarting, setStarting] = useState(false);
  const server = app?.server;
  const comesBack = app?.comesBack === true && server === 'stopped';

  const start = async (): Promise<void> => {
    setStarting(true);
    await apps.start(threadId);
    setStarting(false);
  };
  // It was running when the app was closed, or when nobody looked: once, for what fails is not tried again.
  const hasReturned = useRef(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: start is another function each time
  useEffect(() => {
    if (!comesBack || hasReturned.current) return;
    hasReturned.current = true;
    void start();
  }, [comesBack]);
  useEffect(() => {
    if (server !== 'running') return;
    const timer = setInterval(() => void apps.use(threadId), USE_EVERY_MS);
    return () => clearInterval(timer);
  }, [apps, threadId, server]);

  if (app === null) return <Skeleton label={words.loading} lines={5} />;
  const { previewUrl } = app;
  const shown = previewUrl !== null && isPreviewUrl(previewUrl) ? previewUrl : null;
  const state = isStarting && app.server !== 'running' ? 'starting' : app.server;
  return (
    <div className="app-tab" data-server={state}>
      <p className={shown === null ? 'app-state' : 'visually-hidden'} role="status">
        {state === 'starting' && <Spinner />} {words.server[state]}
      </p>
      {shown === null ? (
        <NoPage {...{ app, state }} onStart={() => void start()} />
      ) : (
        <AppPage {...{ app }} url={shown} />
      )}
      <AppStates app={app} />
    </div>
  );
}

interface NoPageProps {
  readonly app: TaskApp;
  readonly state: TaskApp['server'];
  readonly onStart: () => void;
}

/** In place of the page: why there is none, and what to do. */
function NoPage({ app, state, onStart }: NoPageProps): ReactNode {
  const { threadId, problem, folder } = app;
  const { apps } = useSession();
  const { focusMessage } = useTask();
  const fix = (text: string): void => {
    apps.mention(threadId, words.build.fixThis(fenced(text)));
    focusMessage();
  };
  return (
    <div className="app-no-page">
      {problem !== null && <EmptyState icon={CircleAlert} text={problem} />}
      {problem !== null && <LastLines threadId={threadId} />}
      {state !== 'starting' && state !== 'running' && (
        <div className="app-actions">
          <Button variant="primary" onClick={onStart}>
            <Play aria-hidden="true" size={14} />
            {state === 'failed' ? words.restart : words.start}
          </Button>
          {folder !== null && <AppExport app={app} />}
        </div>
      )}
      <AppBuildState app={app} onFix={fix} />
    </div>
  );
}

function LastLines({ threadId }: { readonly threadId: string }): ReactNode {
  const { apps } = useSession();
  const [log, setLog] = useState('');
  useEffect(() => {
    let isGone = false;
    void apps.log(threadId).then((text) => {
      const lines = (text ?? '').trimEnd().split('\n').slice(-LAST_LINES);
      if (!isGone) setLog(lines.join('\n'));
    });
    return () => {
      isGone = true;
    };
  }, [apps, threadId]);
  if (log === '') return null;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by keyboard
    <pre className="app-server-log" role="log" aria-label={words.serverLog} tabIndex={0}>
      <VisibleText text={log} />
    </pre>
  );
}
