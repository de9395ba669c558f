import { Clock } from 'lucide-react';
import type { ReactNode } from 'react';
import { Tip } from '../../components/tip.tsx';
import { useNow } from '../../components/use-now.ts';
import { formatCountdown } from '../../format.ts';
import { useApp } from '../../session-context.ts';
import { questionStrings } from '../../strings/questions.ts';

/** The time left to answer. By the settings the run then pauses, or the question is denied. */
export function Countdown({ until }: { readonly until: number }): ReactNode {
  const now = useNow(true);
  const onTimeout = useApp((state) => state.settings?.attentionTimeout ?? 'park');
  const left = until - now;
  if (left <= 0) return <span className="tag">{questionStrings.parked}</span>;
  return (
    <Tip text={questionStrings.countdownHints[onTimeout]} side="top">
      <span className="countdown" role="timer" aria-live="off">
        <Clock aria-hidden="true" size={13} />
        {questionStrings.countdown[onTimeout](formatCountdown(left))}
      </span>
    </Tip>
  );
}
