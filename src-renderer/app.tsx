import { Tooltip } from 'radix-ui';
import { lazy, type ReactNode, Suspense, useEffect, useRef } from 'react';
import { notify } from './bridge/notifications.ts';
import { useCommand } from './commands-context.ts';
import { Announcer } from './components/announcer.tsx';
import { ErrorBoundary } from './components/error-boundary.tsx';
import { Toasts } from './components/toasts.tsx';
import { AccessNeeded, AllDeleted, ConnectionBanner, PolicyBanner } from './connection-banner.tsx';
import { FirstStartPage } from './panels/first-start/first-start-page.tsx';
import { SetupCheckPage } from './panels/setup-check/setup-check-page.tsx';
import { useApp, useSession } from './session-context.ts';
import { ShortcutKeys } from './shortcut-keys.tsx';
import { openThreadId, threadById } from './store/selectors.ts';
import { appStrings } from './strings/app.ts';
import { sidebarStrings } from './strings/sidebar.ts';
import { Workbench } from './workbench.tsx';

const SettingsDialog = lazy(() =>
  import('./settings/settings-dialog.tsx').then((module) => ({ default: module.SettingsDialog })),
);

/** The window. */
export function App(): ReactNode {
  const refused = useApp((state) => state.connection === 'refused');
  const page = useApp((state) => state.route.kind);
  const deleted = useApp((state) => state.deleted);
  if (deleted !== null) return <AllDeleted next={deleted} />;
  if (refused) return <AccessNeeded />;
  return (
    <Tooltip.Provider delayDuration={400} skipDelayDuration={200}>
      <Announcer>
        <div className="app">
          <ConnectionBanner />
          <PolicyBanner />
          <ErrorBoundary>
            {page === 'setupCheck' && <SetupCheckPage />}
            {page === 'firstStart' && <FirstStartPage />}
            {page !== 'setupCheck' && page !== 'firstStart' && <Workbench />}
          </ErrorBoundary>
        </div>
        <ShortcutKeys />
        <Settings />
        <Toasts />
        <WindowTitle />
        <WaitingNotices />
      </Announcer>
    </Tooltip.Provider>
  );
}

function Settings(): ReactNode {
  const { settings } = useSession();
  const isLoaded = useApp((state) => state.settings !== null);
  useCommand('settings', isLoaded ? () => settings.show('models') : null);
  useCommand('setupCheck', isLoaded ? () => settings.showSetupCheck() : null);
  const section = useApp((state) => (state.settings === null ? null : state.settingsSection));
  if (section === null) return null;
  return (
    <Suspense fallback={null}>
      <SettingsDialog section={section} />
    </Suspense>
  );
}

/** The title of the window or tab: first the questions that wait, then the open task. */
function WindowTitle(): null {
  const title = useApp((state) => {
    const thread = threadById(state, openThreadId(state));
    const own = thread === null ? appStrings.name : `${thread.title} · ${appStrings.name}`;
    const waiting = state.waiting.length;
    return waiting === 0 ? own : appStrings.waitingTitle(waiting, own);
  });
  useEffect(() => {
    document.title = title;
  }, [title]);
  return null;
}

/**
 * Shows system notifications for new questions while this window is not in front. The desktop shell
 * shows its own, because it also runs while every window is closed.
 */
function WaitingNotices(): null {
  const { threads } = useSession();
  const waiting = useApp((state) => state.waiting);
  const isWanted = useApp(
    (state) => state.settings?.notifications === true && state.info?.entryPoint === 'browser',
  );
  const known = useRef<ReadonlySet<string> | null>(null);
  useEffect(() => {
    const before = known.current;
    known.current = new Set(waiting.map(({ interruptId }) => interruptId));
    // What waited before this window was opened is in its inbox.
    if (before === null || !isWanted || document.hasFocus()) return;
    for (const { interruptId, title, threadTitle, threadId } of waiting) {
      if (before.has(interruptId)) continue;
      notify(
        sidebarStrings.waiting,
        `${title} · ${threadTitle}`,
        () => void threads.open(threadId),
      );
    }
  }, [waiting, isWanted, threads]);
  return null;
}
