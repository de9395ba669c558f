import { CircleAlert, Cloud } from 'lucide-react';
import type { ReactNode } from 'react';
import type { Run } from '#contract/entities.ts';
import { Button, type ButtonProps } from '../../components/button.tsx';
import { useTask } from '../../components/markdown/task-context.ts';
import { useSession } from '../../session-context.ts';
import type { RunEnd } from '../../store/run-view.ts';
import { chatStrings } from '../../strings/chat.ts';
import { remedyActionStrings, remedyStrings } from '../../strings/remedies.ts';
import { REMEDY_ACTIONS, type RemedyAction, remedyOf } from './remedies.ts';
import { RetryStep, RunAgain, RunMenu } from './run-actions.tsx';

/** A run that failed: what happened, what was kept, and what to do about this error. */
export function FailedRow({
  run,
  end,
}: {
  readonly run: Run;
  readonly end: Extract<RunEnd, { kind: 'error' }>;
}): ReactNode {
  const remedy = remedyOf(end.code);
  const actions = REMEDY_ACTIONS[remedy];
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
        <p>
          <span className="section-label">{chatStrings.whatToDo}</span> {remedyStrings[remedy]}
        </p>
        <div className="row">
          {actions.map((action, place) => (
            <ActionButton
              key={action}
              kind={action}
              run={run}
              variant={place === 0 ? 'primary' : 'secondary'}
            />
          ))}
          <RunMenu run={run} withAgain={!actions.includes('again')} />
          <span className="muted end-code">{end.code}</span>
        </div>
      </div>
    </div>
  );
}

interface ActionProps {
  readonly kind: RemedyAction;
  readonly run: Run;
  readonly variant: NonNullable<ButtonProps['variant']>;
}

function ActionButton({ kind, run, variant }: ActionProps): ReactNode {
  switch (kind) {
    case 'retry':
      return <RetryStep run={run} variant={variant} />;
    case 'again':
      return <RunAgain run={run} variant={variant} />;
    case 'allowCloud':
      return <AllowCloud run={run} />;
    default:
      return <LeadingButton kind={kind} run={run} variant={variant} />;
  }
}

type LeadingAction = Exclude<RemedyAction, 'retry' | 'again' | 'allowCloud'>;

/** A button that leads to the place where the cause can be removed. */
function LeadingButton({
  kind,
  run,
  variant,
}: Omit<ActionProps, 'kind'> & {
  readonly kind: LeadingAction;
}): ReactNode {
  const { settings, models, runs, skills } = useSession();
  const task = useTask();
  const leads: Readonly<Record<LeadingAction, () => void>> = {
    editMessage: () => {
      runs.takeBack(run.id);
      task.focusMessage();
    },
    chooseModel: () => models.pick(true),
    modelSettings: () => settings.show('models'),
    setupCheck: () => settings.showSetupCheck(),
    network: () => settings.show('network'),
    search: () => settings.show('search'),
    images: () => settings.show('images'),
    library: () => settings.show('library'),
    guardrails: () => settings.show('guardrails'),
    connectors: () => settings.show('connectors'),
    data: () => settings.show('data'),
    skills: () => skills.show({ view: 'list' }),
  };
  return (
    <Button size="small" variant={variant} onClick={leads[kind]}>
      {remedyActionStrings[kind]}
    </Button>
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
