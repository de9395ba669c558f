import { describe, expect, it } from 'vitest';
import {
  ariaShortcut,
  COMMANDS,
  commandOf,
  matchesShortcut,
  type PressedKeys,
  type Shortcut,
  showShortcut,
} from '#renderer/store/commands.ts';
import { commandStrings } from '#renderer/strings/commands.ts';

/** What browsers keep for themselves, or what the user would lose to a page that takes it. */
const OF_BROWSERS = [
  ...['N', 'T', 'W', 'Q', 'L', 'D', 'F', 'G', 'H', 'J', 'O', 'P', 'R', 'S', 'U', '+', '-', '0'],
  ...['Shift+N', 'Shift+T', 'Shift+W', 'Shift+Q', 'Shift+P', 'Shift+I', 'Shift+J', 'Shift+C'],
  ...['Shift+R', 'Shift+B', 'Shift+A', 'Shift+D', 'Shift+M', 'Shift+Delete', 'Tab', 'Shift+Tab'],
];
/** What every text field does with these keys. */
const OF_TEXTS = ['A', 'C', 'V', 'X', 'Z', 'Y', 'Shift+Z', 'Shift+V', 'Backspace', 'Enter'];

const pressed = (keys: Partial<PressedKeys>): PressedKeys => ({
  ...{ key: '', code: '', ctrlKey: false, metaKey: false, altKey: false, shiftKey: false },
  ...keys,
});
const shortcutOf = (id: Parameters<typeof commandOf>[0]): Shortcut => {
  const shortcut = commandOf(id)?.shortcuts[0];
  if (shortcut === undefined) throw new Error(`${id} has no keys`);
  return shortcut;
};
const nameOf = ({ key, shift }: Shortcut): string => (shift ? `Shift+${key}` : key);

describe('the table of shortcuts', () => {
  const all = COMMANDS.flatMap(({ shortcuts }) => shortcuts);

  it('has every command once, and no keys twice', () => {
    expect(COMMANDS.map(({ id }) => id).toSorted()).toEqual(
      Object.keys(commandStrings.labels).toSorted(),
    );
    const names = all.map((one) => showShortcut(one, { isMac: false }));
    expect(new Set(names).size).toBe(names.length);
  });

  it('takes no keys from the browser, and none from a text that is being typed', () => {
    const withMod = all.filter(({ mod }) => mod);
    expect(withMod.map(nameOf).filter((name) => OF_BROWSERS.includes(name))).toEqual([]);
    const inText = all.filter((one) => one.inText);
    expect(inText.filter(({ mod }) => !mod)).toEqual([]);
    expect(inText.map(nameOf).filter((name) => OF_TEXTS.includes(name))).toEqual([]);
  });

  it('is shown and said in the words of the platform', () => {
    const newTask = shortcutOf('newTask');
    expect(
      [true, false].map((isMac) => [
        showShortcut(newTask, { isMac }),
        ariaShortcut(newTask, { isMac }),
      ]),
    ).toEqual([
      ['⇧⌘O', 'Meta+Shift+O'],
      ['Ctrl+Shift+O', 'Control+Shift+O'],
    ]);
  });
});

describe('matching the keys that are pressed', () => {
  const matches = (id: Parameters<typeof commandOf>[0], keys: Partial<PressedKeys>) =>
    [false, true].map((isMac) => matchesShortcut(shortcutOf(id), pressed(keys), { isMac }));

  it('wants Ctrl, and Cmd on a Mac, and no other key beside it', () => {
    const key = { key: 'b', code: 'KeyB' };
    expect(matches('sidebar', { ...key, ctrlKey: true })).toEqual([true, false]);
    expect(matches('sidebar', { ...key, metaKey: true })).toEqual([false, true]);
    expect(matches('sidebar', { ...key, ctrlKey: true, metaKey: true })).toEqual([false, false]);
    expect(matches('sidebar', { ...key, ctrlKey: true, shiftKey: true })).toEqual([false, false]);
    expect(matches('sidebar', key)).toEqual([false, false]);
  });

  it('leaves AltGr and Option to what they type', () => {
    expect(matches('sidebar', { key: 'b', code: 'KeyB', ctrlKey: true, altKey: true })).toEqual([
      ...[false, false],
    ]);
    expect(matches('composer', { key: ';', metaKey: true, altKey: true })).toEqual([false, false]);
  });

  it('finds a letter with Caps Lock, and where the keyboard has other letters', () => {
    expect(matches('sidebar', { key: 'B', code: 'KeyB', ctrlKey: true })[0]).toBe(true);
    expect(matches('sidebar', { key: 'и', code: 'KeyB', ctrlKey: true })[0]).toBe(true);
    // Dvorak: what is written on the key counts, not its place.
    expect(matches('sidebar', { key: 'x', code: 'KeyB', ctrlKey: true })[0]).toBe(false);
  });

  it('finds a sign wherever the keyboard has it', () => {
    const seven = { key: '/', code: 'Digit7', ctrlKey: true, shiftKey: true };
    expect(matches('shortcuts', seven)[0]).toBe(true);
  });
});
