import { Fragment, type ReactNode, useMemo } from 'react';
import { reviewSegments } from '#contract/deceptive-text.ts';
import { visibleSegments } from '#contract/visible-text.ts';

/** Text in which every character is visible: hidden ones are shown by name. */
export function VisibleText({ text }: { readonly text: string }): ReactNode {
  const segments = useMemo(() => visibleSegments(text), [text]);
  return segments.map((segment, index) => {
    // biome-ignore lint/suspicious/noArrayIndexKey: segments have no name but their place
    if (!segment.hidden) return <Fragment key={index}>{segment.text}</Fragment>;
    return (
      // biome-ignore lint/suspicious/noArrayIndexKey: segments have no name but their place
      <mark key={index} className="hidden-character">
        {segment.text}
      </mark>
    );
  });
}

/** For text that the user decides about: look-alikes and gaps are marked as well as hidden characters. */
export function ReviewText({ text }: { readonly text: string }): ReactNode {
  const segments = useMemo(() => reviewSegments(text), [text]);
  return segments.map((segment, index) => {
    // biome-ignore lint/suspicious/noArrayIndexKey: segments have no name but their place
    if (segment.kind === 'plain') return <Fragment key={index}>{segment.text}</Fragment>;
    return (
      // biome-ignore lint/suspicious/noArrayIndexKey: segments have no name but their place
      <mark key={index} className="hidden-character" data-kind={segment.kind}>
        {segment.text}
      </mark>
    );
  });
}

/** How many characters of `text` are invisible. */
export function countHidden(text: string): number {
  return visibleSegments(text).filter((segment) => segment.hidden).length;
}
