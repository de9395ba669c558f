import { CircleAlert, ImageOff, Paperclip, X } from 'lucide-react';
import type { ReactNode } from 'react';
import { makeVisible } from '#contract/visible-text.ts';
import { IconButton } from '../../components/button.tsx';
import { Spinner } from '../../components/spinner.tsx';
import { VisibleText } from '../../components/visible-text.tsx';
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
        <li
          key={attachment.key}
          className="attachment"
          data-state={attachment.state}
          data-picture={pictureState(attachment)}
        >
          <ChipIcon attachment={attachment} />
          <span className="attachment-name">
            <VisibleText text={attachment.name} />
          </span>
          <span className="muted">{detailOf(attachment)}</span>
          <IconButton
            label={composerStrings.removeFile(makeVisible(attachment.name))}
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

function pictureState({ picture }: DraftAttachment): 'shown' | 'not-shown' | undefined {
  if (picture === null) return undefined;
  return 'preview' in picture ? 'shown' : 'not-shown';
}

function detailOf({ problem, picture, size }: DraftAttachment): string {
  if (problem !== null) return problem;
  if (picture === null) return formatBytes(size);
  return 'problem' in picture
    ? composerStrings.notShown(picture.problem)
    : composerStrings.pictureSize(picture.width, picture.height);
}

function ChipIcon({
  attachment: { state, picture },
}: {
  readonly attachment: DraftAttachment;
}): ReactNode {
  switch (state) {
    case 'sending':
      return (
        <>
          <Spinner />
          <span className="visually-hidden">{composerStrings.sendingFile}</span>
        </>
      );
    case 'ready':
      if (picture === null) return <Paperclip aria-hidden="true" size={14} />;
      return 'preview' in picture ? (
        <img className="attachment-preview" src={picture.preview} alt="" />
      ) : (
        <ImageOff aria-hidden="true" size={14} />
      );
    case 'failed':
      return <CircleAlert aria-label={toolStrings.status.error} size={14} />;
  }
}
