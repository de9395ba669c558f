import { BrowserWindow, nativeTheme } from 'electron';
import type { Logger } from '../base/logger.ts';
import { APP_ORIGIN } from './app-protocol.ts';
import { keepBounds, readBounds } from './window-bounds.ts';

/** A renderer that crashes again this soon after a reload is not reloaded. */
const RELOAD_PAUSE_MS = 10_000;

/** The address of a task, or of the empty page for a new task. */
export function addressOf(threadId: string | null): string {
  return threadId === null ? `${APP_ORIGIN}/` : `${APP_ORIGIN}/#/task/${threadId}`;
}

export interface MainWindowOptions {
  /** The task to show first; null for none. */
  readonly threadId: string | null;
  readonly preload: string;
  readonly boundsFile: string;
  readonly logger: Logger;
  /** Called before the page loads, so that its first request is answered. */
  readonly onCreated: (window: BrowserWindow) => void;
}

/** Opens the window: our page, sandboxed and without Node, shown once it has rendered. */
export function openMainWindow({
  threadId,
  preload,
  boundsFile,
  logger,
  onCreated,
}: MainWindowOptions): BrowserWindow {
  const bounds = readBounds(boundsFile);
  const window = new BrowserWindow({
    title: 'HyperAgent',
    width: bounds?.width ?? 1360,
    height: bounds?.height ?? 880,
    ...(bounds === null ? {} : { x: bounds.x, y: bounds.y }),
    minWidth: 400,
    minHeight: 480,
    show: false,
    backgroundColor: nativeTheme.shouldUseDarkColors ? '#16171a' : '#ffffff',
    webPreferences: {
      preload,
      sandbox: true,
      contextIsolation: true,
      nodeIntegration: false,
      nodeIntegrationInWorker: false,
      nodeIntegrationInSubFrames: false,
      webSecurity: true,
      allowRunningInsecureContent: false,
      experimentalFeatures: false,
      webviewTag: false,
      navigateOnDragDrop: false,
      // The spell checker would download dictionaries.
      spellcheck: false,
    },
  });
  if (bounds?.maximized === true) window.maximize();
  window.once('ready-to-show', () => window.show());
  keepBounds(window, boundsFile, logger);
  reloadAfterCrash(window, logger);
  onCreated(window);
  void window.loadURL(addressOf(threadId));
  return window;
}

/** A crashed renderer loses nothing: the reloaded page reads the event log. */
function reloadAfterCrash(window: BrowserWindow, logger: Logger): void {
  let lastCrashAt = Number.NEGATIVE_INFINITY;
  window.webContents.on('render-process-gone', (_event, { reason, exitCode }) => {
    logger.error('The renderer is gone', { reason, exitCode });
    const now = performance.now();
    if (reason === 'clean-exit' || now - lastCrashAt < RELOAD_PAUSE_MS) return;
    lastCrashAt = now;
    window.webContents.reload();
  });
}
