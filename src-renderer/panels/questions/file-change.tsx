import { type ReactNode, useMemo } from 'react';
import { diffLines } from '#contract/diff-lines.ts';
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
  const lines = useMemo(() => diffLines(before ?? '', after ?? ''), [before, after]);
  return (
    <section>
      <h3 className="section-label">
        <VisibleText text={questionStrings.change(path)} />
      </h3>
      {note === '' ? (
        <pre className="exact-code diff">
          {lines.map(({ kind, text }, i) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: lines of one text never move
            <span key={i} className="diff-line" data-kind={kind}>
              <span aria-hidden="true">
                {kind === 'same' ? ' ' : kind === 'added' ? '+' : '−'}{' '}
              </span>
              {kind !== 'same' && (
                <span className="visually-hidden">{questionStrings[kind]}: </span>
              )}
              <VisibleText text={text} />
              {'\n'}
            </span>
          ))}
        </pre>
      ) : (
        <p className="muted">
          <VisibleText text={note} />
        </p>
      )}
    </section>
  );
}
