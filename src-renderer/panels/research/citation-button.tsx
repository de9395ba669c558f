import { CircleCheck, TriangleAlert } from 'lucide-react';
import { Popover } from 'radix-ui';
import type { ReactNode } from 'react';
import { Button } from '../../components/button.tsx';
import { useTask } from '../../components/markdown/task-context.ts';
import { VisibleText } from '../../components/visible-text.tsx';
import { type Cited, isDoubtful } from '../../formatting/citations.ts';
import { useApp } from '../../session-context.ts';
import { researchStrings } from '../../strings/research.ts';
import { SourcePlace, SourceTitle } from './source-parts.tsx';

const words = researchStrings.report;

/** A citation number. Pressing it shows the excerpts behind the statement, and whether they support it. */
export function CitationButton({
  runId,
  cited,
}: {
  readonly runId: string;
  readonly cited: Cited;
}): ReactNode {
  const index = cited.sourceIndex;
  const doubtful = isDoubtful(cited);
  return (
    <Popover.Root>
      <Popover.Trigger asChild>
        <button
          type="button"
          className="citation"
          data-doubtful={doubtful}
          aria-label={doubtful ? words.doubtfulCitation(index) : words.citation(index)}
        >
          {index}
          {doubtful && '?'}
        </button>
      </Popover.Trigger>
      <Popover.Portal>
        <Popover.Content
          className="popover citation-popover"
          sideOffset={6}
          collisionPadding={12}
          aria-label={words.citation(index)}
        >
          <CitedWords runId={runId} cited={cited} />
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  );
}

function CitedWords({
  runId,
  cited: { sourceIndex: index, citations },
}: {
  readonly runId: string;
  readonly cited: Cited;
}): ReactNode {
  const task = useTask();
  const source = useApp((state) => state.views.get(runId)?.research.sources.get(index) ?? null);
  if (source === null) return <p>{words.unknownSource}</p>;
  const excerpts = source.excerpts ?? [];
  const claim = citations[0]?.claim ?? '';
  const shown =
    citations.length === 0
      ? excerpts.slice(0, 3).map(({ number, text }) => ({ number, text, verdict: null }))
      : citations.map(({ excerptNumber: number, supported, unchecked = false }) => {
          const text = excerpts.find((one) => one.number === number)?.text ?? '';
          const verdict: keyof typeof VERDICTS = unchecked
            ? 'unchecked'
            : supported
              ? 'supported'
              : 'doubtful';
          return { number, text, verdict };
        });
  return (
    <>
      <p className="citation-source">
        <span className="source-number">{source.index}</span> <SourceTitle source={source} />
      </p>
      <SourcePlace source={source} />
      {claim !== '' && (
        <p className="citation-claim">
          <span className="section-label">{words.says}</span> <VisibleText text={claim} />
        </p>
      )}
      {shown.length === 0 && <p className="muted">{words.noExcerpt}</p>}
      {shown.map(({ number, text, verdict }) => (
        <div key={number} className="cited-excerpt">
          {text === '' ? (
            <p className="muted">{words.noExcerpt}</p>
          ) : (
            <blockquote className="excerpt">
              <VisibleText text={text} />
            </blockquote>
          )}
          {verdict !== null && <Verdict verdict={verdict} />}
        </div>
      ))}
      <Popover.Close asChild>
        <Button
          size="small"
          variant="ghost"
          onClick={() => task.show({ side: 'sources', runId, index })}
        >
          {words.toSource}
        </Button>
      </Popover.Close>
    </>
  );
}

const VERDICTS = {
  supported: CircleCheck,
  doubtful: TriangleAlert,
  unchecked: TriangleAlert,
} as const;

function Verdict({ verdict }: { readonly verdict: keyof typeof VERDICTS }): ReactNode {
  const Icon = VERDICTS[verdict];
  return (
    <p className="citation-verdict" data-doubtful={verdict !== 'supported'}>
      <Icon aria-hidden="true" size={14} />
      {words[verdict]}
    </p>
  );
}
