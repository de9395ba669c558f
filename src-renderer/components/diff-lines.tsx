import { type ReactNode, useMemo } from 'react';
import { diffLines } from '#contract/diff-lines.ts';
import { appStrings } from '../strings/app.ts';
import { VisibleText } from './visible-text.tsx';

/** A diff, line by line. Nothing is clipped: this is what the user approves. */
export function DiffLines({
  before,
  after,
}: {
  readonly before: string;
  readonly after: string;
}): ReactNode {
  const lines = useMemo(() => diffLines(before, after), [before, after]);
  return (
    <pre className="exact-code diff">
      {lines.map(({ kind, text }, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: lines of one text never move
        <span key={i} className="diff-line" data-kind={kind}>
          <span aria-hidden="true">{kind === 'same' ? ' ' : kind === 'added' ? '+' : '−'} </span>
          {kind !== 'same' && <span className="visually-hidden">{appStrings.diff[kind]}: </span>}
          <VisibleText text={text} />
          {'\n'}
        </span>
      ))}
    </pre>
  );
}
