import { Dialog } from 'radix-ui';
import {
  lazy,
  type ReactNode,
  type Ref,
  Suspense,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { flushSync } from 'react-dom';
import { useCommand } from './commands-context.ts';
import { ErrorBoundary } from './components/error-boundary.tsx';
import { TaskProvider, type TaskScope } from './components/markdown/task-context.ts';
import { Splitter } from './components/splitter.tsx';
import { useIsCramped, useIsNarrow, useLayout } from './layout-context.ts';
import { ChatPanel } from './panels/chat/chat-panel.tsx';
import { ComputerPanel } from './panels/computer/computer-panel.tsx';
import { useComputer } from './panels/computer/use-computer.ts';
import { focusQuestion } from './panels/questions/question-panel.tsx';
import { Sidebar } from './panels/sidebar/sidebar.tsx';
import { useApp, useSession } from './session-context.ts';
import { COMPUTER_WIDTH, SIDEBAR_WIDTH } from './store/layout.ts';
import { hasWork, newestRun, openQuestions, openThreadId } from './store/selectors.ts';
import { appStrings } from './strings/app.ts';
import { computerStrings } from './strings/computer.ts';
import { sidebarStrings } from './strings/sidebar.ts';

const SkillsPage = lazy(() =>
  import('./panels/skills/skills-page.tsx').then((module) => ({ default: module.SkillsPage })),
);

const ArtifactsPage = lazy(() =>
  import('./panels/artifacts/artifacts-page.tsx').then((module) => ({
    default: module.ArtifactsPage,
  })),
);

/** The three columns: tasks, conversation, computer. Where it is narrow, one at a time. */
export function Workbench(): ReactNode {
  const { threads, artifacts, browsers, apps } = useSession();
  const threadId = useApp(openThreadId);
  const isTask = useApp((state) => state.route.kind === 'task');
  const skillsPage = useApp((state) => (state.route.kind === 'skills' ? state.route.page : null));
  const narrow = useIsNarrow();
  const cramped = useIsCramped();
  const [layout, setLayout] = useLayout();
  const [drawer, setDrawer] = useState(false);
  const [narrowView, setNarrowView] = useState<'chat' | 'computer'>('chat');
  /** The task whose computer the user opened before there was something on it. */
  const [askedFor, setAskedFor] = useState<string | null>(null);
  const input = useRef<HTMLTextAreaElement>(null);
  const search = useRef<HTMLInputElement>(null);
  const computer = useComputer(threadId);

  const hasContent = useHasWork(threadId);
  const wantsComputer = narrow
    ? narrowView === 'computer'
    : layout.computerOpen && (hasContent || askedFor === threadId);
  // A task that does not exist yet has none.
  const hasComputer = threadId !== null && wantsComputer;
  // Three columns need room: beside the computer, the tasks are in a drawer first.
  const inDrawer = narrow || (cramped && hasComputer);

  const showComputer = (): void => {
    if (narrow) setNarrowView('computer');
    else {
      setLayout({ computerOpen: true });
      setAskedFor(threadId);
    }
  };
  const showComposer = (): void => {
    flushSync(() => setNarrowView('chat'));
    input.current?.focus();
  };
  const showSidebar = (): void => (inDrawer ? setDrawer(true) : setLayout({ sidebarOpen: true }));
  const scope = useTaskScope(threadId, {
    openFile: (path) => {
      computer.open(path);
      showComputer();
    },
    show: (part) => {
      computer.show(part);
      showComputer();
    },
    focusMessage: () => input.current?.focus(),
  });

  const toggleComputer = (): void => {
    if (!hasComputer) showComputer();
    else if (narrow) setNarrowView('chat');
    else {
      setLayout({ computerOpen: false });
      setAskedFor(null);
    }
  };
  useCommand('newTask', () => void threads.open(null));
  useCommand('sidebar', () =>
    !inDrawer && layout.sidebarOpen ? setLayout({ sidebarOpen: false }) : showSidebar(),
  );
  useCommand('search', () => {
    // What the sidebar shows must be there before it can take the focus.
    flushSync(showSidebar);
    search.current?.focus();
    search.current?.select();
  });
  useCommand('composer', isTask ? () => showComposer() : null);
  useCommand('artifacts', artifacts.show);
  useCommand('computer', threadId === null ? null : toggleComputer);
  useCommand('nextQuestion', useNextQuestion(threadId));

  // A browser that the user opened is in no log, nor is the state of an app.
  const isConnected = useApp((state) => state.connection === 'open');
  useEffect(() => {
    if (threadId === null || !isConnected) return;
    void browsers.load(threadId);
    void apps.load(threadId);
  }, [browsers, apps, threadId, isConnected]);

  const beside = {
    sidebarShown: !inDrawer && layout.sidebarOpen,
    onShowSidebar: showSidebar,
  };

  // A file that was chosen elsewhere.
  const fileToShow = useApp((state) => state.fileToShow);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each request is followed once
  useEffect(() => {
    if (fileToShow === null) return;
    if (fileToShow.threadId === threadId) {
      computer.open(fileToShow.path);
      showComputer();
    }
    artifacts.leaveFile();
  }, [fileToShow]);

  // Where it is all that is visible, it is the main landmark.
  const Column = narrow ? 'main' : 'aside';

  // Runs before the effects of its children, so that a question can take the focus afterwards.
  // biome-ignore lint/correctness/useExhaustiveDependencies: another task puts the focus there
  useLayoutEffect(() => input.current?.focus(), [threadId]);

  return (
    <TaskProvider value={scope}>
      {isTask && (
        <button type="button" className="skip-link" onClick={showComposer}>
          {appStrings.skipToComposer}
        </button>
      )}
      <div className="workbench" data-narrow={narrow}>
        {inDrawer ? (
          <SidebarDrawer open={drawer} searchRef={search} onOpenChange={setDrawer} />
        ) : (
          layout.sidebarOpen && (
            <nav
              className="sidebar-column"
              aria-label={sidebarStrings.label}
              style={{ width: layout.sidebarWidth }}
            >
              <Sidebar
                searchRef={search}
                onHide={() => setLayout({ sidebarOpen: false })}
                onNavigate={() => undefined}
              />
              <Splitter
                label={appStrings.resizeSidebar}
                column="before"
                value={layout.sidebarWidth}
                {...SIDEBAR_WIDTH}
                onChange={(sidebarWidth) => setLayout({ sidebarWidth })}
              />
            </nav>
          )
        )}
        {isTask ? (
          <ErrorBoundary resetKey={threadId}>
            <ChatPanel
              threadId={threadId}
              inputRef={input}
              hidden={narrow && hasComputer}
              sidebarShown={!inDrawer && layout.sidebarOpen}
              computerShown={hasComputer}
              onShowSidebar={showSidebar}
              onToggleComputer={toggleComputer}
            />
          </ErrorBoundary>
        ) : (
          <Suspense fallback={<main className="skills-page" />}>
            {skillsPage === null ? (
              <ArtifactsPage {...beside} />
            ) : (
              <SkillsPage page={skillsPage} {...beside} />
            )}
          </Suspense>
        )}
        {hasComputer && (
          <Column
            className="computer-column"
            aria-label={computerStrings.label}
            style={narrow ? undefined : { width: layout.computerWidth }}
          >
            {narrow ? (
              <h1 className="visually-hidden">{computerStrings.label}</h1>
            ) : (
              <Splitter
                label={appStrings.resizeComputer}
                column="after"
                value={layout.computerWidth}
                {...COMPUTER_WIDTH}
                onChange={(computerWidth) => setLayout({ computerWidth })}
              />
            )}
            <ErrorBoundary resetKey={threadId}>
              <ComputerPanel
                threadId={threadId}
                tab={computer.tab}
                part={computer.part}
                onTab={computer.choose}
                openPath={computer.openPath}
                onOpenPath={computer.open}
                onBack={narrow ? () => setNarrowView('chat') : null}
              />
            </ErrorBoundary>
          </Column>
        )}
      </div>
    </TaskProvider>
  );
}

function SidebarDrawer({
  open,
  searchRef,
  onOpenChange,
}: {
  readonly searchRef: Ref<HTMLInputElement>;
  readonly open: boolean;
  readonly onOpenChange: (open: boolean) => void;
}): ReactNode {
  const close = (): void => onOpenChange(false);
  return (
    <Dialog.Root open={open} onOpenChange={onOpenChange}>
      <Dialog.Portal>
        <Dialog.Overlay className="overlay" />
        <Dialog.Content
          className="drawer"
          aria-describedby={undefined}
          onOpenAutoFocus={(event) => {
            event.preventDefault();
            (event.currentTarget as HTMLElement).focus();
          }}
        >
          <Dialog.Title className="visually-hidden">{sidebarStrings.label}</Dialog.Title>
          <nav aria-label={sidebarStrings.label}>
            <Sidebar searchRef={searchRef} onHide={close} onNavigate={close} />
          </nav>
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

/** Whether the computer has something to show. While a task is being loaded, the columns stay as they are. */
function useHasWork(threadId: string | null): boolean {
  const known = useApp((state) => hasWork(state, threadId));
  const last = useRef(false);
  if (known !== null) last.current = known;
  return last.current;
}

/** Goes to the question on the screen, and from there to the next task that waits; null while none does. */
function useNextQuestion(threadId: string | null): (() => void) | null {
  const { threads } = useSession();
  const isHere = useApp((state) => openQuestions(state, threadId).length > 0);
  const next = useApp(({ waiting }) => {
    const here = waiting.findLastIndex((question) => question.threadId === threadId);
    const ordered = [...waiting.slice(here + 1), ...waiting.slice(0, here + 1)];
    return ordered.find((question) => question.threadId !== threadId)?.threadId ?? null;
  });
  if (!isHere && next === null) return null;
  return () => {
    if (!focusQuestion() && next !== null) void threads.open(next);
  };
}

function useTaskScope(
  threadId: string | null,
  actions: Pick<TaskScope, 'openFile' | 'show' | 'focusMessage'>,
): TaskScope {
  const { store } = useSession();
  const latest = useRef(actions);
  latest.current = actions;
  const [scope, setScope] = useState<TaskScope | null>(null);
  if (scope !== null && scope.threadId === threadId) return scope;
  // One object for as long as the task is open: rows of the chat compare it.
  const made: TaskScope = {
    threadId,
    openFile: (path) => latest.current.openFile(path),
    show: (part) => latest.current.show(part),
    focusMessage: () => latest.current.focusMessage(),
    versionOf: (path) => {
      const run = newestRun(store.get(), threadId);
      const view = run === null ? undefined : store.get().views.get(run.id);
      return view?.workspace.byPath.get(path)?.seq ?? 0;
    },
  };
  setScope(made);
  return made;
}
