import { ArrowLeft, FolderTree, Globe, MonitorCog, SquareTerminal } from 'lucide-react';
import { Tabs } from 'radix-ui';
import { lazy, type ReactNode, Suspense } from 'react';
import { IconButton } from '../../components/button.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { ErrorBoundary } from '../../components/error-boundary.tsx';
import { Skeleton } from '../../components/skeleton.tsx';
import { networkStrings } from '../../network-strings.ts';
import type { ComputerTab } from '../../store/layout.ts';
import { strings } from '../../strings.ts';
import { NetworkTab } from '../network/network-tab.tsx';
import { FilesTab } from './files-tab.tsx';

// The terminal emulator is large, and the rest of the window need not wait for it.
const TerminalTab = lazy(() =>
  import('./terminal-tab.tsx').then((module) => ({ default: module.TerminalTab })),
);

const TABS: readonly ComputerTab[] = ['terminal', 'files', 'network'];

interface ComputerPanelProps {
  readonly threadId: string | null;
  readonly tab: ComputerTab;
  readonly onTab: (tab: ComputerTab) => void;
  readonly openPath: string | null;
  readonly onOpenPath: (path: string | null) => void;
  /** Where the window is narrow: the way back to the conversation. */
  readonly onBack: (() => void) | null;
}

/** What the agent works with: its terminal and the files of its workspace. */
export function ComputerPanel(props: ComputerPanelProps): ReactNode {
  const { threadId, tab, onTab, openPath, onOpenPath, onBack } = props;
  return (
    <div className="computer">
      <Tabs.Root
        className="computer-tabs"
        value={tab}
        onValueChange={(value) => onTab(TABS.find((one) => one === value) ?? 'terminal')}
      >
        <div className="tab-bar">
          {onBack !== null && (
            <IconButton label={strings.computer.toChat} onClick={onBack}>
              <ArrowLeft aria-hidden="true" size={16} />
            </IconButton>
          )}
          <Tabs.List className="tab-list" aria-label={strings.computer.label}>
            <Tabs.Trigger className="tab" value="terminal">
              <SquareTerminal aria-hidden="true" size={15} />
              {strings.computer.terminal}
            </Tabs.Trigger>
            <Tabs.Trigger className="tab" value="files">
              <FolderTree aria-hidden="true" size={15} />
              {strings.computer.files}
            </Tabs.Trigger>
            <Tabs.Trigger className="tab" value="network">
              <Globe aria-hidden="true" size={15} />
              {networkStrings.tab}
            </Tabs.Trigger>
          </Tabs.List>
        </div>
        <Tabs.Content className="tab-panel" value="terminal">
          <TaskPart threadId={threadId}>
            {(id) => (
              <Suspense fallback={<Skeleton label={strings.computer.terminal} lines={5} />}>
                <TerminalTab threadId={id} />
              </Suspense>
            )}
          </TaskPart>
        </Tabs.Content>
        <Tabs.Content className="tab-panel" value="files">
          <TaskPart threadId={threadId}>
            {(id) => <FilesTab threadId={id} openPath={openPath} onOpenPath={onOpenPath} />}
          </TaskPart>
        </Tabs.Content>
        <Tabs.Content className="tab-panel" value="network">
          <TaskPart threadId={threadId}>{(id) => <NetworkTab threadId={id} />}</TaskPart>
        </Tabs.Content>
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
  if (threadId === null) return <EmptyState icon={MonitorCog} text={strings.computer.noTask} />;
  return <ErrorBoundary resetKey={threadId}>{children(threadId)}</ErrorBoundary>;
}
