import { EventEmitter } from 'node:events';
import { existsSync } from 'node:fs';
import type { FromStandIn, Order, SenderFrame, ShellState } from './orders.ts';
import { call, decided, type Handler, permissionsOf, Session } from './session.ts';

/**
 * What `src-main` uses of Electron's main process. Behaviour that a test chooses comes from the
 * environment: STAND_IN_SECOND (a first instance runs already), STAND_IN_KEYRING (the backend of
 * safeStorage).
 */

const calls: string[] = [];
const loaded: string[] = [];
const opened: string[] = [];
const asked: string[] = [];
const errorBoxes: string[] = [];
const schemes: unknown[] = [];
const handlers = new Map<string, Handler>();
const windows = new Set<BrowserWindow>();
const notifications: string[] = [];
interface MenuItem {
  readonly label?: string;
  readonly click?: () => void;
}
let trayMenu: readonly MenuItem[] = [];
let lastNotification: EventEmitter | null = null;
const trays = new Set<object>();
let webPreferences: Record<string, unknown> | null = null;
let peerPolicy: string | null = null;
let dialogAnswer: number | null = Number(process.env.STAND_IN_ANSWER ?? 1);
let isReady = false;

function note(call: string): void {
  calls.push(isReady ? call : `${call} (before ready)`);
}

function tell(message: FromStandIn): void {
  process.send?.(message);
}

class StandInApp extends EventEmitter {
  #isQuitting = false;

  setName(name: string): void {
    note(`app.setName ${name}`);
  }
  setPath(name: string, path: string): void {
    // Electron refuses a folder for dumps that does not exist.
    if (name === 'crashDumps' && !existsSync(path)) throw new Error(`There is no ${path}`);
    note(`app.setPath ${name}`);
  }
  getPath(name: string): string {
    return `/home/me/${name}`;
  }
  requestSingleInstanceLock(): boolean {
    note('app.requestSingleInstanceLock');
    return process.env.STAND_IN_SECOND === undefined;
  }
  enableSandbox(): void {
    note('app.enableSandbox');
  }
  async whenReady(): Promise<void> {
    await new Promise((resolve) => setTimeout(resolve, 10));
    isReady = true;
  }
  relaunch(): void {
    note('app.relaunch');
  }
  quit(): void {
    if (this.#isQuitting) return;
    if (this.#prevented('before-quit')) return;
    this.#isQuitting = true;
    for (const window of [...windows]) window.destroy();
    this.exit(0);
  }
  exit(code: number): void {
    process.exit(code);
  }
  #prevented(name: string): boolean {
    const event = preventable();
    this.emit(name, event);
    return event.defaultPrevented;
  }
}

function preventable(fields: Record<string, unknown> = {}) {
  const event = {
    defaultPrevented: false,
    preventDefault(): void {
      event.defaultPrevented = true;
    },
    ...fields,
  };
  return event;
}

class WebContents extends EventEmitter {
  readonly mainFrame = { origin: 'app://hyperagent' };
  openHandler: ((details: { url: string }) => { action: string }) | null = null;

  send(channel: string, message: unknown): void {
    // What Electron cannot clone, it refuses.
    tell({ kind: 'push', channel, message: structuredClone(message) });
  }
  isDestroyed(): boolean {
    return false;
  }
  setWindowOpenHandler(handler: (details: { url: string }) => { action: string }): void {
    this.openHandler = handler;
  }
  setWebRTCIPHandlingPolicy(policy: string): void {
    peerPolicy = policy;
  }
  reload(): void {
    this.emit('did-start-navigation', { isMainFrame: true, isSameDocument: false });
  }
}

export class BrowserWindow extends EventEmitter {
  static getFocusedWindow(): null {
    return null;
  }
  readonly webContents = new WebContents();
  #isMinimized = false;

