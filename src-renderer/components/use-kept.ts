import { useSyncExternalStore } from 'react';
import { useSession } from '../session-context.ts';

/**
 * What the user typed into a form and did not save, by a name that no other form has. It stays when the form leaves
 * the screen, until it is set to undefined or the window closes; it is never stored, unless it is the draft of a file.
 */
export function useKept<Value>(
  name: string,
  initial: Value,
): readonly [Value, (value: Value | undefined) => void] {
  const { kept } = useSession();
  const value = useSyncExternalStore(kept.subscribe, () => kept.get().get(name));
  const keep = useKeep();
  const set = (next: Value | undefined): void => keep(name, () => next);
  // Only this form writes under its name.
  return [value === undefined ? initial : (value as Value), set];
}

/** Changes what is kept under a name, whose form need not be on the screen; undefined keeps nothing. */
export function useKeep(): (name: string, change: (before: unknown) => unknown) => void {
  const { kept } = useSession();
  return (name, change) =>
    kept.update((before) => {
      const value = change(before.get(name));
      if (value === before.get(name)) return before;
      const after = new Map(before);
      if (value === undefined) after.delete(name);
      else after.set(name, value);
      return after;
    });
}
