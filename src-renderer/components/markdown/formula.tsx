import { type ReactNode, useLayoutEffect, useRef, useState } from 'react';
import 'katex/dist/katex.min.css';
import { render } from 'katex';

/** Longer ones are shown as they are written: typesetting holds the window meanwhile. */
const MOST_CHARS = 3_000;

/**
 * A formula in TeX, typeset. What TeX would reach out for (links, images, own HTML) is refused, and the sizes
 * and macros of a formula are bounded; one that cannot be read is shown as it is written.
 */
export function Formula({
  tex,
  display,
}: {
  readonly tex: string;
  /** On a line of its own. */
  readonly display: boolean;
}): ReactNode {
  const place = useRef<HTMLSpanElement>(null);
  const [failed, setFailed] = useState(false);
  useLayoutEffect(() => {
    if (place.current === null) return;
    setFailed(tex.length > MOST_CHARS || !typeset(tex, place.current, display));
  }, [tex, display]);
  return (
    <>
      <span ref={place} className="formula" data-display={display} hidden={failed} />
      {failed && <code>{tex}</code>}
    </>
  );
}

function typeset(tex: string, place: HTMLElement, displayMode: boolean): boolean {
  try {
    render(tex, place, {
      displayMode,
      trust: false,
      strict: 'ignore',
      maxSize: 20,
      maxExpand: 200,
    });
    return true;
  } catch {
    // Unknown commands, marks that do not match, or nested too deeply.
    return false;
  }
}
