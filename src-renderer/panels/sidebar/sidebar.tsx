import {
  Images,
  Keyboard,
  PanelLeftClose,
  Puzzle,
  Search,
  Settings,
  SquarePen,
  X,
} from 'lucide-react';
import { type ComponentProps, type ReactNode, type Ref, useState } from 'react';
import { keysOf, runCommand, useCommands } from '../../commands-context.ts';
import { Button, CommandButton, IconButton } from '../../components/button.tsx';
import { DeleteDialog } from '../../dialogs/delete-dialog.tsx';
import { RenameDialog } from '../../dialogs/rename-dialog.tsx';
import { useApp, useSession } from '../../session-context.ts';
import { appStrings } from '../../strings/app.ts';
import { artifactStrings } from '../../strings/artifacts.ts';
import { commandStrings } from '../../strings/commands.ts';
import { sidebarStrings } from '../../strings/sidebar.ts';
import { SearchResults } from './search-results.tsx';
import { type ThreadEdit, ThreadList } from './thread-list.tsx';
import { WaitingInbox } from './waiting-inbox.tsx';

/** All tasks, with a new task, the waiting questions, artifacts, skills and settings. */
export function Sidebar({
  searchRef,
  onHide,
  onNavigate,
}: {
  readonly searchRef: Ref<HTMLInputElement>;
  readonly onHide: () => void;
  /** Called when a task was chosen, so that a drawer can close. */
  readonly onNavigate: () => void;
}): ReactNode {
  const { threads, settings, skills, artifacts } = useSession();
  const commands = useCommands();
  const at = useApp((state) => state.route.kind);
  const [editing, setEditing] = useState<ThreadEdit | null>(null);
  const open = (threadId: string | null): void => {
    void threads.open(threadId);
    onNavigate();
  };
  return (
    <div className="sidebar">
      <header className="sidebar-header">
        <span className="brand">{appStrings.name}</span>
        <IconButton label={appStrings.hideSidebar} command="sidebar" onClick={onHide}>
          <PanelLeftClose aria-hidden="true" size={16} />
        </IconButton>
      </header>
      <div className="sidebar-actions">
        <CommandButton command="newTask" className="new-task" onClick={() => open(null)}>
          <SquarePen aria-hidden="true" size={15} />
          {appStrings.newTask}
        </CommandButton>
        <SearchBox inputRef={searchRef} onNavigate={onNavigate} />
      </div>
      <WaitingInbox onOpen={open} />
      <Tasks onOpen={open} onEdit={setEditing} onNavigate={onNavigate} />
      <footer className="sidebar-footer">
        <Button
          variant="ghost"
          aria-current={at === 'artifacts' ? 'page' : undefined}
          onClick={() => {
            artifacts.show();
            onNavigate();
          }}
        >
          <Images aria-hidden="true" size={15} />
          {artifactStrings.title}
        </Button>
        <Button
          variant="ghost"
          aria-current={at === 'skills' ? 'page' : undefined}
          onClick={() => {
            skills.show({ view: 'list' });
            onNavigate();
          }}
        >
          <Puzzle aria-hidden="true" size={15} />
          {sidebarStrings.skills}
        </Button>
        <div className="sidebar-footer-row">
          <CommandButton
            command="settings"
            variant="ghost"
            onClick={() => {
              settings.show('models');
              onNavigate();
            }}
          >
            <Settings aria-hidden="true" size={15} />
            {sidebarStrings.settings}
          </CommandButton>
          <IconButton
            label={commandStrings.title}
            command="shortcuts"
            onClick={() => {
              onNavigate();
              runCommand(commands, 'shortcuts');
            }}
          >
            <Keyboard aria-hidden="true" size={15} />
          </IconButton>
        </div>
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

function Tasks({
  onNavigate,
  ...list
}: ComponentProps<typeof ThreadList> & { readonly onNavigate: () => void }): ReactNode {
  const searches = useApp((state) => state.search.trim() !== '');
  return searches ? <SearchResults onNavigate={onNavigate} /> : <ThreadList {...list} />;
}

function SearchBox({
  inputRef,
  onNavigate,
}: {
  readonly inputRef: Ref<HTMLInputElement>;
  readonly onNavigate: () => void;
}): ReactNode {
  const { threads } = useSession();
  const query = useApp((state) => state.search);
  return (
    <div className="search-box">
      <Search aria-hidden="true" size={14} />
      <input
        ref={inputRef}
        type="search"
        aria-keyshortcuts={keysOf('search')?.aria}
        aria-label={sidebarStrings.search}
        placeholder={sidebarStrings.search}
        value={query}
        maxLength={200}
        onChange={(event) => threads.search(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Escape') threads.search('');
          if (event.key === 'Enter' && !event.nativeEvent.isComposing) {
            void threads.openFirst().then((isFound) => {
              if (isFound) onNavigate();
            });
          }
          if (event.key === 'ArrowDown') {
            const [first] = document.querySelectorAll<HTMLElement>('.search-results button');
            if (first !== undefined) event.preventDefault();
            first?.focus();
          }
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
