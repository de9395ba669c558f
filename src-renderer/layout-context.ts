import { createContext, useContext, useEffect, useState, useSyncExternalStore } from 'react';
import type { Layout } from './store/layout.ts';
import type { Store } from './store/store.ts';

const LayoutContext = createContext<Store<Layout> | null>(null);

export const LayoutProvider = LayoutContext.Provider;

export function useLayout(): readonly [Layout, (change: Partial<Layout>) => void] {
  const store = useContext(LayoutContext);
  if (store === null) throw new Error('This component must be inside LayoutProvider');
  const layout = useSyncExternalStore(store.subscribe, store.get);
  return [layout, (change) => store.update((before) => ({ ...before, ...change }))];
}

/** Whether the window is too narrow for columns side by side. */
export function useIsNarrow(): boolean {
  return useMedia('(max-width: 899px)');
}

/** Whether there is no room for the tasks, the conversation and the computer side by side. */
export function useIsCramped(): boolean {
  return useMedia('(max-width: 1149px)');
}

export function useMedia(query: string): boolean {
  const [matches, setMatches] = useState(() => matchMedia(query).matches);
  useEffect(() => {
    const list = matchMedia(query);
    const update = (): void => setMatches(list.matches);
    update();
    list.addEventListener('change', update);
    return () => list.removeEventListener('change', update);
  }, [query]);
  return matches;
}
