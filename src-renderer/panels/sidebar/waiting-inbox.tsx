import { Inbox } from 'lucide-react';
import { DropdownMenu } from 'radix-ui';
import type { ReactNode } from 'react';
import { StatusDot } from '../../components/status-dot.tsx';
import { useApp } from '../../session-context.ts';
import { shallowEqual } from '../../store/equality.ts';
import { waitingThreads } from '../../store/selectors.ts';
import { strings } from '../../strings.ts';

/** Every task in which somebody is waited for. */
export function WaitingInbox({
  onOpen,
}: {
  readonly onOpen: (threadId: string) => void;
}): ReactNode {
  const waiting = useApp(waitingThreads, shallowEqual);
  return (
    <DropdownMenu.Root modal={false}>
      <DropdownMenu.Trigger asChild>
        <button type="button" className="inbox-button" data-any={waiting.length > 0}>
          <Inbox aria-hidden="true" size={15} />
          <span>{strings.sidebar.waiting}</span>
          <span className="inbox-count">{waiting.length}</span>
        </button>
      </DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content className="menu" align="start" sideOffset={4}>
          {waiting.length === 0 && <p className="menu-note">{strings.sidebar.nobodyWaits}</p>}
          {waiting.map((thread) => (
            <DropdownMenu.Item
              key={thread.id}
              className="menu-item"
              onSelect={() => onOpen(thread.id)}
            >
              <StatusDot status="waiting" />
              <span className="menu-text">{thread.title || strings.app.untitled}</span>
            </DropdownMenu.Item>
          ))}
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  );
}
