import { CirclePause, Play, Square } from 'lucide-react';
import type { ReactNode } from 'react';
import { Button } from '../../components/button.tsx';
import { useApp, useSession } from '../../session-context.ts';
import { liveRun } from '../../store/selectors.ts';
import { appStrings } from '../../strings/app.ts';
import { chatStrings } from '../../strings/chat.ts';

/** A run that waits to be resumed: paused, or interrupted by closing the app or by a full disk. */
export function PausedBar({ threadId }: { readonly threadId: string }): ReactNode {
  const { runs } = useSession();
  const run = useApp((state) => liveRun(state, threadId));
  if (run === null || (run.status !== 'paused' && run.status !== 'queued')) return null;
  return (
    <section className="paused-bar" aria-label={appStrings.status[run.status]}>
      <CirclePause aria-hidden="true" size={16} />
      <span>{run.error?.message ?? chatStrings.paused[run.status]}</span>
      <span className="spacer" />
      <Button size="small" variant="primary" onClick={() => void runs.resume(run.id)}>
        <Play aria-hidden="true" size={14} />
        {chatStrings.resume}
      </Button>
      <Button size="small" onClick={() => void runs.cancel(run.id)}>
        <Square aria-hidden="true" size={12} />
        {chatStrings.stopForGood}
      </Button>
    </section>
  );
}
