import { app, BrowserWindow, Menu, Notification, Tray } from 'electron';
import type { Run } from '#contract/entities.ts';
import type { WaitingQuestion } from '#contract/events/hitl.ts';
import type { Dispose } from '../base/disposable.ts';
import type { App, Notice } from '../ipc/types.ts';
import { trayIcon } from './tray-icon.ts';

export interface BackgroundOptions {
  readonly app: Pick<App, 'services' | 'onBroadcast' | 'logger'>;
  /** Brings the window to the front, or back, with this task on it. */
  readonly show: (threadId: string | null) => void;
}

/**
 * What the app does while nobody looks: runs go on when the window is closed, with an icon in the tray
 * to come back by, and the system tells of questions and of runs that ended. Without runs at work,
 * closing the last window ends the app, as the platform expects.
 */
export function workInBackground({ app: composed, show }: BackgroundOptions): Dispose {
  const { services, logger } = composed;
  let tray: Tray | null = null;
  const known = new Set(services.runs.waiting().map(({ interruptId }) => interruptId));
  const atWork = new Set(
    services.runs.list().flatMap((run) => (services.runs.isActive(run.id) ? [run.id] : [])),
  );

  const showTray = (): void => {
    if (tray !== null) return;
    try {
      tray = new Tray(trayIcon());
    } catch (error) {
      // Some desktops have no tray; a second start brings the window back there.
      logger.warn('There is no tray', { error });
      return;
    }
    tray.setToolTip('HyperAgent is at work');
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
  const tell = (title: string, body: string, threadId: string): void => {
    if (!services.settings.get().notifications || !Notification.isSupported()) return;
    if (BrowserWindow.getFocusedWindow() !== null) return;
    const notification = new Notification({ title, body });
    notification.on('click', () => show(threadId));
    notification.show();
  };
  const onWaiting = (questions: readonly WaitingQuestion[]): void => {
    for (const { interruptId, title, threadTitle, threadId } of questions) {
      if (known.has(interruptId)) continue;
      known.add(interruptId);
      tell('HyperAgent waits for you', `${title} (${threadTitle})`, threadId);
    }
  };
  const onRun = (run: Run): void => {
    if (run.status === 'running') atWork.add(run.id);
    else if (atWork.delete(run.id) && run.endedAt !== null) {
      tell(ENDS[run.status] ?? 'A task ended', run.prompt.slice(0, 120), run.threadId);
    }
  };
  const stop = composed.onBroadcast((notice: Notice) => {
    if (notice.kind === 'waiting_changed') onWaiting(notice.questions);
    else if (notice.kind === 'run_changed') onRun(notice.run);
  });
  app.on('window-all-closed', () => {
    if (atWork.size > 0) showTray();
    else if (process.platform !== 'darwin') app.quit();
  });
  app.on('browser-window-created', hideTray);
  return () => {
    stop();
    hideTray();
  };
}

const ENDS: Readonly<Partial<Record<Run['status'], string>>> = {
  completed: 'A task is done',
  unverified: 'A task is done, but not verified',
  failed: 'A task could not be finished',
  cancelled: 'A task was stopped',
};
