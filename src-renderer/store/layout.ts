import { createStore, type Store } from './store.ts';

/** The layout of the window; stored in the browser, apart from the app's settings. */
export interface Layout {
  readonly sidebarOpen: boolean;
  readonly sidebarWidth: number;
  readonly computerOpen: boolean;
  readonly computerWidth: number;
}

export const SIDEBAR_WIDTH = { min: 200, max: 400, initial: 256 } as const;
export const COMPUTER_WIDTH = { min: 320, max: 1100, initial: 440 } as const;

const INITIAL: Layout = {
  sidebarOpen: true,
  sidebarWidth: SIDEBAR_WIDTH.initial,
  computerOpen: true,
  computerWidth: COMPUTER_WIDTH.initial,
};
const KEY = 'hyperagent.layout';

/** The layout of last time. Each change is stored. */
export function createLayoutStore(storage: Pick<Storage, 'getItem' | 'setItem'>): Store<Layout> {
  const store = createStore<Layout>(readLayout(storage.getItem(KEY)));
  store.subscribe(() => storage.setItem(KEY, JSON.stringify(store.get())));
  return store;
}

/** What is missing or out of bounds falls back to the initial layout. */
function readLayout(stored: string | null): Layout {
  if (stored === null) return INITIAL;
  let value: Partial<Record<keyof Layout, unknown>>;
  try {
    value = JSON.parse(stored) as typeof value;
  } catch {
    // Not written by this app: start over.
    return INITIAL;
  }
  const { sidebarOpen, computerOpen } = value;
  return {
    sidebarOpen: typeof sidebarOpen === 'boolean' ? sidebarOpen : INITIAL.sidebarOpen,
    computerOpen: typeof computerOpen === 'boolean' ? computerOpen : INITIAL.computerOpen,
    sidebarWidth: clamp(value.sidebarWidth, SIDEBAR_WIDTH),
    computerWidth: clamp(value.computerWidth, COMPUTER_WIDTH),
  };
}

function clamp(
  value: unknown,
  { min, max, initial }: { readonly min: number; readonly max: number; readonly initial: number },
): number {
  if (typeof value !== 'number' || !Number.isFinite(value)) return initial;
  return Math.min(max, Math.max(min, value));
}
