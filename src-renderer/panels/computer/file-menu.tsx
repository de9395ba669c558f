import { Pencil, Trash2 } from 'lucide-react';
import { DropdownMenu } from 'radix-ui';
import { type ReactNode, useRef } from 'react';
import { MenuButton } from '../../components/menu-button.tsx';
import { fileEditorStrings as words } from '../../strings/file-editor.ts';

/** What else can be done with a file. */
export function FileMenu({
  onRename,
  onDelete,
}: {
  readonly onRename: () => void;
  readonly onDelete: () => void;
}): ReactNode {
  const isChosen = useRef(false);
  const choose = (action: () => void) => () => {
    isChosen.current = true;
    action();
  };
  return (
    <DropdownMenu.Root modal={false} onOpenChange={() => (isChosen.current = false)}>
      <DropdownMenu.Trigger asChild>
        <MenuButton label={words.more} />
      </DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content
          className="menu"
          align="end"
          sideOffset={4}
          // What is chosen takes the focus itself.
          onCloseAutoFocus={(event) => isChosen.current && event.preventDefault()}
        >
          <DropdownMenu.Item className="menu-item" onSelect={choose(onRename)}>
            <Pencil aria-hidden="true" size={14} />
            {words.rename}
          </DropdownMenu.Item>
          <DropdownMenu.Item className="menu-item" onSelect={choose(onDelete)}>
            <Trash2 aria-hidden="true" size={14} />
            {words.delete}
          </DropdownMenu.Item>
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  );
}
