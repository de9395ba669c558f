import { join } from 'node:path';
import { app, BrowserWindow, dialog } from 'electron';
import { DisposalStack } from '../base/disposable.ts';
import type { App, Compose } from '../compose/app.ts';
import { systemPolicy } from '../policy/read-policy.ts';
import { dataPaths } from '../storage/data-paths.ts';
import { PushHub } from '../transport/push-hub.ts';
import { RequestRouter } from '../transport/request-router.ts';
import { deleteWindowData } from '../user-data/delete-data.ts';
import { installMenu } from './app-menu.ts';
import { APP_ORIGIN, registerAppScheme, serveAppProtocol } from './app-protocol.ts';
import { workInBackground } from './background.ts';
import { keepCrashDumpsHere } from './crash-reports.ts';
import { ElectronIpc } from './electron-ipc.ts';
import { hardenContents, hardenSessions } from './hardening.ts';
import { keychainSeal } from './keychain-seal.ts';
import { addressOf, openMainWindow } from './main-window.ts';
import { offerRestore } from './offer-restore.ts';
import { startUtilityHost } from './utility-host.ts';

export interface DesktopOptions {
  readonly compose: () => Promise<Compose>;
  /** Throws where the policy of this computer forbids the requested one. */
  readonly dataDir: () => string;
  /** The folder of `package.json`. */
  readonly root: string;
}

/** Starts the desktop app. A second start brings up the first one and exits. */
export async function startDesktop(given: DesktopOptions): Promise<void> {
  app.setName('HyperAgent');
  const dataDir = folderOf(given);
  if (dataDir === null) return;
  const options = { ...given, dataDir };
  const isValid = systemPolicy().state !== 'invalid';
  if (isValid) deleteWindowData(dataDir);
  // The page's storage, inside the data folder. Set first, because the lock below depends on it.
  app.setPath('userData', dataPaths(dataDir).window);
  if (!app.requestSingleInstanceLock()) {
    app.quit();
    return;
  }
  keepCrashDumpsHere(dataPaths(dataDir).crashes);
  app.enableSandbox();
  registerAppScheme();
  await app.whenReady();
  const closing = new DisposalStack();
  quitGracefully(closing);
  try {
    await openApp(options, closing).catch(async (error: unknown) => {
      if (!isValid || !(await offerRestore(error, dataDir))) throw error;
      await openApp(options, closing);
    });
  } catch (error) {
    dialog.showErrorBox('HyperAgent could not start', messageOf(error));
    app.exit(1);
  }
}

/** Null where there is none: the user sees why, and the app ends. */
function folderOf({ dataDir }: DesktopOptions): string | null {
  try {
    return dataDir();
  } catch (error) {
    dialog.showErrorBox('HyperAgent could not start', messageOf(error));
    app.exit(1);
    return null;
  }
}

async function openApp(
  options: Omit<DesktopOptions, 'dataDir'> & { readonly dataDir: string },
  closing: DisposalStack,
): Promise<void> {
  const compose = await options.compose();
  const composed = await compose({
    dataDir: options.dataDir,
    entryPoint: 'desktop',
    attended: true,
    readOnly: false,
    ownsProcess: true,
    seal: keychainSeal(),
    startHost: startUtilityHost,
    chooseFile,
    endForDeletion: { next: 'restarts', end: restart },
  });
  closing.add(() => composed[Symbol.asyncDispose]());
  hardenSessions();
  hardenContents(composed.logger);
  installMenu();
  await serveAppProtocol(join(options.root, 'out', 'renderer'));
  const ipc = connectWindows(composed, closing);
  const open = (threadId: string | null): BrowserWindow =>
    openMainWindow({
      threadId,
      preload: join(options.root, 'out', 'preload', 'index.cjs'),
      boundsFile: join(options.dataDir, 'window', 'bounds.json'),
      logger: composed.logger,
      onCreated: ({ webContents }) => ipc.attach(webContents),
    });
  const show = keepOneWindow(open);
  closing.add(workInBackground({ app: composed, show }));
}

/** The next start deletes the data before it opens anything. */
function restart(): void {
  app.relaunch();
  app.quit();
}

/** Asks in a dialog of the system, which warns before it replaces a file. */
async function chooseFile(suggestedName: string): Promise<string | null> {
  const window = BrowserWindow.getFocusedWindow();
  const options = { defaultPath: join(app.getPath('documents'), suggestedName) };
  const { canceled, filePath } = await (window === null
    ? dialog.showSaveDialog(options)
    : dialog.showSaveDialog(window, options));
  return canceled || filePath === '' ? null : filePath;
}

function connectWindows(composed: App, closing: DisposalStack): ElectronIpc {
  const { api, runs, logger } = composed;
  const hub = new PushHub(runs, logger);
  closing.add(() => hub.dispose());
  closing.add(composed.onBroadcast(hub.broadcast));
  const router = new RequestRouter(api, logger);
  const ipc = new ElectronIpc({ router, hub, origin: APP_ORIGIN });
  closing.add(() => ipc.dispose());
  return ipc;
}

/** One window: a second start or a click on the dock opens it or brings it to the front. */
function keepOneWindow(
  open: (threadId: string | null) => BrowserWindow,
): (threadId: string | null) => void {
  let window: BrowserWindow | null = null;
  const show = (threadId: string | null): void => {
    if (window === null) {
      window = open(threadId);
      window.on('closed', () => {
        window = null;
      });
      return;
    }
    if (threadId !== null) void window.loadURL(addressOf(threadId));
    if (window.isMinimized()) window.restore();
    window.show();
    window.focus();
  };
  app.on('second-instance', () => show(null));
  app.on('activate', () => show(null));
  show(null);
  return show;
}

/** On quit, stops runs at a point where they can resume, and closes the database. */
function quitGracefully(closing: DisposalStack): void {
  let isClosed = false;
  app.on('before-quit', (event) => {
    if (isClosed) return;
    event.preventDefault();
    void closing
      .dispose()
      .catch((error: unknown) => process.stderr.write(`hyperagent: ${messageOf(error)}\n`))
      .finally(() => {
        isClosed = true;
        app.quit();
      });
  });
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => app.quit());
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
