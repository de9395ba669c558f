import { CircleAlert, Paperclip, X } from 'lucide-react';
import type { ReactNode } from 'react';
import { IconButton } from '../../components/button.tsx';
import { Spinner } from '../../components/spinner.tsx';
import { formatBytes } from '../../format.ts';
import { useSession } from '../../session-context.ts';
import type { DraftAttachment } from '../../store/app-state.ts';
import { composerStrings } from '../../strings/composer.ts';
import { toolStrings } from '../../strings/tools.ts';

/** The attachments of a message. */
export function AttachmentChips({
  draftKey,
  attachments,
}: {
  readonly draftKey: string;
  readonly attachments: readonly DraftAttachment[];
}): ReactNode {
  const { drafts } = useSession();
  if (attachments.length === 0) return null;
  return (
    <ul className="attachment-list">
      {attachments.map((attachment) => (
        <li key={attachment.key} className="attachment" data-state={attachment.state}>
          <ChipIcon state={attachment.state} />
          <span className="attachment-name">{attachment.name}</span>
          <span className="muted">{attachment.problem ?? formatBytes(attachment.size)}</span>
          <IconButton
            label={composerStrings.removeFile(attachment.name)}
            size="small"
            onClick={() => drafts.detach(draftKey, attachment.key)}
          >
            <X aria-hidden="true" size={12} />
          </IconButton>
        </li>
      ))}
    </ul>
  );
}

function ChipIcon({ state }: { readonly state: DraftAttachment['state'] }): ReactNode {
  switch (state) {
    case 'sending':
      return (
        <>
          <Spinner />
          <span className="visually-hidden">{composerStrings.sendingFile}</span>
        </>
      );
    case 'ready':
      return <Paperclip aria-hidden="true" size={14} />;
    case 'failed':
      return <CircleAlert aria-label={toolStrings.status.error} size={14} />;
  }
}
