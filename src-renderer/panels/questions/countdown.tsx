import { Clock } from 'lucide-react';
import type { ReactNode } from 'react';
import { Tip } from '../../components/tip.tsx';
import { useNow } from '../../components/use-now.ts';
import { formatElapsed } from '../../format.ts';
import { questionStrings } from './strings.ts';

/** How long the run waits before it is parked. An answer counts afterwards too. */
export function Countdown({ until }: { readonly until: number }): ReactNode {
  const now = useNow(true);
  const left = until - now;
  if (left <= 0) return <span className="tag">{questionStrings.parked}</span>;
  return (
    <Tip text={questionStrings.countdownHint} side="top">
      <span className="countdown" role="timer" aria-live="off">
        <Clock aria-hidden="true" size={13} />
        {questionStrings.countdown(formatElapsed(left))}
      </span>
    </Tip>
  );
}
