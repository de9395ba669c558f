import { type ReactNode, useCallback, useMemo, useRef } from 'react';
import { type CitedMarkdown, Markdown } from '../../components/markdown/markdown.tsx';
import { citedAt } from '../../formatting/citations.ts';
import type { Citation } from '../../store/research-view.ts';
import { CitationButton } from './citation-button.tsx';

/** A heading in the table of contents. */
export interface ReportHeading {
  readonly text: string;
  readonly level: number;
  readonly element: HTMLElement;
}

/** Markdown of a report, as safe as that of the chat, with its numbers as buttons. */
export function ReportMarkdown({
  runId,
  source,
  citations,
  onHeadings,
}: {
  readonly runId: string;
  readonly source: string;
  readonly citations: readonly Citation[];
  /** Called once the report is drawn. */
  readonly onHeadings?: (headings: readonly ReportHeading[]) => void;
}): ReactNode {
  const body = useRef<HTMLDivElement>(null);
  const cited = useMemo(
    (): CitedMarkdown => ({
      works: { citations, known: null },
      link: (address) => {
        const one = citedAt(address, citations);
        return one === null ? null : <CitationButton runId={runId} cited={one} />;
      },
    }),
    [runId, citations],
  );
  const tellHeadings = useCallback(() => {
    const found = [...(body.current?.querySelectorAll<HTMLElement>('h3, h4') ?? [])];
    onHeadings?.(
      found.map((element) => ({
        element,
        text: element.textContent,
        level: LEVELS.findIndex((name) => element.classList.contains(name)) + 1,
      })),
    );
  }, [onHeadings]);
  return (
    <div ref={body} className="markdown report-body">
      <Markdown source={source} cited={cited} onDrawn={tellHeadings} />
    </div>
  );
}

const LEVELS = ['md-h1', 'md-h2', 'md-h3'];
