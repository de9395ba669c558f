import type { ReactNode } from 'react';
import { DiffLines } from '../../components/diff-lines.tsx';
import { VisibleText } from '../../components/visible-text.tsx';
import type { OpenQuestion } from '../../store/selectors.ts';
import { questionStrings } from './strings.ts';

/** What a call would change of a file, line by line. Nothing is clipped: it is what is approved. */
export function FileChange({
  change,
}: {
  readonly change: NonNullable<OpenQuestion['change']>;
}): ReactNode {
  const { path, before, after, note } = change;
  return (
    <section>
      <h3 className="section-label">
        <VisibleText text={questionStrings.change(path)} />
      </h3>
      {note === '' ? (
        <DiffLines before={before ?? ''} after={after ?? ''} />
      ) : (
        <p className="muted">
          <VisibleText text={note} />
        </p>
      )}
    </section>
  );
}
