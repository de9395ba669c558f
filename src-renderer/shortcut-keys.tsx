import { lazy, type ReactNode, Suspense, useEffect, useState } from 'react';
import { isMacKeyboard, runCommand, useCommand, useCommands } from './commands-context.ts';
import { COMMANDS, matchesShortcut } from './store/commands.ts';

const ShortcutList = lazy(() =>
  import('./dialogs/shortcut-list.tsx').then((module) => ({ default: module.ShortcutList })),
);
const CommandPalette = lazy(() =>
  import('./panels/palette/command-palette.tsx').then((module) => ({
    default: module.CommandPalette,
  })),
);

/** Listens for the keys of every command, and shows the list of them and the command palette. */
export function ShortcutKeys(): ReactNode {
  const commands = useCommands();
  const [shown, setShown] = useState<'shortcuts' | 'palette' | null>(null);
  useCommand('shortcuts', () => setShown('shortcuts'));
  useCommand('palette', () => setShown('palette'));
  useEffect(() => {
    const press = (event: KeyboardEvent): void => {
      // What a field or an editor has made use of, and what an input method composes, is not for the window.
      // 229 is what older input methods send in place of `isComposing`.
      if (event.defaultPrevented || event.isComposing || event.keyCode === 229) return;
      if (isBehindDialog()) return;
      const keyboard = { isMac: isMacKeyboard() };
      const typing = isTextField(event.target);
      const command = COMMANDS.find(({ shortcuts }) =>
        shortcuts.some((one) => (one.inText || !typing) && matchesShortcut(one, event, keyboard)),
      );
      if (command === undefined || commands.get().get(command.id) === undefined) return;
      // A key that is held down does it once, and is still not the browser's.
      event.preventDefault();
      if (!event.repeat) runCommand(commands, command.id, event.timeStamp);
    };
    addEventListener('keydown', press);
    return () => removeEventListener('keydown', press);
  }, [commands]);
  if (shown === null) return null;
  const Shown = { shortcuts: ShortcutList, palette: CommandPalette }[shown];
  return (
    <Suspense fallback={null}>
      <Shown onClose={() => setShown(null)} />
    </Suspense>
  );
}

/** Every modal dialog lies on an overlay; what is behind it is not to change unseen. */
function isBehindDialog(): boolean {
  return document.querySelector('.overlay') !== null;
}

const BUTTON_LIKE = ['button', 'checkbox', 'color', 'file', 'radio', 'range', 'reset', 'submit'];

function isTextField(target: EventTarget | null): boolean {
  if (target instanceof HTMLInputElement) return !BUTTON_LIKE.includes(target.type);
  return (
    target instanceof HTMLTextAreaElement ||
    target instanceof HTMLSelectElement ||
    (target instanceof HTMLElement && target.isContentEditable)
  );
}
