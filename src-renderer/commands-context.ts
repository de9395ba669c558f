import { createContext, useContext, useEffect, useRef } from 'react';
import { ariaShortcut, type CommandId, commandOf, showShortcut } from './store/commands.ts';
import { createStore, type Store } from './store/store.ts';

/** Does a command; `at` is when it was asked for, on the clock of events. A busy window may do it later. */
type CommandHandler = (at: number) => void;

/** What the parts of the window that are on the screen offer. */
export type OfferedCommands = ReadonlyMap<CommandId, CommandHandler>;

export type CommandStore = Store<OfferedCommands>;

const CommandContext = createContext<CommandStore | null>(null);

export const CommandProvider = CommandContext.Provider;

export function createCommandStore(): CommandStore {
  return createStore<OfferedCommands>(new Map());
}

export function useCommands(): CommandStore {
  const store = useContext(CommandContext);
  if (store === null) throw new Error('This component must be inside CommandProvider');
  return store;
}

/** Offers a command for as long as the component is on the screen; with null, does not. */
export function useCommand(id: CommandId, handler: CommandHandler | null): void {
  const store = useCommands();
  const latest = useRef(handler);
  latest.current = handler;
  const isOffered = handler !== null;
  useEffect(() => {
    if (!isOffered) return;
    const offered: CommandHandler = (at) => latest.current?.(at);
    store.update((all) => new Map(all).set(id, offered));
    return () =>
      store.update((all) => {
        // The part that takes the place of this one may offer it already.
        if (all.get(id) !== offered) return all;
        const rest = new Map(all);
        rest.delete(id);
        return rest;
      });
  }, [store, id, isOffered]);
}

/** Does a command, if a part of the window offers it. */
export function runCommand(store: CommandStore, id: CommandId, at = performance.now()): void {
  store.get().get(id)?.(at);
}

/** Whether the keyboard has a Cmd key: it belongs to the computer of the window, not to the one that runs main. */
export function isMacKeyboard(): boolean {
  return /^(?:Mac|iPhone|iPad)/.test(navigator.platform);
}

/** The keys of a command, as shown and as said to screen readers; null where it has none. */
export function keysOf(id: CommandId): { readonly shown: string; readonly aria: string } | null {
  const shortcuts = commandOf(id)?.shortcuts ?? [];
  const [first] = shortcuts;
  if (first === undefined) return null;
  const keyboard = { isMac: isMacKeyboard() };
  return {
    shown: showShortcut(first, keyboard),
    aria: shortcuts.map((one) => ariaShortcut(one, keyboard)).join(' '),
  };
}
