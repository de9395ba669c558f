import { ArrowDown, ArrowUp, Pencil, Trash2 } from 'lucide-react';
import { AlertDialog } from 'radix-ui';
import { type ReactNode, type Ref, useState } from 'react';
import type { OpenDeck } from '#contract/slides.ts';
import { Button, IconButton } from '../../components/button.tsx';
import { Spinner } from '../../components/spinner.tsx';
import { useFocusBack } from '../../components/use-focus-back.ts';
import { VisibleText } from '../../components/visible-text.tsx';
import { slideStrings as words } from '../../strings/slides.ts';
import { PageActions } from './page-actions.tsx';
import type { DeckFile } from './use-deck.ts';

interface SlideBarProps {
  readonly file: DeckFile;
  readonly open: OpenDeck;
  readonly page: number;
  readonly isSaving: boolean;
  readonly isEditing: boolean;
  readonly editRef: Ref<HTMLButtonElement>;
  readonly onEdit: () => void;
  readonly onMove: (by: -1 | 1) => void;
  readonly onDelete: () => void;
}

/** Where the shown slide is, and what can be done with it. */
export function SlideBar(props: SlideBarProps): ReactNode {
  const { file, open, page, isSaving, isEditing, editRef, onEdit, onMove, onDelete } = props;
  const { deck, pages } = open;
  const slide = pages[page]?.slide ?? 0;
  const [isAsking, setAsking] = useState(false);
  const count = deck.slides.length;
  return (
    <div className="slide-bar">
      <p className="slide-place">
        {words.place(slide + 1, count)}
        {pages.length !== count && (
          <span className="muted"> · {words.ofPage(page + 1, pages.length)}</span>
        )}
      </p>
      <span className="muted slide-saving" role="status">
        {isSaving && (
          <>
            <Spinner /> {words.saving}
          </>
        )}
      </span>
      <span className="spacer" />
      <PageActions {...{ file, open, page }} />
      {/* They keep the focus: to be off is said, not done by taking them away from the keyboard. */}
      <IconButton
        label={words.up}
        size="small"
        aria-disabled={slide === 0}
        onClick={() => onMove(-1)}
      >
        <ArrowUp aria-hidden="true" size={15} />
      </IconButton>
      <IconButton
        label={words.down}
        size="small"
        aria-disabled={slide === count - 1}
        onClick={() => onMove(1)}
      >
        <ArrowDown aria-hidden="true" size={15} />
      </IconButton>
      <IconButton
        label={words.remove}
        size="small"
        aria-disabled={count === 1}
        onClick={() => setAsking(count > 1)}
      >
        <Trash2 aria-hidden="true" size={15} />
      </IconButton>
      <Button ref={editRef} size="small" aria-expanded={isEditing} onClick={onEdit}>
        <Pencil aria-hidden="true" size={14} />
        {words.edit}
      </Button>
      {isAsking && (
        <DeleteSlide
          place={slide + 1}
          title={deck.slides[slide]?.title ?? ''}
          onClose={() => setAsking(false)}
          onDelete={onDelete}
        />
      )}
    </div>
  );
}

/** Asks before a slide is deleted; the safe answer has the focus. */
function DeleteSlide({
  place,
  title,
  onClose,
  onDelete,
}: {
  readonly place: number;
  readonly title: string;
  readonly onClose: () => void;
  readonly onDelete: () => void;
}): ReactNode {
  const focusBack = useFocusBack();
  return (
    <AlertDialog.Root open onOpenChange={(isOpen) => !isOpen && onClose()}>
      <AlertDialog.Portal>
        <AlertDialog.Overlay className="overlay" />
        <AlertDialog.Content className="modal" data-size="small" {...focusBack}>
          <AlertDialog.Title className="modal-title">
            {words.removal.title(place)}
          </AlertDialog.Title>
          <AlertDialog.Description className="modal-description">
            <VisibleText text={words.removal.text(title)} />
          </AlertDialog.Description>
          <div className="modal-actions">
            <AlertDialog.Cancel asChild>
              <Button>{words.removal.keep}</Button>
            </AlertDialog.Cancel>
            <AlertDialog.Action asChild>
              <Button variant="danger" onClick={onDelete}>
                {words.removal.confirm}
              </Button>
            </AlertDialog.Action>
          </div>
        </AlertDialog.Content>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  );
}
