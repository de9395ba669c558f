import './palette.css';
import type { LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import { VisibleText } from '../../components/visible-text.tsx';
import type { TitlePiece } from '../../store/fuzzy-search.ts';

/** An option of a list below or above a text field, which keeps the focus and has the keys. */
export function FoundOption({
  icon: Icon,
  pieces,
  detail,
  id,
  active,
  onPoint,
  onChoose,
  children,
}: {
  readonly icon: LucideIcon;
  readonly pieces: readonly TitlePiece[];
  readonly detail: string;
  readonly id: string;
  readonly active: boolean;
  readonly onPoint: () => void;
  readonly onChoose: () => void;
  /** What is at its end. */
  readonly children?: ReactNode;
}): ReactNode {
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are those of the text field
    <div
      role="option"
      tabIndex={-1}
      id={id}
      className="palette-option"
      aria-selected={active}
      onMouseDown={(event) => event.preventDefault()}
      onPointerMove={active ? undefined : onPoint}
      onClick={onChoose}
    >
      <Icon aria-hidden="true" size={15} />
      <span className="palette-title">
        {pieces.map((piece, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: pieces have no name but their place
          <Piece key={index} {...piece} />
        ))}
      </span>
      <span className="palette-detail">
        <VisibleText text={detail} />
      </span>
      {children}
    </div>
  );
}

/** A part of a title, marked if it is what was typed. */
function Piece({ text, matched }: TitlePiece): ReactNode {
  const shown = <VisibleText text={text} />;
  return matched ? <mark>{shown}</mark> : shown;
}
