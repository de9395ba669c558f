import {
  MessagesSquare,
  PanelLeftClose,
  Puzzle,
  Search,
  Settings,
  SquarePen,
  X,
} from 'lucide-react';
import { type ReactNode, useState } from 'react';
import type { Thread } from '#contract/entities.ts';
import { Button, IconButton } from '../../components/button.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { Skeleton } from '../../components/skeleton.tsx';
import { useNow } from '../../components/use-now.ts';
import { DeleteDialog } from '../../dialogs/delete-dialog.tsx';
import { RenameDialog } from '../../dialogs/rename-dialog.tsx';
import { useApp, useSession } from '../../session-context.ts';
import { groupThreads } from '../../store/group-threads.ts';
import { loadedValue, openThreadId } from '../../store/selectors.ts';
import { appStrings } from '../../strings/app.ts';
import { sidebarStrings } from '../../strings/sidebar.ts';
import { ThreadLink } from './thread-link.tsx';
import { WaitingInbox } from './waiting-inbox.tsx';

type Editing = { readonly kind: 'rename' | 'remove'; readonly thread: Thread };

/** All tasks, with a new task, the waiting questions, skills and settings. */
export function Sidebar({
  onHide,
  onNavigate,
}: {
  readonly onHide: () => void;
  /** Called when a task was chosen, so that a drawer can close. */
  readonly onNavigate: () => void;
}): ReactNode {
  const { threads, settings, skills } = useSession();
  const atSkills = useApp((state) => state.route.kind === 'skills');
  const [editing, setEditing] = useState<Editing | null>(null);
  const open = (threadId: string | null): void => {
    void threads.open(threadId);
    onNavigate();
  };
  return (
    <div className="sidebar">
      <header className="sidebar-header">
        <span className="brand">{appStrings.name}</span>
        <IconButton label={appStrings.hideSidebar} onClick={onHide}>
          <PanelLeftClose aria-hidden="true" size={16} />
        </IconButton>
      </header>
      <div className="sidebar-actions">
        <Button className="new-task" onClick={() => open(null)}>
          <SquarePen aria-hidden="true" size={15} />
          {appStrings.newTask}
        </Button>
        <SearchBox />
      </div>
      <WaitingInbox onOpen={open} />
      <ThreadList onOpen={open} onEdit={setEditing} />
      <footer className="sidebar-footer">
        <Button
          variant="ghost"
          aria-current={atSkills ? 'page' : undefined}
          onClick={() => {
            skills.show({ view: 'list' });
            onNavigate();
          }}
        >
          <Puzzle aria-hidden="true" size={15} />
          {sidebarStrings.skills}
        </Button>
        <Button
          variant="ghost"
          onClick={() => {
            settings.show('models');
            onNavigate();
          }}
        >
          <Settings aria-hidden="true" size={15} />
          {sidebarStrings.settings}
        </Button>
      </footer>
      {editing?.kind === 'rename' && (
        <RenameDialog thread={editing.thread} onClose={() => setEditing(null)} />
      )}
      {editing?.kind === 'remove' && (
        <DeleteDialog thread={editing.thread} onClose={() => setEditing(null)} />
      )}
    </div>
  );
}

function SearchBox(): ReactNode {
  const { threads } = useSession();
  const query = useApp((state) => state.search);
  return (
    <div className="search-box">
      <Search aria-hidden="true" size={14} />
      <input
        type="search"
        aria-label={sidebarStrings.search}
        placeholder={sidebarStrings.search}
        value={query}
        maxLength={200}
        onChange={(event) => threads.search(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Escape') threads.search('');
        }}
      />
      {query !== '' && (
        <IconButton
          label={sidebarStrings.clearSearch}
          size="small"
          onClick={() => threads.search('')}
        >
          <X aria-hidden="true" size={12} />
        </IconButton>
      )}
    </div>
  );
}

/** The day changes while the window stays open. */
const REGROUP_MS = 60_000;

function ThreadList({
  onOpen,
  onEdit,
}: {
  readonly onOpen: (threadId: string) => void;
  readonly onEdit: (editing: Editing) => void;
}): ReactNode {
  const session = useSession();
  const threads = useApp((state) => state.threads);
  const query = useApp((state) => state.search.trim());
  const shown = useApp(openThreadId);
  const now = useNow(true, REGROUP_MS);
  const list = loadedValue(threads);
  if (list === null) {
    return threads.phase === 'failed' ? (
      <div className="thread-list">
        <EmptyState icon={MessagesSquare} text={sidebarStrings.failed}>
          <Button size="small" onClick={() => void session.threads.refresh()}>
            {appStrings.retry}
          </Button>
        </EmptyState>
      </div>
    ) : (
      <div className="thread-list">
        <Skeleton label={appStrings.loading} lines={6} />
      </div>
    );
  }
  if (list.length === 0) {
    const text = query === '' ? sidebarStrings.empty : sidebarStrings.nothingFound(query);
    return (
      <div className="thread-list">
        <EmptyState icon={MessagesSquare} text={text} />
      </div>
    );
  }
  return (
    <div className="thread-list">
      {groupThreads(list, now).map(({ age, threads: members }) => (
        <section key={age} aria-labelledby={`group-${age}`}>
          <h2 id={`group-${age}`} className="group-title">
            {sidebarStrings.groups[age]}
          </h2>
          <ul>
            {members.map((thread) => (
              <ThreadLink
                key={thread.id}
                thread={thread}
                current={thread.id === shown}
                onOpen={() => onOpen(thread.id)}
                onRename={() => onEdit({ kind: 'rename', thread })}
                onRemove={() => onEdit({ kind: 'remove', thread })}
              />
            ))}
          </ul>
        </section>
      ))}
    </div>
  );
}
