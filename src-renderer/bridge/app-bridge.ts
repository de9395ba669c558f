import type { HyperagentBridge } from '#contract/requests.ts';

/**
 * `lost` had a connection and tries to get it back; `refused` has nothing to show at the door, and
 * only a new link from the app helps.
 */
export type ConnectionState = 'connecting' | 'open' | 'lost' | 'refused';

export interface Connection {
  state(): ConnectionState;
  /** Calls back at every change until the returned function is called. */
  onChange(listener: (state: ConnectionState) => void): () => void;
}

/** The way to main, and whether it stands. */
export interface AppBridge extends HyperagentBridge {
  readonly connection: Connection;
}
