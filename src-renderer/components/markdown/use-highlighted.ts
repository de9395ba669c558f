import { useEffect, useMemo, useState } from 'react';
import type { HighlightedSpan } from './highlight.ts';

type Highlight = (code: string, language: string) => readonly HighlightedSpan[] | null;

/** Longer code is shown without colours: the screen would stand still. */
const LIMIT_CHARS = 60_000;
/** Code that still grows is coloured anew at each step. */
const GROWING_LIMIT_CHARS = 3_000;

let loaded: Highlight | null = null;
let loading: Promise<Highlight> | null = null;

/** The grammars are the largest part of the window and not needed to show it. */
function load(): Promise<Highlight> {
  loading ??= import('./highlight.ts').then((module) => {
    loaded = module.highlight;
    return loaded;
  });
  return loading;
}

/** Loads the colours when nothing else is to be done, so that the first code does not wait for them. */
export function preloadHighlighter(): void {
  requestIdleCallback(() => {
    load().catch((error: unknown) => console.warn('Code is shown without colours', error));
  });
}

/** The code in coloured spans; null while the colours are not there, or cannot be had. */
export function useHighlighted(
  code: string,
  language: string,
  growing: boolean,
): readonly HighlightedSpan[] | null {
  const [highlight, setHighlight] = useState<Highlight | null>(() => loaded);
  const wanted = language !== '' && code.length <= (growing ? GROWING_LIMIT_CHARS : LIMIT_CHARS);
  useEffect(() => {
    if (!wanted || highlight !== null) return;
    let gone = false;
    // Without colours the code is as readable as before.
    load().then(
      (value) => {
        if (!gone) setHighlight(() => value);
      },
      (error: unknown) => console.warn('Code is shown without colours', error),
    );
    return () => {
      gone = true;
    };
  }, [wanted, highlight]);
  return useMemo(
    () => (wanted && highlight !== null ? highlight(code, language) : null),
    [wanted, highlight, code, language],
  );
}
