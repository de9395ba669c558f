import {
  CircleAlert,
  CircleStop,
  Cloud,
  Download,
  Ellipsis,
  GitFork,
  RotateCcw,
  ShieldQuestionMark,
  StepForward,
} from 'lucide-react';
import { DropdownMenu } from 'radix-ui';
import { memo, type ReactNode } from 'react';
import type { Run } from '#contract/entities.ts';
import { Button } from '../../components/button.tsx';
import { CopyButton } from '../../components/copy-button.tsx';
import { formatDuration } from '../../format.ts';
import { useApp, useSession } from '../../session-context.ts';
import type { RunEnd } from '../../store/run-view.ts';
import { newestRun } from '../../store/selectors.ts';
import { chatStrings } from '../../strings/chat.ts';
import { modelStrings } from '../../strings/models.ts';
import { planStrings } from '../../strings/plan.ts';
import { FactList } from '../plan/facts.tsx';

/** How a run ended: a quiet line after an answer, a card where there is none. */
export const EndRow = memo(function EndRow({
  run,
  end,
}: {
  readonly run: Run;
  readonly end: RunEnd;
}): ReactNode {
  if (end.kind === 'complete') return <Completed end={end} run={run} />;
  return end.code === 'CANCELLED' ? <Stopped run={run} /> : <Failed run={run} end={end} />;
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
        <RunAgain run={run} quiet />
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

function Failed({
  run,
  end,
}: {
  readonly run: Run;
  readonly end: Extract<RunEnd, { kind: 'error' }>;
}): ReactNode {
  const advice = adviceFor(end.code);
  return (
    <div className="end-card" data-tone="danger">
      <CircleAlert aria-hidden="true" size={16} />
      <div>
        <h2>{chatStrings.failedTitle}</h2>
        <p className="end-message">{end.message}</p>
        {end.kept !== null && (
          <p>
            <span className="section-label">{chatStrings.kept}</span> {end.kept}
          </p>
        )}
        {advice !== null && (
          <p>
            <span className="section-label">{chatStrings.whatToDo}</span> {advice}
          </p>
        )}
        <div className="row">
          {end.code === 'CLOUD_MODEL_NOT_ALLOWED' && <AllowCloud run={run} />}
          <RetryStep run={run} />
          <RunAgain run={run} />
          <NextStep code={end.code} />
          <RunMenu run={run} />
          <span className="muted end-code">{end.code}</span>
        </div>
      </div>
    </div>
  );
}

function RunAgain({
  run,
  quiet = false,
}: {
  readonly run: Run;
  readonly quiet?: boolean;
}): ReactNode {
  const { runs } = useSession();
  return (
    <Button
      size="small"
      variant={quiet ? 'ghost' : 'secondary'}
      onClick={() => void runs.again(run.threadId, run.id)}
    >
      <RotateCcw aria-hidden="true" size={14} />
      {chatStrings.runAgain}
    </Button>
  );
}

/** Continues the conversation as it is; only the newest run of a task can. */
function RetryStep({ run }: { readonly run: Run }): ReactNode {
  const { runs } = useSession();
  const isNewest = useApp((state) => newestRun(state, run.threadId)?.id === run.id);
  if (!isNewest || run.origin?.kind === 'import') return null;
  return (
    <Button size="small" variant="primary" onClick={() => void runs.retry(run.id)}>
      <StepForward aria-hidden="true" size={14} />
      {chatStrings.retryStep}
    </Button>
  );
}

/** More actions on a finished run. */
function RunMenu({ run }: { readonly run: Run }): ReactNode {
  const { runs } = useSession();
  return (
    <DropdownMenu.Root modal={false}>
      <DropdownMenu.Trigger asChild>
        <button
          type="button"
          className="button icon-button"
          data-variant="ghost"
          data-size="small"
          aria-label={chatStrings.more}
        >
          <Ellipsis aria-hidden="true" size={14} />
        </button>
      </DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content className="menu" align="start" sideOffset={4}>
          <DropdownMenu.Item
            className="menu-item"
            onSelect={() => void runs.fork(run.id, run.lastSeq)}
          >
            <GitFork aria-hidden="true" size={14} />
            {chatStrings.forkHere}
          </DropdownMenu.Item>
          <DropdownMenu.Item className="menu-item" onSelect={() => void runs.save(run.id)}>
            <Download aria-hidden="true" size={14} />
            {chatStrings.exportRun}
          </DropdownMenu.Item>
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  );
}

/** Consent is given once for each model, where it is asked for. */
function AllowCloud({ run }: { readonly run: Run }): ReactNode {
  const { models, runs } = useSession();
  const allow = async (): Promise<void> => {
    await models.allowCloud(run.options.model);
    await runs.again(run.threadId, run.id);
  };
  return (
    <Button size="small" variant="danger" onClick={() => void allow()}>
      <Cloud aria-hidden="true" size={14} />
      {chatStrings.allowCloud}
    </Button>
  );
}

function NextStep({ code }: { readonly code: string }): ReactNode {
  const { settings } = useSession();
  if (code === 'MODEL_UNAUTHORIZED') {
    return (
      <Button size="small" variant="ghost" onClick={() => settings.show('models')}>
        {modelStrings.openSettings}
      </Button>
    );
  }
  if (!code.startsWith('SANDBOX_') && !code.startsWith('MODEL_')) return null;
  return (
    <Button size="small" variant="ghost" onClick={() => settings.showSetupCheck()}>
      {modelStrings.setupCheck}
    </Button>
  );
}

/** What to do in the window about an error; null if its message says all there is to do. */
function adviceFor(code: string): string | null {
  const advice: Readonly<Record<string, string>> = chatStrings.errors;
  return Object.hasOwn(advice, code) ? (advice[code] ?? null) : null;
}
