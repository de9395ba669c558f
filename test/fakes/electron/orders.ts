/** A frame that sends a message. */
export interface SenderFrame {
  readonly origin: string;
  readonly isTop: boolean;
}

/** What the test tells the stand-in to do. */
export type Order =
  | { readonly kind: 'state' }
  | {
      readonly kind: 'invoke';
      readonly channel: string;
      readonly args: readonly unknown[];
      /** Null: the frame is gone. */
      readonly frame: SenderFrame | null;
      /** From a window that the door did not open. */
      readonly stranger?: boolean;
    }
  | { readonly kind: 'send'; readonly channel: string; readonly frame: SenderFrame }
  /** Emits an event of the window's contents; answers whether it was prevented. */
  | {
      readonly kind: 'contents-event';
      readonly event: string;
      readonly url: string;
      readonly isMainFrame: boolean;
    }
  | {
      readonly kind: 'open-window';
      readonly url: string;
      /** Without an answer the dialog stays open. */
      readonly answer: number | null;
      /** The kind of the user's input before it; null: the page asks by itself. */
      readonly press: string | null;
    }
  | {
      readonly kind: 'permission';
      readonly permission: string;
      readonly frame: SenderFrame;
      /** In a session that was made after the window. */
      readonly later?: boolean;
    }
  | { readonly kind: 'device-permission' }
  /** Whether the session lets this request out. */
  | { readonly kind: 'network'; readonly url: string; readonly later?: boolean }
  /** Whether a download of this address goes on. */
  | { readonly kind: 'download'; readonly url: string }
  | { readonly kind: 'fetch'; readonly url: string; readonly method: string }
  | { readonly kind: 'second-instance' }
  | { readonly kind: 'reload' }
  /** Chooses an entry of the menu of the tray. */
  | { readonly kind: 'tray'; readonly label: string }
  | { readonly kind: 'click-notification' }
  | { readonly kind: 'close-window' }
  /** Throws an error that nothing catches. */
  | { readonly kind: 'crash'; readonly message: string }
  | { readonly kind: 'quit' };

/** What the door told Electron so far, in the order in which it did. */
export interface ShellState {
  readonly calls: readonly string[];
  readonly webPreferences: Readonly<Record<string, unknown>> | null;
  /** How pages may connect to peers; null for Electron's own way. */
  readonly peerPolicy: string | null;
  readonly loaded: readonly string[];
  readonly schemes: readonly unknown[];
  readonly handledChannels: readonly string[];
  /** Channels that are listened to without an answer. */
  readonly heardChannels: readonly string[];
  readonly opened: readonly string[];
  readonly asked: readonly string[];
  readonly errorBoxes: readonly string[];
  readonly windows: number;
  readonly trays: number;
  readonly notifications: readonly string[];
}

export type FromStandIn =
  | { readonly kind: 'answer'; readonly id: number; readonly value: unknown }
  | { readonly kind: 'push'; readonly channel: string; readonly message: unknown };
