import type { RequestInput, RequestName, RequestOutput } from '#contract/requests.ts';
import type { AppBridge } from '../bridge/app-bridge.ts';
import type { AppState, Toast } from './app-state.ts';
import type { RunFeed } from './run-feed.ts';
import type { Store } from './store.ts';

/** What the actions of the window need. */
export interface ActionContext {
  readonly bridge: AppBridge;
  readonly store: Store<AppState>;
  readonly feed: RunFeed;
}

const TOASTS_SHOWN = 4;
let nextToast = 1;

export function showToast(store: Store<AppState>, tone: Toast['tone'], text: string): void {
  const toast = { id: nextToast++, tone, text };
  store.update((state) => ({
    ...state,
    // No duplicate of a toast that is still shown.
    toasts: [...state.toasts.filter((other) => other.text !== text), toast].slice(-TOASTS_SHOWN),
  }));
}

export function dismissToast(store: Store<AppState>, id: number): void {
  store.update((state) => ({
    ...state,
    toasts: state.toasts.filter((toast) => toast.id !== id),
  }));
}

/** Makes a request; null if it failed, after showing a toast. */
export async function ask<Name extends RequestName>(
  context: Pick<ActionContext, 'bridge' | 'store'>,
  name: Name,
  input: RequestInput<Name>,
): Promise<RequestOutput<Name> | null> {
  const result = await context.bridge.request(name, input);
  if (result.ok) return result.data;
  showToast(context.store, 'error', result.error.message);
  return null;
}
