import type { HyperagentBridge } from '#contract/requests.ts';
import type { AppBridge } from './app-bridge.ts';

declare global {
  interface Window {
    /** Set by the preload in the desktop app; absent in a browser. */
    readonly hyperagent?: HyperagentBridge;
  }
}

const TOKEN_KEY = 'hyperagent.token';

/** The bridge of this window: the preload's where there is one, else a socket to the page's host. */
export async function connect(): Promise<AppBridge> {
  const preload = window.hyperagent;
  if (preload !== undefined) return wrapPreload(preload);
  // Loaded here, because it needs the whole contract, and the desktop app does not.
  const { WebSocketBridge } = await import('./web-socket-bridge.ts');
  const scheme = location.protocol === 'https:' ? 'wss' : 'ws';
  return new WebSocketBridge({ url: `${scheme}://${location.host}/socket`, token: takeToken() });
}

/** The connection between a window and its own main process cannot break. */
function wrapPreload(preload: HyperagentBridge): AppBridge {
  return {
    request: (name, input) => preload.request(name, input),
    cancel: (runId) => preload.cancel(runId),
    onEvent: (listener) => preload.onEvent(listener),
    connection: { state: () => 'open', onChange: () => () => undefined },
  };
}

/**
 * The access token that the app put behind the `#` of its link, which no server ever sees. It leaves
 * the address bar at once, so that neither a copied address nor the history contains it.
 */
function takeToken(): string | null {
  const fromLink = /^#token=([A-Za-z0-9_-]+)$/.exec(location.hash)?.[1];
  if (fromLink === undefined) return sessionStorage.getItem(TOKEN_KEY);
  sessionStorage.setItem(TOKEN_KEY, fromLink);
  history.replaceState(null, '', location.pathname + location.search);
  return fromLink;
}
