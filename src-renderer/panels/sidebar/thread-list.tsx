import { useVirtualizer, type Virtualizer } from '@tanstack/react-virtual';
import { ChevronRight, MessagesSquare } from 'lucide-react';
import { type ReactNode, useMemo, useRef, useState } from 'react';
import type { Thread } from '#contract/entities.ts';
import { Button } from '../../components/button.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { Skeleton } from '../../components/skeleton.tsx';
import { useNow } from '../../components/use-now.ts';
import { useApp, useSession } from '../../session-context.ts';
import { groupThreads, type ThreadAge } from '../../store/group-threads.ts';
import { loadedValue, openThreadId } from '../../store/selectors.ts';
import { appStrings } from '../../strings/app.ts';
import { sidebarStrings } from '../../strings/sidebar.ts';
import { ThreadLink } from './thread-link.tsx';

/** What the user wants to do to a task of the list. */
export type ThreadEdit = { readonly kind: 'rename' | 'remove'; readonly thread: Thread };

interface ThreadListProps {
  readonly onOpen: (threadId: string) => void;
  readonly onEdit: (edit: ThreadEdit) => void;
}

/** The day changes while the window stays open. */
const REGROUP_MS = 60_000;
/** Height of a row before it was measured. */
const ROW_GUESS = 34;

/** The tasks, by age; archived ones only when they are asked for. */
export function ThreadList(props: ThreadListProps): ReactNode {
  const session = useSession();
  const threads = useApp((state) => state.threads);
  const list = loadedValue(threads);
  if (list !== null && list.length > 0) return <Threads threads={list} {...props} />;
  if (list !== null) {
    return (
      <div className="thread-list">
        <EmptyState icon={MessagesSquare} text={sidebarStrings.empty} />
      </div>
    );
  }
  return (
    <div className="thread-list">
      {threads.phase === 'failed' ? (
        <EmptyState icon={MessagesSquare} text={sidebarStrings.failed}>
          <Button size="small" onClick={() => void session.threads.refresh()}>
            {appStrings.retry}
          </Button>
        </EmptyState>
      ) : (
        <Skeleton label={appStrings.loading} lines={6} />
      )}
    </div>
  );
}

/** A line of the list: the title of a group, or a task and its place among all of them. */
type Line =
  | { readonly kind: 'title'; readonly age: ThreadAge; readonly count: number }
  | {
      readonly kind: 'task';
      readonly age: ThreadAge;
      readonly thread: Thread;
      readonly place: number;
    };

/** Only the lines in sight and a few beyond are rendered. */
function Threads({
  threads,
  ...actions
}: ThreadListProps & { readonly threads: readonly Thread[] }): ReactNode {
  const now = useNow(true, REGROUP_MS);
  const [showsArchived, setShowsArchived] = useState(false);
  const lines = useMemo(() => linesOf(threads, now, showsArchived), [threads, now, showsArchived]);
  const scroller = useRef<HTMLDivElement>(null);
  const virtualizer = useVirtualizer({
    count: lines.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_GUESS,
    getItemKey: (index) => keyOf(lines[index]) ?? index,
    overscan: 8,
    useFlushSync: false,
  });
  const items = virtualizer.getVirtualItems();
  const shown = items.flatMap(({ index }) => {
    const line = lines[index];
    return line === undefined ? [] : [{ index, line }];
  });
  return (
    <div className="thread-list" ref={scroller}>
      <div style={{ height: virtualizer.getTotalSize() }}>
        <div style={{ transform: `translateY(${items[0]?.start ?? 0}px)` }}>
          {[...Map.groupBy(shown, ({ line }) => line.age)].map(([age, members]) => (
            <Group
              key={age}
              {...{ age, members, virtualizer, total: threads.length, showsArchived }}
              onToggleArchived={() => setShowsArchived(!showsArchived)}
              {...actions}
            />
          ))}
        </div>
      </div>
    </div>
  );
}

interface GroupProps extends ThreadListProps {
  readonly age: ThreadAge;
  readonly members: readonly { readonly index: number; readonly line: Line }[];
  readonly virtualizer: Virtualizer<HTMLDivElement, Element>;
  /** Of all groups. */
  readonly total: number;
  readonly showsArchived: boolean;
  readonly onToggleArchived: () => void;
}

function Group(props: GroupProps): ReactNode {
  const { age, members, virtualizer, total, onOpen, onEdit, showsArchived } = props;
  const current = useApp(openThreadId);
  const title = members.find(({ line }) => line.kind === 'title');
  return (
    <section aria-label={sidebarStrings.groups[age]}>
      {title !== undefined && (
        <h2 ref={virtualizer.measureElement} data-index={title.index} className="group-title">
          {age === 'archived' && title.line.kind === 'title' ? (
            <button
              type="button"
              className="archive-toggle"
              aria-expanded={showsArchived}
              onClick={props.onToggleArchived}
            >
              <ChevronRight aria-hidden="true" size={13} />
              {sidebarStrings.archived(title.line.count)}
            </button>
          ) : (
            sidebarStrings.groups[age]
          )}
        </h2>
      )}
      <ul>
        {members.map(({ index, line }) =>
          line.kind === 'title' ? null : (
            <ThreadLink
              key={line.thread.id}
              thread={line.thread}
              current={line.thread.id === current}
              row={{ index, place: line.place, total, measure: virtualizer.measureElement }}
              onOpen={() => onOpen(line.thread.id)}
              onRename={() => onEdit({ kind: 'rename', thread: line.thread })}
              onRemove={() => onEdit({ kind: 'remove', thread: line.thread })}
            />
          ),
        )}
      </ul>
    </section>
  );
}

function linesOf(threads: readonly Thread[], now: number, showsArchived: boolean): readonly Line[] {
  let place = 0;
  return groupThreads(threads, now).flatMap(({ age, threads: members }): Line[] => [
    { kind: 'title', age, count: members.length },
    ...(age === 'archived' && !showsArchived ? [] : members).map((thread): Line => {
      place += 1;
      return { kind: 'task', age, thread, place };
    }),
  ]);
}

function keyOf(line: Line | undefined): string | null {
  if (line === undefined) return null;
  return line.kind === 'title' ? line.age : `task ${line.thread.id}`;
}
