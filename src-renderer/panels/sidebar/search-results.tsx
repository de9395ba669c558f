import { Archive, FileText, MessageSquareText, SquareTerminal, UserRound } from 'lucide-react';
import { type KeyboardEvent, type ReactNode, useRef } from 'react';
import type { TaskHit, TaskSearchResult } from '#contract/task-search.ts';
import { Button } from '../../components/button.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { Skeleton } from '../../components/skeleton.tsx';
import { StatusDot } from '../../components/status-dot.tsx';
import { VisibleText } from '../../components/visible-text.tsx';
import { useApp, useSession } from '../../session-context.ts';
import { loadedValue } from '../../store/selectors.ts';
import { appStrings } from '../../strings/app.ts';
import { sidebarStrings } from '../../strings/sidebar.ts';

const KINDS = {
  message: UserRound,
  answer: MessageSquareText,
  call: SquareTerminal,
  report: FileText,
} as const;

/** Tasks that have the words, with places to go to. */
export function SearchResults({ onNavigate }: { readonly onNavigate: () => void }): ReactNode {
  const { threads } = useSession();
  const found = useApp((state) => state.found);
  const query = useApp((state) => state.search.trim());
  const answer = loadedValue(found);
  const list = useRef<HTMLDivElement>(null);
  if (found.phase === 'failed') {
    return (
      <div className="thread-list">
        <EmptyState icon={MessageSquareText} text={found.problem}>
          <Button size="small" onClick={() => threads.search(query)}>
            {appStrings.retry}
          </Button>
        </EmptyState>
      </div>
    );
  }
  if (answer === null) {
    return (
      <div className="thread-list">
        <Skeleton label={sidebarStrings.searching} lines={6} />
      </div>
    );
  }
  const move = (event: KeyboardEvent): void => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step === undefined) return;
    const places = [...(list.current?.querySelectorAll('button') ?? [])];
    const at = places.indexOf(document.activeElement as HTMLButtonElement);
    const next = places[at + step];
    if (next === undefined) return;
    event.preventDefault();
    next.focus();
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the arrow keys move between its buttons
    <div className="thread-list search-results" ref={list} onKeyDown={move}>
      {answer.results.length === 0 && (
        <EmptyState icon={MessageSquareText} text={sidebarStrings.nothingFound(answer.query)} />
      )}
      <ul aria-label={sidebarStrings.results(answer.results.length)}>
        {answer.results.map((result) => (
          <Result key={result.thread.id} result={result} onNavigate={onNavigate} />
        ))}
      </ul>
      {answer.notIndexed > 0 && (
        <p className="search-note">{sidebarStrings.indexing(answer.notIndexed)}</p>
      )}
    </div>
  );
}

function Result({
  result,
  onNavigate,
}: {
  readonly result: TaskSearchResult;
  readonly onNavigate: () => void;
}): ReactNode {
  const { threads } = useSession();
  const { thread, titleMarks, hits } = result;
  const open = (hit: TaskHit | null): void => {
    void threads.openAt(thread.id, hit);
    onNavigate();
  };
  return (
    <li className="search-result">
      <button type="button" className="thread-button" onClick={() => open(hits[0] ?? null)}>
        <StatusDot status={thread.status} />
        <span className="thread-title">
          {thread.title === '' ? (
            appStrings.untitled
          ) : (
            <Marked text={thread.title} marks={titleMarks} />
          )}
        </span>
        {thread.archivedAt !== null && (
          <span className="search-archived">
            <Archive aria-hidden="true" size={12} />
            <span className="visually-hidden">{sidebarStrings.groups.archived}</span>
          </span>
        )}
      </button>
      {hits.map((hit) => {
        const Icon = KINDS[hit.kind];
        return (
          <button
            key={`${hit.runId} ${hit.seq} ${hit.excerpt}`}
            type="button"
            className="search-hit"
            onClick={() => open(hit)}
          >
            <Icon aria-hidden="true" size={13} />
            <span className="visually-hidden">{sidebarStrings.kinds[hit.kind]}</span>
            <span className="search-excerpt" dir="auto">
              <Marked text={hit.excerpt} marks={hit.marks} />
            </span>
          </button>
        );
      })}
    </li>
  );
}

/** A text with some of its ranges marked. */
function Marked({
  text,
  marks,
}: {
  readonly text: string;
  readonly marks: TaskHit['marks'];
}): ReactNode {
  const parts: ReactNode[] = [];
  let end = 0;
  for (const [from, to] of marks) {
    parts.push(<VisibleText key={`before ${from}`} text={text.slice(end, from)} />);
    parts.push(
      <mark key={from} className="search-mark">
        <VisibleText text={text.slice(from, to)} />
      </mark>,
    );
    end = to;
  }
  parts.push(<VisibleText key="rest" text={text.slice(end)} />);
  return parts;
}
