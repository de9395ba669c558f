import { createContext, useContext, useRef, useSyncExternalStore } from 'react';
import type { AppState } from './store/app-state.ts';
import type { Session } from './store/session.ts';

const SessionContext = createContext<Session | null>(null);

export const SessionProvider = SessionContext.Provider;

export function useSession(): Session {
  const session = useContext(SessionContext);
  if (session === null) throw new Error('This component must be inside SessionProvider');
  return session;
}

/**
 * A part of the state. The component draws again only when `isEqual` says that it changed; by
 * default when it is another object.
 */
export function useApp<Value>(
  select: (state: AppState) => Value,
  isEqual: (a: Value, b: Value) => boolean = Object.is,
): Value {
  const { store } = useSession();
  const last = useRef<{ state: AppState; select: unknown; value: Value } | null>(null);
  const read = (): Value => {
    const state = store.get();
    const before = last.current;
    if (before !== null && before.state === state && before.select === select) return before.value;
    const fresh = select(state);
    const value = before !== null && isEqual(before.value, fresh) ? before.value : fresh;
    last.current = { state, select, value };
    return value;
  };
  return useSyncExternalStore(store.subscribe, read);
}
