import { ExternalLink } from 'lucide-react';
import { Popover } from 'radix-ui';
import type { ReactNode } from 'react';
import { makeVisible } from '#contract/visible-text.ts';
import { dialogStrings } from '../../strings/dialogs.ts';
import { CopyButton } from '../copy-button.tsx';
import { classifyTarget } from './safe-url.ts';
import { useTask } from './task-context.ts';

/**
 * A link in a model's text. It is a button, never an anchor: the first press shows the whole address,
 * only the second one opens it.
 */
export function ChatLink({
  href,
  children,
}: {
  readonly href: string;
  readonly children: ReactNode;
}): ReactNode {
  const task = useTask();
  const target = classifyTarget(href);
  switch (target.kind) {
    case 'web':
    case 'mail':
      return <ExternalTarget url={target.url}>{children}</ExternalTarget>;
    case 'workspace':
      return (
        <button type="button" className="link" onClick={() => task.openFile(target.path)}>
          {children}
        </button>
      );
    case 'inline-image':
    case 'refused':
      return <span className="refused-link">{children}</span>;
  }
}

/** A link to a source from outside: treated like one in a model's text. */
export function SourceLink({
  address,
  children,
}: {
  readonly address: string;
  readonly children: ReactNode;
}): ReactNode {
  return <ChatLink href={address}>{children}</ChatLink>;
}

function ExternalTarget({
  url,
  children,
}: {
  readonly url: string;
  readonly children: ReactNode;
}): ReactNode {
  return (
    <Popover.Root>
      <Popover.Trigger asChild>
        <button type="button" className="link">
          {children}
        </button>
      </Popover.Trigger>
      <Popover.Portal>
        <Popover.Content
          className="popover link-popover"
          sideOffset={6}
          collisionPadding={12}
          aria-label={dialogStrings.link.title}
        >
          <p className="muted">{dialogStrings.link.leadsTo}</p>
          <p className="link-address">{makeVisible(url)}</p>
          <div className="row">
            <a
              className="button"
              data-variant="primary"
              data-size="small"
              href={url}
              target="_blank"
              rel="noopener noreferrer"
            >
              <ExternalLink aria-hidden="true" size={14} />
              {dialogStrings.link.open}
            </a>
            <CopyButton label={dialogStrings.link.copy} text={() => url} />
          </div>
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  );
}
