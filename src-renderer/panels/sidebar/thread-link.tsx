import { Archive, ArchiveRestore, Pencil, Pin, PinOff, Share, Trash2 } from 'lucide-react';
import { DropdownMenu } from 'radix-ui';
import type { ReactNode } from 'react';
import type { Thread } from '#contract/entities.ts';
import { MenuButton } from '../../components/menu-button.tsx';
import { StatusDot } from '../../components/status-dot.tsx';
import { useApp, useSession } from '../../session-context.ts';
import { threadStatus } from '../../store/selectors.ts';
import { appStrings } from '../../strings/app.ts';
import { sidebarStrings } from '../../strings/sidebar.ts';

const FORMATS = ['md', 'html', 'pdf'] as const;

interface ThreadLinkProps {
  readonly thread: Thread;
  readonly current: boolean;
  readonly row: {
    /** Of the line in the list. */
    readonly index: number;
    /** Among all tasks, from 1. */
    readonly place: number;
    readonly total: number;
    readonly measure: (element: HTMLElement | null) => void;
  };
  readonly onOpen: () => void;
  readonly onRename: () => void;
  readonly onRemove: () => void;
}

export function ThreadLink(props: ThreadLinkProps): ReactNode {
  const { thread, current, row, onOpen, onRename, onRemove } = props;
  const { threads } = useSession();
  const [isPinned, isArchived] = [thread.pinnedAt !== null, thread.archivedAt !== null];
  const PinIcon = isPinned ? PinOff : Pin;
  const ArchiveIcon = isArchived ? ArchiveRestore : Archive;
  const status = useApp((state) => threadStatus(state, thread));
  const title = thread.title === '' ? appStrings.untitled : thread.title;
  return (
    <li
      className="thread-link"
      data-current={current}
      data-index={row.index}
      ref={row.measure}
      aria-posinset={row.place}
      aria-setsize={row.total}
    >
      <button
        type="button"
        className="thread-button"
        aria-current={current ? 'page' : undefined}
        onClick={onOpen}
        title={title}
      >
        <StatusDot status={status} />
        <span className="thread-title">{title}</span>
      </button>
      <DropdownMenu.Root modal={false}>
        <DropdownMenu.Trigger asChild>
          <MenuButton label={sidebarStrings.actions(title)} className="thread-menu" />
        </DropdownMenu.Trigger>
        <DropdownMenu.Portal>
          <DropdownMenu.Content className="menu" align="start" sideOffset={4}>
            {!isArchived && (
              <DropdownMenu.Item
                className="menu-item"
                onSelect={() => void threads.mark(thread.id, 'pinned', !isPinned)}
              >
                <PinIcon aria-hidden="true" size={14} />
                {isPinned ? sidebarStrings.unpin : sidebarStrings.pin}
              </DropdownMenu.Item>
            )}
            <DropdownMenu.Item
              className="menu-item"
              onSelect={() => void threads.mark(thread.id, 'archived', !isArchived)}
            >
              <ArchiveIcon aria-hidden="true" size={14} />
              {isArchived ? sidebarStrings.unarchive : sidebarStrings.archive}
            </DropdownMenu.Item>
            <DropdownMenu.Sub>
              <DropdownMenu.SubTrigger className="menu-item">
                <Share aria-hidden="true" size={14} />
                {sidebarStrings.share}
              </DropdownMenu.SubTrigger>
              <DropdownMenu.Portal>
                <DropdownMenu.SubContent className="menu" sideOffset={4} collisionPadding={8}>
                  {FORMATS.map((format) => (
                    <DropdownMenu.Item
                      key={format}
                      className="menu-item"
                      onSelect={() => void threads.save(thread.id, format)}
                    >
                      {sidebarStrings.formats[format]}
                    </DropdownMenu.Item>
                  ))}
                </DropdownMenu.SubContent>
              </DropdownMenu.Portal>
            </DropdownMenu.Sub>
            <DropdownMenu.Item className="menu-item" onSelect={onRename}>
              <Pencil aria-hidden="true" size={14} />
              {sidebarStrings.rename}
            </DropdownMenu.Item>
            <DropdownMenu.Item className="menu-item" data-tone="danger" onSelect={onRemove}>
              <Trash2 aria-hidden="true" size={14} />
              {sidebarStrings.remove}
            </DropdownMenu.Item>
          </DropdownMenu.Content>
        </DropdownMenu.Portal>
      </DropdownMenu.Root>
    </li>
  );
}
