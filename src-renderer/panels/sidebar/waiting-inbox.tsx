import { Inbox } from 'lucide-react';
import { DropdownMenu } from 'radix-ui';
import type { ReactNode } from 'react';
import { StatusDot } from '../../components/status-dot.tsx';
import { VisibleText } from '../../components/visible-text.tsx';
import { useApp } from '../../session-context.ts';
import { appStrings } from '../../strings/app.ts';
import { sidebarStrings } from '../../strings/sidebar.ts';

/** Every open question of every run, oldest first; each opens its task. */
export function WaitingInbox({
  onOpen,
}: {
  readonly onOpen: (threadId: string) => void;
}): ReactNode {
  const waiting = useApp((state) => state.waiting);
  return (
    <DropdownMenu.Root modal={false}>
      <DropdownMenu.Trigger asChild>
        <button type="button" className="inbox-button" data-any={waiting.length > 0}>
          <Inbox aria-hidden="true" size={15} />
          <span>{sidebarStrings.waiting}</span>
          <span className="inbox-count">{waiting.length}</span>
        </button>
      </DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content className="menu" align="start" sideOffset={4}>
          {waiting.length === 0 && <p className="menu-note">{sidebarStrings.nobodyWaits}</p>}
          {waiting.map((question) => (
            <DropdownMenu.Item
              key={question.interruptId}
              className="menu-item"
              onSelect={() => onOpen(question.threadId)}
            >
              <StatusDot status="waiting" />
              <span className="menu-text">
                <VisibleText text={question.title} />
                <span className="menu-detail">
                  {question.threadTitle === '' ? appStrings.untitled : question.threadTitle}
                </span>
              </span>
            </DropdownMenu.Item>
          ))}
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  );
}
