import { type ReactNode, useEffect, useMemo, useRef } from 'react';
import { Markdown, type MarkdownExtension } from '../../components/markdown/markdown.tsx';
import type { Citation } from '../../store/research-view.ts';
import { CitationButton } from './citation-button.tsx';
import { citedAt, remarkCitations } from './citations.ts';

/** A heading of the report, to go to. */
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
  /** Told once the report is drawn. */
  readonly onHeadings?: (headings: readonly ReportHeading[]) => void;
}): ReactNode {
  const body = useRef<HTMLDivElement>(null);
  const extension = useMemo(
    (): MarkdownExtension => ({
      plugin: remarkCitations(citations),
      link: (address) => {
        const cited = citedAt(address, citations);
        return cited === null ? null : <CitationButton runId={runId} cited={cited} />;
      },
    }),
    [runId, citations],
  );
  // biome-ignore lint/correctness/useExhaustiveDependencies: another text has other headings
  useEffect(() => {
    const found = [...(body.current?.querySelectorAll<HTMLElement>('h3, h4') ?? [])];
    onHeadings?.(
      found.map((element) => ({
        element,
        text: element.textContent,
        level: LEVELS.findIndex((name) => element.classList.contains(name)) + 1,
      })),
    );
  }, [source, onHeadings]);
  return (
    <div ref={body} className="markdown report-body">
      <Markdown source={source} extension={extension} />
    </div>
  );
}

const LEVELS = ['md-h1', 'md-h2', 'md-h3'];
