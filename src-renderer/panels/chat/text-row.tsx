import { memo, type ReactNode, useMemo } from 'react';
import { LazyMarkdown } from '../../components/markdown/lazy-markdown.tsx';
import type { CitedMarkdown } from '../../components/markdown/markdown.tsx';
import { citedAt } from '../../formatting/citations.ts';
import { useApp } from '../../session-context.ts';
import { shallowEqual } from '../../store/equality.ts';
import type { TextItem } from '../../store/run-view.ts';
import { chatStrings } from '../../strings/chat.ts';
import { CitationButton } from '../research/citation-button.tsx';

/** One block of an answer. Finished blocks are never rendered again, but for sources that they name. */
export const TextRow = memo(function TextRow({
  item,
  runId,
}: {
  readonly item: TextItem;
  readonly runId: string;
}): ReactNode {
  // Before the block, which may end inside of any construct.
  const source = item.definitions === '' ? item.source : `${item.definitions}\n${item.source}`;
  const cited = useCited(source, runId);
  return (
    <div className="answer-block" data-first={item.firstOfMessage}>
      {item.firstOfMessage && <h2 className="visually-hidden">{chatStrings.answer}</h2>}
      <div className="markdown">
        <LazyMarkdown source={source} growing={!item.finished} cited={cited} />
      </div>
    </div>
  );
});

const NUMBERS = /\[(\d{1,3}(?:\s*[,;]\s*\d{1,3})*)\]/g;
const NONE: readonly number[] = [];

/** The sources of the run that the text refers to by number; null where it names none. */
function useCited(source: string, runId: string): CitedMarkdown | null {
  const named = useMemo(
    () =>
      [...source.matchAll(NUMBERS)].flatMap((match) => (match[1] ?? '').split(/[,;]/).map(Number)),
    [source],
  );
  const known = useApp((state) => {
    const sources = state.views.get(runId)?.research.sources;
    if (named.length === 0 || sources === undefined || sources.size === 0) return NONE;
    return [...new Set(named)].filter((number) => sources.has(number));
  }, shallowEqual);
  return useMemo(() => {
    if (known.length === 0) return null;
    return {
      works: { citations: [], known },
      link: (address) => {
        const one = citedAt(address, []);
        return one === null ? null : <CitationButton runId={runId} cited={one} />;
      },
    };
  }, [known, runId]);
}
