import {
  AppWindow,
  ArrowLeft,
  FileText,
  FolderTree,
  Globe,
  Images,
  LayoutTemplate,
  Library,
  ListTodo,
  type LucideIcon,
  MonitorCog,
  SquareTerminal,
} from 'lucide-react';
import { Tabs } from 'radix-ui';
import { lazy, type ReactNode, Suspense } from 'react';
import { IconButton } from '../../components/button.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { ErrorBoundary } from '../../components/error-boundary.tsx';
import type { ShownPart } from '../../components/markdown/task-context.ts';
import { Skeleton } from '../../components/skeleton.tsx';
import { useApp, useSession } from '../../session-context.ts';
import type { AppState } from '../../store/app-state.ts';
import { shallowEqual } from '../../store/equality.ts';
import type { RunView } from '../../store/run-view.ts';
import { hasApp, hasBrowser } from '../../store/selectors.ts';
import { appTabStrings } from '../../strings/app-tab.ts';
import { artifactStrings } from '../../strings/artifacts.ts';
import { browserStrings } from '../../strings/browser.ts';
import { computerStrings } from '../../strings/computer.ts';
import { networkStrings } from '../../strings/network.ts';
import { planStrings } from '../../strings/plan.ts';
import { researchStrings } from '../../strings/research.ts';
import { ArtifactsTab, hasArtifacts } from '../artifacts/artifacts-tab.tsx';
import { NetworkTab } from '../network/network-tab.tsx';
import { PlanTab } from '../plan/plan-tab.tsx';
import { ReportTab } from '../research/report-tab.tsx';
import { SourcesTab } from '../research/sources-tab.tsx';
import { FilesTab } from './files-tab.tsx';
import { runsWith } from './run-select.tsx';

// The terminal emulator is large; the window does not wait for it.
const TerminalTab = lazy(() =>
  import('./terminal-tab.tsx').then((module) => ({ default: module.TerminalTab })),
);

const BrowserTab = lazy(() =>
  import('../browser/browser-tab.tsx').then((module) => ({ default: module.BrowserTab })),
);

const AppTab = lazy(() =>
  import('../app/app-tab.tsx').then((module) => ({ default: module.AppTab })),
);

/** What a tab may show of its task. */
interface TabScope {
  readonly threadId: string;
  /** The plan, source or report to show; null for the newest. */
  readonly part: ShownPart | null;
  readonly openPath: string | null;
  readonly onOpenPath: (path: string | null) => void;
}

interface TabEntry {
  readonly id: string;
  readonly icon: LucideIcon;
  readonly label: string;
  /** Absent if the tab is always there. */
  readonly when?: (view: RunView) => boolean;
  /** Shows the tab of a task whose runs have nothing for it yet. */
  readonly orWhen?: (state: AppState, threadId: string) => boolean;
  readonly content: (scope: TabScope) => ReactNode;
}

/** The tabs in their order. */
const TABS = [
  {
    id: 'plan',
    icon: ListTodo,
    label: planStrings.tab,
    when: ({ plan }) => plan !== null,
    content: ({ threadId, part }) => (
      <PlanTab threadId={threadId} requested={part?.side === 'plan' ? part.runId : null} />
    ),
  },
  {
    id: 'report',
    icon: FileText,
    label: researchStrings.report.tab,
    when: ({ research }) => research.reports.length > 0,
    content: ({ threadId, part }) => (
      <ReportTab threadId={threadId} requested={part?.side === 'report' ? part : null} />
    ),
  },
  {
    id: 'sources',
    icon: Library,
    label: researchStrings.tab,
    when: ({ research }) => research.sources.size > 0,
    content: ({ threadId, part }) => (
      <SourcesTab threadId={threadId} requested={part?.side === 'sources' ? part : null} />
    ),
  },
  {
    id: 'terminal',
    icon: SquareTerminal,
    label: computerStrings.terminal,
    when: ({ terminal }) => terminal.version > 0,
    content: ({ threadId }) => (
      <Suspense fallback={<Skeleton label={computerStrings.terminal} lines={5} />}>
        <TerminalTab threadId={threadId} />
      </Suspense>
    ),
  },
  {
    id: 'browser',
    icon: AppWindow,
    label: browserStrings.tab,
    when: ({ browser }) => browser.version > 0,
    orWhen: hasBrowser,
    content: ({ threadId }) => (
      <Suspense fallback={<Skeleton label={browserStrings.loading} lines={5} />}>
        <BrowserTab key={threadId} threadId={threadId} />
      </Suspense>
    ),
  },
  {
    id: 'app',
    icon: LayoutTemplate,
    label: appTabStrings.tab,
    when: () => false,
    orWhen: hasApp,
    content: ({ threadId }) => (
      <Suspense fallback={<Skeleton label={appTabStrings.loading} lines={5} />}>
        <AppTab key={threadId} threadId={threadId} />
      </Suspense>
    ),
  },
  {
    id: 'files',
    icon: FolderTree,
    label: computerStrings.files,
    content: ({ threadId, openPath, onOpenPath }) => (
      <FilesTab threadId={threadId} openPath={openPath} onOpenPath={onOpenPath} />
    ),
  },
  {
    id: 'artifacts',
    icon: Images,
    label: artifactStrings.title,
    when: hasArtifacts,
    content: ({ threadId }) => <ArtifactsTab threadId={threadId} />,
  },
  {
    id: 'network',
    icon: Globe,
    label: networkStrings.tab,
    content: ({ threadId }) => <NetworkTab threadId={threadId} />,
  },
] as const satisfies readonly TabEntry[];

