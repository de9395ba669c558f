import type { HyperagentBridge } from '#contract/requests.ts';

/**
 * `lost`: the connection broke and the window tries to reconnect. `refused`: the window has no valid
 * access token, and only a new link from the app helps.
 */
export type ConnectionState = 'connecting' | 'open' | 'lost' | 'refused';

export interface Connection {
  state(): ConnectionState;
  /** Calls back at every change until the returned function is called. */
  onChange(listener: (state: ConnectionState) => void): () => void;
}

/** The connection to main, and its state. */
export interface AppBridge extends HyperagentBridge {
  readonly connection: Connection;
}
