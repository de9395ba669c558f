import { memo, type ReactNode, useMemo } from 'react';
import { LazyMarkdown } from '../../components/markdown/lazy-markdown.tsx';
import type { CitedMarkdown } from '../../components/markdown/markdown.tsx';
import { citedAt } from '../../formatting/citations.ts';
import { useApp } from '../../session-context.ts';
import { shallowEqual } from '../../store/equality.ts';
import type { TextItem } from '../../store/run-view.ts';
import { runOfSource } from '../../store/selectors.ts';
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
const NONE: readonly string[] = [];

/** The sources that the text refers to by number; null where it names none. */
function useCited(source: string, runId: string): CitedMarkdown | null {
  const named = useMemo(
    () =>
      [...source.matchAll(NUMBERS)].flatMap((match) => (match[1] ?? '').split(/[,;]/).map(Number)),
    [source],
  );
  const places = useApp(
    (state) =>
      named.length === 0
        ? NONE
        : [...new Set(named)].flatMap((number) => {
            const from = runOfSource(state, runId, number);
            return from === null ? [] : [`${number} ${from}`];
          }),
    shallowEqual,
  );
  return useMemo(() => {
    if (places.length === 0) return null;
    const runs = new Map(
      places.map((place) => {
        const [number = '', from = ''] = place.split(' ');
        return [Number(number), from] as const;
      }),
    );
    return {
      works: { citations: [], known: [...runs.keys()] },
      link: (address) => {
        const one = citedAt(address, []);
        const from = one === null ? undefined : runs.get(one.sourceIndex);
        return one === null || from === undefined ? null : (
          <CitationButton runId={from} cited={one} />
        );
      },
    };
  }, [places]);
}
