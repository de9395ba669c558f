import { app, BrowserWindow, type Session, session, type WebContents } from 'electron';
import type { Logger } from '../base/logger.ts';
import { APP_ORIGIN } from './app-protocol.ts';
import { ExternalLinks } from './external-links.ts';
import { RealClicks } from './real-clicks.ts';

/** What our own page may do of all that pages can ask for: put text on the clipboard on a click. */
const ALLOWED_PERMISSION = 'clipboard-sanitized-write';

/** What a window may load. Everything else, wherever it is asked from, never leaves the machine. */
const LOADABLE = new Set(['app:', 'blob:', 'data:', 'devtools:']);

/** Denies what pages may ask the browser for, now and in every session that is made later. */
export function hardenSessions(): void {
  hardenSession(session.defaultSession);
  app.on('session-created', hardenSession);
}

function hardenSession(session: Session): void {
  session.setPermissionRequestHandler((contents, permission, decide, { isMainFrame }) => {
    decide(permission === ALLOWED_PERMISSION && isMainFrame && isOwnPage(contents));
  });
  session.setPermissionCheckHandler(
    (contents, permission, _origin, { isMainFrame }) =>
      permission === ALLOWED_PERMISSION && isMainFrame && contents !== null && isOwnPage(contents),
  );
  session.setDevicePermissionHandler(() => false);
  session.webRequest.onBeforeRequest(({ url }, decide) => {
    decide({ cancel: !LOADABLE.has(new URL(url).protocol) });
  });
  session.on('will-download', (event, item) => {
    // The page saves what it made itself; nothing is fetched from elsewhere.
    if (!/^(blob|data):/.test(item.getURL())) event.preventDefault();
  });
}

/** Keeps every page where it is: no navigation, no new windows, no embedded pages. */
export function hardenContents(logger: Logger): void {
  const links = new ExternalLinks();
  const clicks = new RealClicks();
  app.on('web-contents-created', (_event, contents) => {
    clicks.watch(contents);
    contents.on('will-navigate', (event) => {
      logger.warn('A page tried to navigate', { url: event.url });
      event.preventDefault();
    });
    contents.on('will-redirect', (event) => event.preventDefault());
    contents.on('will-frame-navigate', (event) => event.preventDefault());
    contents.on('will-attach-webview', (event) => event.preventDefault());
    contents.setWindowOpenHandler(({ url }) => {
      const window = BrowserWindow.fromWebContents(contents);
      if (!clicks.take(contents))
        logger.warn('A page asked to open an address without a click', { url });
      else if (window !== null) void links.open(window, url);
      return { action: 'deny' };
    });
  });
}

function isOwnPage(contents: WebContents): boolean {
  return contents.mainFrame.origin === APP_ORIGIN;
}
