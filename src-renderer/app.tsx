import { Tooltip } from 'radix-ui';
import { lazy, type ReactNode, Suspense } from 'react';
import { Announcer } from './components/announcer.tsx';
import { ErrorBoundary } from './components/error-boundary.tsx';
import { Toasts } from './components/toasts.tsx';
import { AccessNeeded, ConnectionBanner } from './connection-banner.tsx';
import { SetupCheckPage } from './panels/setup-check/setup-check-page.tsx';
import { useApp } from './session-context.ts';
import { WaitingNotices } from './waiting-notices.tsx';
import { WindowTitle } from './window-title.tsx';
import { Workbench } from './workbench.tsx';

const SettingsDialog = lazy(() =>
  import('./settings/settings-dialog.tsx').then((module) => ({ default: module.SettingsDialog })),
);

/** The window. */
export function App(): ReactNode {
  const refused = useApp((state) => state.connection === 'refused');
  const atSetupCheck = useApp((state) => state.route.kind === 'setupCheck');
  if (refused) return <AccessNeeded />;
  return (
    <Tooltip.Provider delayDuration={400} skipDelayDuration={200}>
      <Announcer>
        <div className="app">
          <ConnectionBanner />
          <ErrorBoundary>{atSetupCheck ? <SetupCheckPage /> : <Workbench />}</ErrorBoundary>
        </div>
        <Settings />
        <Toasts />
        <WindowTitle />
        <WaitingNotices />
      </Announcer>
    </Tooltip.Provider>
  );
}

function Settings(): ReactNode {
  const section = useApp((state) => (state.settings === null ? null : state.settingsSection));
  if (section === null) return null;
  return (
    <Suspense fallback={null}>
      <SettingsDialog section={section} />
    </Suspense>
  );
}
