import { useSyncExternalStore } from 'react';
import { useSession } from '../session-context.ts';

/**
 * What the user typed into a form and did not save, by a name that no other form has. It stays when the form leaves
 * the screen, until it is set to undefined or the window closes; it is never stored.
 */
export function useKept<Value>(
  name: string,
  initial: Value,
): readonly [Value, (value: Value | undefined) => void] {
  const { kept } = useSession();
  const value = useSyncExternalStore(kept.subscribe, () => kept.get().get(name));
  const set = (next: Value | undefined): void =>
    kept.update((before) => {
      const after = new Map(before);
      if (next === undefined) after.delete(name);
      else after.set(name, next);
      return after;
    });
  // Only this form writes under its name.
  return [value === undefined ? initial : (value as Value), set];
}
