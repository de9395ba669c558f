import {
  app,
  BrowserWindow,
  Menu,
  type NativeImage,
  Notification,
  nativeImage,
  Tray,
} from 'electron';
import type { Run } from '#contract/entities.ts';
import type { WaitingQuestion } from '#contract/events/hitl.ts';
import type { Notice } from '../api/types.ts';
import type { Dispose } from '../base/disposable.ts';
import type { App } from '../compose/app.ts';

export interface BackgroundOptions {
  readonly app: Pick<App, 'api' | 'runs' | 'onBroadcast' | 'logger'>;
  /** Opens the window or brings it to the front, showing this task. */
  readonly show: (threadId: string | null) => void;
}

/**
 * Keeps runs going after the window is closed: a tray icon reopens the window, and system notifications
 * announce questions and ended runs. With no run active, closing the last window quits the app, as the
 * platform expects.
 */
export function workInBackground({ app: composed, show }: BackgroundOptions): Dispose {
  const { api, runs, logger } = composed;
  let tray: Tray | null = null;
  const known = new Set(api['runs.waiting']().questions.map(({ interruptId }) => interruptId));
  const active = new Set(runs.list().flatMap((run) => (runs.isActive(run.id) ? [run.id] : [])));

  const showTray = (): void => {
    if (tray !== null) return;
    try {
      tray = new Tray(trayIcon());
    } catch (error) {
      // Some desktops have no tray; starting the app again reopens the window there.
      logger.warn('The tray icon could not be created', { error });
      return;
    }
    tray.setToolTip('HyperAgent is running a task');
    tray.setContextMenu(
      Menu.buildFromTemplate([
        { label: 'Open HyperAgent', click: () => show(null) },
        { type: 'separator' },
        { label: 'Quit', click: () => app.quit() },
      ]),
    );
    tray.on('click', () => show(null));
  };
  const hideTray = (): void => {
    tray?.destroy();
    tray = null;
  };
  const notify = (title: string, body: string, threadId: string): void => {
    if (!api['settings.get']().settings.notifications || !Notification.isSupported()) return;
    if (BrowserWindow.getFocusedWindow() !== null) return;
    const notification = new Notification({ title, body });
    notification.on('click', () => show(threadId));
    notification.show();
  };
  const onWaiting = (questions: readonly WaitingQuestion[]): void => {
    for (const { interruptId, title, threadTitle, threadId } of questions) {
      if (known.has(interruptId)) continue;
      known.add(interruptId);
      notify('HyperAgent needs your answer', `${title} (${threadTitle})`, threadId);
    }
  };
  const onRun = (run: Run): void => {
    if (run.status === 'running') active.add(run.id);
    else if (active.delete(run.id) && run.endedAt !== null) {
      notify(ENDS[run.status] ?? 'Task ended', run.prompt.slice(0, 120), run.threadId);
    }
  };
  const stop = composed.onBroadcast((notice: Notice) => {
    if (notice.kind === 'waiting_changed') onWaiting(notice.questions);
    else if (notice.kind === 'run_changed') onRun(notice.run);
  });
  app.on('window-all-closed', () => {
    if (active.size > 0) showTray();
    else if (process.platform !== 'darwin') app.quit();
  });
  app.on('browser-window-created', hideTray);
  return () => {
    stop();
    hideTray();
  };
}

const ENDS: Readonly<Partial<Record<Run['status'], string>>> = {
  completed: 'Task completed',
  unverified: 'Task completed, but not verified',
  failed: 'Task failed',
  cancelled: 'Task stopped',
};

const SIZE = 32;

/** A ring with a dot, drawn in code: the same on every platform, without a file. */
function trayIcon(): NativeImage {
  const pixels = Buffer.alloc(SIZE * SIZE * 4);
  const middle = (SIZE - 1) / 2;
  for (let y = 0; y < SIZE; y += 1) {
    for (let x = 0; x < SIZE; x += 1) {
      const distance = Math.hypot(x - middle, y - middle);
      const inRing = Math.abs(distance - 12) < 2;
      const inDot = distance < 5;
      if (!inRing && !inDot) continue;
      // BGRA, the teal of the app.
      pixels.set([0x96, 0xa3, 0x2d, 0xff], (y * SIZE + x) * 4);
    }
  }
  return nativeImage.createFromBitmap(pixels, { width: SIZE, height: SIZE });
}
