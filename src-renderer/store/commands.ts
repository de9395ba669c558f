import type { commandStrings } from '../strings/commands.ts';

export type CommandId = keyof typeof commandStrings.labels;
export type CommandGroup = keyof typeof commandStrings.groups;

/** Keys of a shortcut. `mod` is Cmd on a Mac, and Ctrl elsewhere; no shortcut has Alt, which types letters. */
export interface Shortcut {
  /** As in `KeyboardEvent.key`; a letter in upper case. */
  readonly key: string;
  readonly mod: boolean;
  readonly shift: boolean;
  /** Whether it also holds while a text is being typed. */
  readonly inText: boolean;
}

/** Something that the user can do from anywhere, as long as a part of the window offers it. */
export interface Command {
  readonly id: CommandId;
  readonly group: CommandGroup;
  /** The first is the one that tooltips show; none for what only the command palette offers. */
  readonly shortcuts: readonly Shortcut[];
}

const mod = (key: string): Shortcut => ({ key, mod: true, shift: false, inText: true });
const modShift = (key: string): Shortcut => ({ key, mod: true, shift: true, inText: true });
const modOutsideText = (key: string): Shortcut => ({ ...mod(key), inText: false });
const plain = (key: string): Shortcut => ({ key, mod: false, shift: false, inText: false });

/**
 * The one table of shortcuts: the window listens by it, and tooltips, the list of shortcuts and the command
 * palette read it. In a browser, keys that it keeps for itself (Ctrl+N, Ctrl+T, Ctrl+W) never arrive here.
 */
export const COMMANDS: readonly Command[] = [
  { id: 'palette', group: 'window', shortcuts: [mod('K')] },
  { id: 'newTask', group: 'window', shortcuts: [modShift('O')] },
  { id: 'search', group: 'window', shortcuts: [modShift('F')] },
  { id: 'sidebar', group: 'window', shortcuts: [mod('B')] },
  { id: 'artifacts', group: 'window', shortcuts: [] },
  { id: 'settings', group: 'window', shortcuts: [mod(',')] },
  { id: 'setupCheck', group: 'window', shortcuts: [] },
  { id: 'shortcuts', group: 'window', shortcuts: [mod('/'), plain('?')] },
  { id: 'composer', group: 'task', shortcuts: [mod(';')] },
  { id: 'computer', group: 'task', shortcuts: [modShift('E')] },
  { id: 'stop', group: 'task', shortcuts: [mod('.')] },
  { id: 'savePrompt', group: 'task', shortcuts: [] },
  { id: 'nextQuestion', group: 'question', shortcuts: [mod('I')] },
  // What is typed may be meant for somebody else: no text field has the focus.
  { id: 'approve', group: 'question', shortcuts: [modOutsideText('Enter')] },
  { id: 'deny', group: 'question', shortcuts: [modOutsideText('Backspace')] },
];

export function commandOf(id: CommandId): Command | null {
  return COMMANDS.find((command) => command.id === id) ?? null;
}

/** The part of a `KeyboardEvent` that a shortcut is compared with. */
export interface PressedKeys {
  readonly key: string;
  readonly code: string;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly altKey: boolean;
  readonly shiftKey: boolean;
}

/** Whether exactly the keys of a shortcut are pressed. Ctrl and Alt together are AltGr, which types. */
export function matchesShortcut(
  shortcut: Shortcut,
  pressed: PressedKeys,
  { isMac }: { readonly isMac: boolean },
): boolean {
  const { altKey, ctrlKey, metaKey, shiftKey } = pressed;
  if (altKey) return false;
  const [isMod, isOther] = isMac ? [metaKey, ctrlKey] : [ctrlKey, metaKey];
  if (isMod !== shortcut.mod || isOther) return false;
  // Where a sign needs Shift depends on the keyboard: `/` is Shift+7 on a German one.
  const isSign = !/^[A-Z]$|^\w{2,}$/.test(shortcut.key);
  return (isSign || shiftKey === shortcut.shift) && keyOf(pressed) === shortcut.key;
}

/** On keyboards without Latin letters, the letter that is in the same place on one that has them. */
function keyOf({ key, code }: PressedKeys): string {
  if (/^[ -~]$/.test(key)) return key.toUpperCase();
  const place = /^Key([A-Z])$/.exec(code)?.[1];
  return key.length === 1 && place !== undefined ? place : key;
}

/** The keys as they are written on the keyboard, such as `Ctrl+Shift+O` or `⇧⌘O`. */
export function showShortcut(
  { key, mod: isMod, shift }: Shortcut,
  { isMac }: { readonly isMac: boolean },
): string {
  const name = (isMac ? MAC_NAMES[key] : undefined) ?? key;
  if (isMac) return `${shift ? '⇧' : ''}${isMod ? '⌘' : ''}${name}`;
  return [isMod ? 'Ctrl' : '', shift ? 'Shift' : '', name].filter(Boolean).join('+');
}

const MAC_NAMES: Readonly<Record<string, string>> = { Enter: '↩', Backspace: '⌫' };

/** The keys in the words of `aria-keyshortcuts`. */
export function ariaShortcut(
  { key, mod: isMod, shift }: Shortcut,
  { isMac }: { readonly isMac: boolean },
): string {
  const modName = isMac ? 'Meta' : 'Control';
  return [isMod ? modName : '', shift ? 'Shift' : '', key].filter(Boolean).join('+');
}
