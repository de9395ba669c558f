import { Library } from 'lucide-react';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { Disclosure } from '../../components/disclosure.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import type { ShownPart } from '../../components/markdown/task-context.ts';
import { VisibleText } from '../../components/visible-text.tsx';
import { useApp } from '../../session-context.ts';
import { type Source, sourcesInOrder } from '../../store/research-view.ts';
import type { RunView } from '../../store/run-view.ts';
import { researchStrings as words } from '../../strings/research.ts';
import { RunSelect, useRunsWith } from '../computer/run-select.tsx';
import { SourcePlace, SourceTitle } from './source-parts.tsx';

const hasSources = ({ research }: RunView): boolean => research.sources.size > 0;

/** The sources of a run, by number, with their excerpts. */
export function SourcesTab({
  threadId,
  requested,
}: {
  readonly threadId: string;
  /** The source to show; null for none. */
  readonly requested: Extract<ShownPart, { side: 'sources' }> | null;
}): ReactNode {
  const runIds = useRunsWith(threadId, hasSources);
  const [chosen, setChosen] = useState<string | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new request resets the choice
  useEffect(() => setChosen(null), [requested]);
  const preferred = [chosen, requested?.runId ?? null];
  const runId = preferred.find((id) => id !== null && runIds.includes(id)) ?? runIds.at(-1);
  const research = useApp((state) =>
    runId === undefined ? null : (state.views.get(runId)?.research ?? null),
  );
  const list = useRef<HTMLOListElement>(null);
  const index = requested !== null && requested.runId === runId ? requested.index : undefined;
  useEffect(() => {
    if (index === undefined) return;
    const item = list.current?.querySelector<HTMLElement>(`[data-source="${index}"]`);
    item?.scrollIntoView({ block: 'start' });
    item?.focus({ preventScroll: true });
  }, [index]);
  return (
    <div className="sources-tab">
      <RunSelect label={words.runLabel} runIds={runIds} runId={runId} onChoose={setChosen} />
      {research === null ? (
        <EmptyState icon={Library} text={words.noSources} />
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
        <section className="plan-scroll" tabIndex={0} aria-label={words.tab}>
          <h2 className="section-label">{words.sourceCount(research.sources.size)}</h2>
          <ol ref={list} className="source-list">
            {sourcesInOrder(research).map((source) => (
              <li
                key={source.index}
                className="source"
                data-source={source.index}
                data-requested={source.index === index}
                tabIndex={-1}
              >
                <SourceCard runId={runId ?? ''} source={source} />
              </li>
            ))}
          </ol>
        </section>
      )}
    </div>
  );
}

/** Excerpts that are shown at once. */
const SHOWN = 2;

function SourceCard({
  runId,
  source,
}: {
  readonly runId: string;
  readonly source: Source;
}): ReactNode {
  const excerpts = source.excerpts ?? [];
  return (
    <>
      <h3 className="source-title">
        <span className="source-number">{source.index}</span>
        <SourceTitle source={source} />
      </h3>
      <SourcePlace source={source} />
      {excerpts.length === 0 && (source.snippet ?? '') !== '' && (
        <p className="source-snippet">
          <VisibleText text={source.snippet ?? ''} />
        </p>
      )}
      <Excerpts excerpts={excerpts.slice(0, SHOWN)} />
      {excerpts.length > SHOWN && (
        <Disclosure
          id={`${runId} source ${source.index}`}
          className="plan-more"
          summary={<span>{words.moreExcerpts(excerpts.length - SHOWN)}</span>}
        >
          {() => <Excerpts excerpts={excerpts.slice(SHOWN)} />}
        </Disclosure>
      )}
    </>
  );
}

function Excerpts({ excerpts }: { readonly excerpts: NonNullable<Source['excerpts']> }): ReactNode {
  return excerpts.map(({ number, text }) => (
    <blockquote key={number} className="excerpt">
      <VisibleText text={text} />
    </blockquote>
  ));
}
