import type { ReactNode } from 'react';
import { DiffLines } from '../../components/diff-lines.tsx';
import { VisibleText } from '../../components/visible-text.tsx';
import type { OpenQuestion } from '../../store/selectors.ts';
import { questionStrings } from '../../strings/questions.ts';

/** The diff that a call makes to a file. Nothing is clipped: this is what the user approves. */
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
