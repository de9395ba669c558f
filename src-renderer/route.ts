import { openThreadId } from './store/selectors.ts';
import type { Session } from './store/session.ts';

const TASK = /^#\/task\/([\w-]{1,100})$/;

/** The task that the address names, so that a reload shows it again. */
export function readRoute(): string | null {
  return TASK.exec(location.hash)?.[1] ?? null;
}

/** Keeps the address and the task on the screen the same, whichever of them changes. */
export function followRoute({ store, threads }: Session): void {
  let shown = openThreadId(store.get());
  const write = (): void => {
    const next = openThreadId(store.get());
    if (next === shown) return;
    shown = next;
    history.pushState(null, '', next === null ? location.pathname : `#/task/${next}`);
  };
  store.subscribe(write);
  addEventListener('popstate', () => {
    const named = readRoute();
    if (named === shown) return;
    shown = named;
    void threads.open(named);
  });
}
