import { BrowserWindow, nativeTheme } from 'electron';
import type { Logger } from '../base/logger.ts';
import { APP_ORIGIN } from './app-protocol.ts';
import { keepBounds, readBounds } from './window-bounds.ts';

/** A renderer that dies again this soon after it was brought back is left alone. */
const RELOAD_PAUSE_MS = 10_000;

/** Where the page shows a task, or the empty page of a new one. */
export function addressOf(threadId: string | null): string {
  return threadId === null ? `${APP_ORIGIN}/` : `${APP_ORIGIN}/#/task/${threadId}`;
}

export interface MainWindowOptions {
  /** The task that it shows first; null for none. */
  readonly threadId: string | null;
  readonly preload: string;
  readonly boundsFile: string;
  readonly logger: Logger;
  /** Called before the page is loaded, so that it finds somebody to talk to. */
  readonly onCreated: (window: BrowserWindow) => void;
}

/** The window: a sandboxed page of ours without Node, shown when it has something to show. */
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
      // It would fetch dictionaries from the network.
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

/** Nothing is lost with a renderer: its next page reads the log of events. */
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
