import { app, BrowserWindow, type Session, session, type WebContents } from 'electron';
import { isPreviewUrl } from '#contract/apps.ts';
import type { Logger } from '../base/logger.ts';
import { APP_ORIGIN } from './app-protocol.ts';
import { ExternalLinks } from './external-links.ts';
import { RealClicks } from './real-clicks.ts';

/** What our page may do, after a click: write text to the clipboard, and show slides on the full screen. */
const ALLOWED_PERMISSIONS: ReadonlySet<string> = new Set([
  'clipboard-sanitized-write',
  'fullscreen',
]);

/** Schemes that a window may load, besides previews. All other requests are cancelled before they leave the machine. */
const LOADABLE = new Set(['app:', 'blob:', 'data:', 'devtools:']);

/** The one page of the app itself that a frame may show, beside previews of what agents build. Served with a policy that leaves it nothing but to draw. */
const DIAGRAM_PAGE = `${APP_ORIGIN}/diagram.html`;

/** Denies permissions and network requests of pages, in the current and all later sessions. */
export function hardenSessions(): void {
  hardenSession(session.defaultSession);
  app.on('session-created', hardenSession);
}

function hardenSession(session: Session): void {
  session.setPermissionRequestHandler((contents, permission, decide, { isMainFrame }) => {
    decide(ALLOWED_PERMISSIONS.has(permission) && isMainFrame && isOwnPage(contents));
  });
  session.setPermissionCheckHandler(
    (contents, permission, _origin, { isMainFrame }) =>
      ALLOWED_PERMISSIONS.has(permission) &&
      isMainFrame &&
      contents !== null &&
      isOwnPage(contents),
  );
  session.setDevicePermissionHandler(() => false);
  session.webRequest.onBeforeRequest(({ url }, decide) => {
    decide({ cancel: !LOADABLE.has(new URL(url).protocol) && !isPreviewUrl(url) });
  });
  session.on('will-download', (event, item) => {
    // The page may save content it created; nothing is downloaded from elsewhere.
    if (!/^(blob|data):/.test(item.getURL())) event.preventDefault();
  });
}

/** Blocks navigation, new windows, and embedded pages but the one that draws diagrams, and previews. */
export function hardenContents(logger: Logger): void {
  const links = new ExternalLinks();
  const clicks = new RealClicks();
  app.on('web-contents-created', (_event, contents) => {
    clicks.watch(contents);
    // The page of an app in its frame: no policy of a page stops peer connections.
    contents.setWebRTCIPHandlingPolicy('disable_non_proxied_udp');
    contents.on('will-navigate', (event) => {
      logger.warn('A page tried to navigate', { url: event.url });
      event.preventDefault();
    });
    contents.on('will-redirect', (event) => event.preventDefault());
    contents.on('will-frame-navigate', (event) => {
      const mayShow = event.url === DIAGRAM_PAGE || isPreviewUrl(event.url);
      if (event.isMainFrame || !mayShow) event.preventDefault();
    });
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
