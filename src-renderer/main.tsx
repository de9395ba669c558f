import { createRoot } from 'react-dom/client';
import { App } from './app.tsx';
import type { AppBridge } from './bridge/app-bridge.ts';
import { connect } from './bridge/connect.ts';
import { CommandProvider, createCommandStore } from './commands-context.ts';
import { preloadMarkdown } from './components/markdown/lazy-markdown.tsx';
import { preloadFormatting } from './formatting/use-formatted.ts';
import { LayoutProvider } from './layout-context.ts';
import { refuseFileDrops } from './panels/composer/use-file-drop.ts';
import { followRoute, readRoute } from './route.ts';
import { SessionProvider } from './session-context.ts';
import { keepDrafts, keepFileDrafts } from './store/kept-drafts.ts';
import { createLayoutStore } from './store/layout.ts';
import { scheduleFrame } from './store/run-feed.ts';
import { createSession } from './store/session.ts';
import { followLanguage, followLook } from './theme.ts';

refuseFileDrops();
preloadMarkdown();
preloadFormatting();
void connect().then(show);

function show(bridge: AppBridge): void {
  const session = createSession({ bridge, schedule: scheduleFrame });
  followLook(session.store);
  followLanguage(session.store);
  keepDrafts(session.store, sessionStorage);
  keepFileDrafts(session.kept, sessionStorage);
  const { threadId, page } = readRoute();
  void session.start(threadId, page).then(() => followRoute(session));

  const host = document.getElementById('root');
  if (host === null) throw new Error('index.html has no #root');
  createRoot(host).render(
    <SessionProvider value={session}>
      <LayoutProvider value={createLayoutStore(localStorage)}>
        <CommandProvider value={createCommandStore()}>
          <App />
        </CommandProvider>
      </LayoutProvider>
    </SessionProvider>,
  );
}
