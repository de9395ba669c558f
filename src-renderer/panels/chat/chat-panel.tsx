import { MonitorCog, PanelLeftOpen, PanelRightClose } from 'lucide-react';
import { type ReactNode, type RefObject, useEffect, useRef } from 'react';
import { useAnnounce } from '../../components/announcer.tsx';
import { IconButton } from '../../components/button.tsx';
import { LoadFailed } from '../../components/load-failed.tsx';
import { Skeleton } from '../../components/skeleton.tsx';
import { StatusDot } from '../../components/status-dot.tsx';
import { useApp, useSession } from '../../session-context.ts';
import { newestRun, threadById, threadStatus } from '../../store/selectors.ts';
import { appStrings } from '../../strings/app.ts';
import { chatStrings } from '../../strings/chat.ts';
import { Composer } from '../composer/composer.tsx';
import { NetworkSwitch } from '../network/network-switch.tsx';
import { QuestionPanel } from '../questions/question-panel.tsx';
import { PausedBar } from './paused-bar.tsx';
import { Transcript } from './transcript.tsx';
import { Welcome } from './welcome.tsx';

interface ChatPanelProps {
  readonly threadId: string | null;
  readonly inputRef: RefObject<HTMLTextAreaElement | null>;
  readonly hidden: boolean;
  readonly sidebarShown: boolean;
  readonly computerShown: boolean;
  readonly onShowSidebar: () => void;
  readonly onToggleComputer: () => void;
}

/** The conversation of a task, its open questions and the message box. */
export function ChatPanel(props: ChatPanelProps): ReactNode {
  const { threadId, inputRef, hidden } = props;
  return (
    <main className="chat" data-new={threadId === null} hidden={hidden}>
      <ChatHeader {...props} />
      <ChatBody threadId={threadId} onPick={() => inputRef.current?.focus()} />
      <div className="chat-foot">
        {threadId !== null && <QuestionPanel threadId={threadId} />}
        {threadId !== null && <PausedBar threadId={threadId} />}
        <Composer threadId={threadId} inputRef={inputRef} />
      </div>
      <EndAnnouncer threadId={threadId} />
    </main>
  );
}

function ChatHeader(props: ChatPanelProps): ReactNode {
  const { threadId, sidebarShown, computerShown, onShowSidebar, onToggleComputer } = props;
  const thread = useApp((state) => threadById(state, threadId));
  const status = useApp((state) => (thread === null ? null : threadStatus(state, thread)));
  return (
    <header className="chat-header">
      {!sidebarShown && (
        <IconButton label={appStrings.showSidebar} command="sidebar" onClick={onShowSidebar}>
          <PanelLeftOpen aria-hidden="true" size={16} />
        </IconButton>
      )}
      {thread !== null && (
        <>
          <h1 className="chat-title">{thread.title || appStrings.untitled}</h1>
          {status !== null && (
            <span className="status-label" data-status={status}>
              <StatusDot status={status} />
              <span aria-hidden="true">{appStrings.status[status]}</span>
            </span>
          )}
        </>
      )}
      <span className="spacer" />
      <NetworkSwitch />
      {threadId !== null && (
        <IconButton
          label={computerShown ? appStrings.hideComputer : appStrings.showComputer}
          command="computer"
          onClick={onToggleComputer}
        >
          {computerShown ? (
            <PanelRightClose aria-hidden="true" size={16} />
          ) : (
            <MonitorCog aria-hidden="true" size={16} />
          )}
        </IconButton>
      )}
    </header>
  );
}

function ChatBody({
  threadId,
  onPick,
}: {
  readonly threadId: string | null;
  readonly onPick: () => void;
}): ReactNode {
  const { threads } = useSession();
  const phase = useApp((state) =>
    threadId === null ? null : (state.openThreads.get(threadId)?.phase ?? 'loading'),
  );
  const problem = useApp((state) =>
    threadId === null ? null : (state.openThreads.get(threadId)?.problem ?? null),
  );
  if (threadId === null) return <Welcome onPick={onPick} />;
  switch (phase) {
    case 'failed':
      return (
        <LoadFailed
          title={chatStrings.failed}
          problem={problem}
          onRetry={() => void threads.open(threadId)}
        />
      );
    case 'ready':
      return <Transcript key={threadId} threadId={threadId} />;
    default:
      return (
        <div className="transcript-frame">
          <div className="transcript-column pad-top">
            <Skeleton label={chatStrings.loadingTask} lines={6} />
          </div>
        </div>
      );
  }
}

/** Announces to screen readers that the run on the screen is over. */
function EndAnnouncer({ threadId }: { readonly threadId: string | null }): ReactNode {
  const announce = useAnnounce();
  const end = useApp((state) => {
    const run = newestRun(state, threadId);
    return run === null ? null : (state.views.get(run.id)?.end ?? null);
  });
  const wasRunning = useRef(false);
  useEffect(() => {
    if (end === null) {
      wasRunning.current = threadId !== null;
      return;
    }
    if (wasRunning.current) {
      announce(end.kind === 'complete' ? chatStrings.finished : chatStrings.ended);
    }
    wasRunning.current = false;
  }, [announce, end, threadId]);
  return null;
}
