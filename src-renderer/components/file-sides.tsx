import type { ReactNode } from 'react';
import type { FileSide } from '#contract/workspace.ts';
import { formatBytes } from '../format.ts';
import { appStrings } from '../strings/app.ts';
import { DiffLines } from './diff-lines.tsx';
import { Skeleton } from './skeleton.tsx';

const words = appStrings.diff;

interface FileSidesProps {
  readonly path: string;
  /** Null until they are loaded; a text where they cannot be. */
  readonly sides: { readonly before: FileSide; readonly after: FileSide } | string | null;
}

/** Both sides of a file: the lines that differ, or the sizes of binary files. */
export function FileSides({ path, sides }: FileSidesProps): ReactNode {
  if (sides === null) return <Skeleton label={words.compare(path)} lines={3} />;
  if (typeof sides === 'string') {
    return (
      <p className="field-note" role="alert">
        {sides}
      </p>
    );
  }
  const { before, after } = sides;
  if (before.kind === 'binary' || after.kind === 'binary') {
    return (
      <p className="muted">
        {describeSide(before)} → {describeSide(after)}
      </p>
    );
  }
  const isCut = [before, after].some((side) => side.kind === 'text' && side.truncated);
  return (
    <>
      <DiffLines before={textOf(before)} after={textOf(after)} />
      {isCut && <p className="muted">{words.cut}</p>}
    </>
  );
}

function textOf(side: FileSide): string {
  return side.kind === 'text' ? side.text : '';
}

function describeSide(side: FileSide): string {
  switch (side.kind) {
    case 'absent':
      return words.absent;
    case 'binary':
      return words.binary(formatBytes(side.bytes));
    case 'text':
      return formatBytes(side.text.length);
  }
}