const ENTRIES: readonly TabEntry[] = TABS;

export type ComputerTab = (typeof TABS)[number]['id'];

interface ComputerPanelProps extends Omit<TabScope, 'threadId'> {
  readonly threadId: string | null;
  readonly tab: ComputerTab;
  readonly onTab: (tab: ComputerTab) => void;
  /** In a narrow window: back to the conversation. */
  readonly onBack: (() => void) | null;
}

/** The computer panel: plan, terminal, browser, app, files, artifacts, sources, report and network. */
export function ComputerPanel(props: ComputerPanelProps): ReactNode {
  const { threadId, tab, part, onTab, openPath, onOpenPath, onBack } = props;
  const shown = useApp(
    (state) =>
      ENTRIES.filter(
        ({ when, orWhen }) =>
          when === undefined ||
          runsWith(state, threadId, when).length > 0 ||
          (threadId !== null && orWhen?.(state, threadId) === true),
      ),
    shallowEqual,
  );
  const { browsers } = useSession();
  const canOpen = threadId !== null && !shown.some(({ id }) => id === 'browser');
  const value = shown.some(({ id }) => id === tab) ? tab : 'files';
  return (
    <div className="computer">
      <Tabs.Root
        className="computer-tabs"
        value={value}
        onValueChange={(chosen) => onTab(TABS.find(({ id }) => id === chosen)?.id ?? 'files')}
      >
        <div className="tab-bar" data-tabs={shown.length + (canOpen ? 1 : 0)}>
          {onBack !== null && (
            <IconButton label={computerStrings.toChat} onClick={onBack}>
              <ArrowLeft aria-hidden="true" size={16} />
            </IconButton>
          )}
          <Tabs.List className="tab-list" aria-label={computerStrings.label}>
            {shown.map(({ id, icon: Icon, label }) => (
              <Tabs.Trigger key={id} className="tab" value={id} title={label} aria-label={label}>
                <Icon aria-hidden="true" size={15} />
                <span className="tab-label">{label}</span>
              </Tabs.Trigger>
            ))}
          </Tabs.List>
          {canOpen && (
            <IconButton
              className="open-browser"
              label={browserStrings.open}
              onClick={() => {
                browsers.open(threadId);
                onTab('browser');
              }}
            >
              <AppWindow aria-hidden="true" size={15} />
            </IconButton>
          )}
        </div>
        {TABS.map(({ id, content }) => (
          <Tabs.Content key={id} className="tab-panel" value={id}>
            <TaskPart threadId={threadId}>
              {(task) => content({ threadId: task, part, openPath, onOpenPath })}
            </TaskPart>
          </Tabs.Content>
        ))}
      </Tabs.Root>
    </div>
  );
}

function TaskPart({
  threadId,
  children,
}: {
  readonly threadId: string | null;
  readonly children: (threadId: string) => ReactNode;
}): ReactNode {
  if (threadId === null) return <EmptyState icon={MonitorCog} text={computerStrings.noTask} />;
  return <ErrorBoundary resetKey={threadId}>{children(threadId)}</ErrorBoundary>;
}
