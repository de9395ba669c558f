import { CirclePause, Play, Square } from 'lucide-react';
import type { ReactNode } from 'react';
import { Button } from '../../components/button.tsx';
import { useApp, useSession } from '../../session-context.ts';
import { liveRun } from '../../store/selectors.ts';
import { strings } from '../../strings.ts';

/** A run that waits to be resumed: paused, or interrupted by closing the app or by a full disk. */
export function PausedBar({ threadId }: { readonly threadId: string }): ReactNode {
  const { runs } = useSession();
  const run = useApp((state) => liveRun(state, threadId));
  if (run === null || (run.status !== 'paused' && run.status !== 'queued')) return null;
  return (
    <section className="paused-bar" aria-label={strings.status[run.status]}>
      <CirclePause aria-hidden="true" size={16} />
      <span>{run.error?.message ?? strings.chat.paused[run.status]}</span>
      <span className="spacer" />
      <Button size="small" variant="primary" onClick={() => void runs.resume(run.id)}>
        <Play aria-hidden="true" size={14} />
        {strings.chat.resume}
      </Button>
      <Button size="small" onClick={() => void runs.cancel(run.id)}>
        <Square aria-hidden="true" size={12} />
        {strings.chat.stopForGood}
      </Button>
    </section>
  );
}
