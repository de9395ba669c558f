import { type IpcMainEvent, type IpcMainInvokeEvent, ipcMain, type WebContents } from 'electron';
import type { Subscriber } from '../api/types.ts';
import type { Dispose } from '../base/disposable.ts';
import type { PushHub } from '../transport/push-hub.ts';
import type { AnyResult, RequestRouter } from '../transport/request-router.ts';
import { WindowClient } from './window-client.ts';

/** The same names as in `src-preload/index.ts`: a sandboxed preload shares no module with main. */
const REQUEST = 'hyperagent:request';
const PUSH = 'hyperagent:push';
const PUSH_SEEN = 'hyperagent:push-seen';

export interface ElectronIpcOptions {
  readonly router: RequestRouter;
  readonly hub: PushHub;
  /** The only origin that our windows load from. */
  readonly origin: string;
}

/** Electron's transport. Answers only requests from our own windows. */
export class ElectronIpc {
  readonly #options: ElectronIpcOptions;
  readonly #windows = new Map<
    WebContents,
    { readonly client: WindowClient; readonly caller: Subscriber }
  >();

  constructor(options: ElectronIpcOptions) {
    this.#options = options;
    ipcMain.handle(REQUEST, (event, name: unknown, input: unknown) =>
      this.#answer(event, name, input),
    );
    ipcMain.on(PUSH_SEEN, (event) => this.#ownWindow(event)?.client.seen());
  }

  /** Connects a window. A reload starts without the subscriptions of the previous page. */
  attach(contents: WebContents): Dispose {
    this.#admit(contents);
    contents.on('did-start-navigation', ({ isMainFrame, isSameDocument }) => {
      if (isMainFrame && !isSameDocument) this.#admit(contents);
    });
    contents.on('destroyed', () => this.#dismiss(contents));
    return () => this.#dismiss(contents);
  }

  dispose(): void {
    ipcMain.removeHandler(REQUEST);
    ipcMain.removeAllListeners(PUSH_SEEN);
    for (const contents of [...this.#windows.keys()]) this.#dismiss(contents);
  }

  #admit(contents: WebContents): void {
    this.#dismiss(contents);
    const client = new WindowClient((message) => {
      if (!contents.isDestroyed()) contents.send(PUSH, message);
    });
    this.#windows.set(contents, { client, caller: this.#options.hub.attach(client) });
  }

  #dismiss(contents: WebContents): void {
    this.#windows.get(contents)?.client.close();
    this.#windows.delete(contents);
  }

  async #answer(event: IpcMainInvokeEvent, name: unknown, input: unknown): Promise<AnyResult> {
    const own = this.#ownWindow(event);
    if (own !== null) return this.#options.router.handle(name, input, own.caller);
    const message = 'Only the app window may send requests.';
    return { ok: false, error: { code: 'UNAUTHORIZED', message, details: {} } };
  }

  /** Our window that a message comes from, if its top frame sent it while it shows our page. */
  #ownWindow({ sender, senderFrame }: IpcMainEvent | IpcMainInvokeEvent) {
    const isOwn =
      senderFrame !== null &&
      senderFrame.parent === null &&
      senderFrame.origin === this.#options.origin;
    return isOwn ? (this.#windows.get(sender) ?? null) : null;
  }
}
