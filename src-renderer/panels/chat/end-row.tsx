import { CircleStop, ShieldQuestionMark } from 'lucide-react';
import { memo, type ReactNode } from 'react';
import type { Run } from '#contract/entities.ts';
import { CopyButton } from '../../components/copy-button.tsx';
import { formatDuration } from '../../format.ts';
import type { RunEnd } from '../../store/run-view.ts';
import { chatStrings } from '../../strings/chat.ts';
import { planStrings } from '../../strings/plan.ts';
import { FactList } from '../plan/facts.tsx';
import { FailedRow } from './failed-row.tsx';
import { ReadAloudButton } from './read-aloud-button.tsx';
import { RetryStep, RunAgain, RunMenu } from './run-actions.tsx';

/** How a run ended: a quiet line after an answer, a card where there is none. */
export const EndRow = memo(function EndRow({
  run,
  end,
}: {
  readonly run: Run;
  readonly end: RunEnd;
}): ReactNode {
  if (end.kind === 'complete') return <Completed end={end} run={run} />;
  return end.code === 'CANCELLED' ? <Stopped run={run} /> : <FailedRow run={run} end={end} />;
});

function Completed({
  end,
  run,
}: {
  readonly end: Extract<RunEnd, { kind: 'complete' }>;
  readonly run: Run;
}): ReactNode {
  // What the answer itself says is not repeated.
  const notShown = end.notShown.filter(({ claim }) => !end.answer.includes(claim));
  return (
    <>
      {end.outcome === 'unverified' && (
        <p className="banner" data-tone="warning">
          <ShieldQuestionMark aria-hidden="true" size={16} />
          {chatStrings.unverified}
        </p>
      )}
      {notShown.length > 0 && (
        <section className="not-shown">
          <h3 className="section-label">{planStrings.notShown}</h3>
          <FactList facts={notShown} label={planStrings.notShown} />
        </section>
      )}
      <div className="end-line">
        <CopyButton label={chatStrings.copyAnswer} text={() => end.answer} />
        <ReadAloudButton run={run} answer={end.answer} />
        <RunAgain run={run} variant="ghost" />
        <RunMenu run={run} />
        <span className="muted">
          {chatStrings.summary(formatDuration(end.durationMs), end.toolCalls)} ·{' '}
          {run.options.model.name}
        </span>
      </div>
    </>
  );
}

function Stopped({ run }: { readonly run: Run }): ReactNode {
  return (
    <div className="end-card" data-tone="neutral">
      <CircleStop aria-hidden="true" size={16} />
      <div>
        <h2>{chatStrings.stopped}</h2>
        <p>{chatStrings.stoppedText}</p>
        <div className="row">
          <RetryStep run={run} />
          <RunAgain run={run} />
          <RunMenu run={run} />
        </div>
      </div>
    </div>
  );
}
