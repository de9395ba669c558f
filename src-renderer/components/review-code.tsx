import { type ReactNode, useMemo } from 'react';
import { reviewSegments } from '#contract/deceptive-text.ts';
import { HighlightedText } from './markdown/code-block.tsx';
import { ReviewText } from './visible-text.tsx';

/** Code that the user decides about: in colours, unless something in it has to be marked. */
export function ReviewCode({
  code,
  language,
}: {
  readonly code: string;
  readonly language: string;
}): ReactNode {
  const isPlain = useMemo(() => reviewSegments(code).every(({ kind }) => kind === 'plain'), [code]);
  return isPlain ? <HighlightedText code={code} language={language} /> : <ReviewText text={code} />;
}