  constructor(options: { webPreferences: Record<string, unknown>; show: boolean }) {
    super();
    webPreferences = options.webPreferences;
    note(`new BrowserWindow, show ${options.show}`);
    windows.add(this);
    app.emit('browser-window-created', {}, this);
    app.emit('web-contents-created', {}, this.webContents);
  }
  static fromWebContents(contents: unknown): BrowserWindow | null {
    return [...windows].find((window) => window.webContents === contents) ?? null;
  }
  async loadURL(url: string): Promise<void> {
    loaded.push(url);
    this.webContents.emit('did-start-navigation', { isMainFrame: true, isSameDocument: false });
    await new Promise((resolve) => setTimeout(resolve, 1));
    this.emit('ready-to-show');
  }
  show(): void {
    note('window.show');
  }
  focus(): void {
    note('window.focus');
  }
  maximize(): void {
    note('window.maximize');
  }
  restore(): void {
    this.#isMinimized = false;
  }
  isMinimized(): boolean {
    return this.#isMinimized;
  }
  isMaximized(): boolean {
    return false;
  }
  getNormalBounds(): object {
    return { x: 10, y: 20, width: 900, height: 700 };
  }
  close(): void {
    this.emit('close', preventable());
    this.destroy();
    if (windows.size === 0) app.emit('window-all-closed');
  }
  destroy(): void {
    windows.delete(this);
    this.webContents.emit('destroyed');
    this.emit('closed');
  }
}

class IpcMain extends EventEmitter {
  handle(channel: string, handler: Handler): void {
    if (handlers.has(channel)) throw new Error(`${channel} is handled already`);
    handlers.set(channel, handler);
  }
  removeHandler(channel: string): void {
    handlers.delete(channel);
  }
}

type Fetcher = (request: { url: string; method: string }) => Promise<Response>;
let fetcher: Fetcher | null = null;

export const app = new StandInApp();
export const ipcMain = new IpcMain();
export const session = { defaultSession: new Session() };
export const protocol = {
  registerSchemesAsPrivileged: (list: unknown[]): void => {
    note('protocol.registerSchemesAsPrivileged');
    schemes.push(...list);
  },
  handle: (scheme: string, handler: Fetcher): void => {
    note(`protocol.handle ${scheme}`);
    fetcher = handler;
  },
};
export const dialog = {
  showErrorBox: (title: string, content: string): void => {
    errorBoxes.push(`${title}: ${content}`);
    process.stderr.write(`${title}: ${content}\n`);
  },
  /** The user takes the suggested name in this folder, or saves nowhere. */
  showSaveDialog: async (...[first, second]: { defaultPath: string }[]) => {
    const { defaultPath = '' } = second ?? first ?? {};
    asked.push(defaultPath);
    const folder = process.env.STAND_IN_SAVE;
    const name = defaultPath.split('/').at(-1);
    return folder === undefined
      ? { canceled: true, filePath: '' }
      : { canceled: false, filePath: `${folder}/${name}` };
  },
  /** Before a window, or without one. */
  showMessageBox: (...[first, second]: { detail: string }[]) => {
    const { detail = '' } = second ?? first ?? {};
    asked.push(detail);
    return dialogAnswer === null
      ? new Promise(() => undefined)
      : Promise.resolve({ response: dialogAnswer });
  },
};
export const shell = {
  openExternal: (url: string): Promise<void> => {
    opened.push(url);
    return Promise.resolve();
  },
};
export const crashReporter = {
  start: (options: object): void => note(`crashReporter.start ${JSON.stringify(options)}`),
};
export const Menu = {
  buildFromTemplate: (template: unknown) => template,
  setApplicationMenu: (): void => note('Menu.setApplicationMenu'),
};
export const nativeImage = {
  createFromBitmap: (pixels: Buffer, size: object): object => ({ bytes: pixels.length, ...size }),
};

/** The icon to come back by. */
export class Tray extends EventEmitter {
  constructor() {
    super();
    note('new Tray');
    trays.add(this);
  }
  setToolTip(text: string): void {
    note(`tray.setToolTip ${text}`);
  }
  setContextMenu(template: MenuItem[]): void {
    trayMenu = template;
  }
  destroy(): void {
    note('tray.destroy');
    trays.delete(this);
  }
}

/** What the system would show. */
export class Notification extends EventEmitter {
  readonly #text: string;
  static isSupported(): boolean {
    return true;
  }
  constructor({ title, body }: { title: string; body: string }) {
    super();
    this.#text = `${title}: ${body}`;
  }
  show(): void {
    notifications.push(this.#text);
    lastNotification = this;
  }
}

export { utilityProcess } from './utility-process.ts';

export const nativeTheme = { shouldUseDarkColors: false };
export const screen = {
  getDisplayMatching: () => ({ workArea: { x: 0, y: 0, width: 1920, height: 1080 } }),
};
export const safeStorage = {
  isEncryptionAvailable: (): boolean => true,
  getSelectedStorageBackend: (): string => process.env.STAND_IN_KEYRING ?? 'basic_text',
  encryptString: (text: string): Buffer => Buffer.from(text).reverse(),
  decryptString: (sealed: Buffer): string => Buffer.from(sealed).reverse().toString(),
};

function state(): ShellState {
  return {
    calls,
    webPreferences,
    peerPolicy,
    loaded,
    schemes,
    handledChannels: [...handlers.keys()],
    heardChannels: ipcMain.eventNames().map(String),
    opened,
    asked,
    errorBoxes,
    windows: windows.size,
    trays: trays.size,
    notifications,
  };
}

function firstWindow(): BrowserWindow {
  const [window] = windows;
  if (window === undefined) throw new Error('There is no window');
  return window;
}

function eventFrom(frame: SenderFrame | null, stranger = false) {
  const sender = stranger ? new WebContents() : firstWindow().webContents;
  const senderFrame =
    frame === null ? null : { origin: frame.origin, parent: frame.isTop ? null : {} };
  return { sender, senderFrame };
}

function laterSession(): Session {
  const made = new Session();
  app.emit('session-created', made);
  return made;
}

async function carryOut(order: Order): Promise<unknown> {
  const { defaultSession } = session;
  switch (order.kind) {
    case 'state':
      return state();
    case 'invoke': {
      const event = eventFrom(order.frame, order.stranger);
      return call(handlers.get(order.channel), event, ...structuredClone(order.args));
    }
    case 'send':
      return ipcMain.emit(order.channel, eventFrom(order.frame));
    case 'contents-event': {
      const event = preventable({ url: order.url, isMainFrame: order.isMainFrame });
      firstWindow().webContents.emit(order.event, event);
      return event.defaultPrevented;
    }
    case 'open-window': {
      dialogAnswer = order.answer;
      if (order.press !== null) {
        firstWindow().webContents.emit('input-event', {}, { type: order.press });
      }
      const answer = firstWindow().webContents.openHandler?.({ url: order.url });
      await new Promise((resolve) => setTimeout(resolve, 5));
      return answer;
    }
    case 'permission':
      return permissionsOf(order.later === true ? laterSession() : defaultSession, order);
    case 'device-permission':
      return call(defaultSession.deviceHandler, {});
    case 'network':
      return decided((order.later === true ? laterSession() : defaultSession).beforeRequest, {
        url: order.url,
      });
    case 'download': {
      const event = preventable();
      defaultSession.emit('will-download', event, { getURL: () => order.url });
      return !event.defaultPrevented;
    }
    case 'fetch': {
      const response = await fetcher?.({ url: order.url, method: order.method });
      return {
        status: response?.status,
        headers: Object.fromEntries(response?.headers ?? []),
        body: Buffer.from((await response?.arrayBuffer()) ?? new ArrayBuffer(0)).toString('base64'),
      };
    }
    case 'second-instance':
      return app.emit('second-instance');
    case 'reload':
      return firstWindow().webContents.reload();
    case 'tray':
      return trayMenu.find(({ label }) => label === order.label)?.click?.();
    case 'click-notification':
      return lastNotification?.emit('click');
    case 'close-window':
      return firstWindow().close();
    case 'crash':
      return void setImmediate(() => {
        throw new Error(order.message);
      });
    case 'quit':
      return app.quit();
  }
}

process.on('message', ({ id, order }: { id: number; order: Order }) => {
  carryOut(order).then(
    (value) => tell({ kind: 'answer', id, value }),
    (error: unknown) => tell({ kind: 'answer', id, value: { error: String(error) } }),
  );
});
