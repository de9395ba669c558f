import { type FormEvent, type ReactNode, useState } from 'react';
import type { InterruptResponse } from '#contract/events/hitl.ts';
import { Button } from '../../components/button.tsx';
import { useSession } from '../../session-context.ts';
import type { OpenQuestion } from '../../store/selectors.ts';
import { EditArguments } from './edit-arguments.tsx';
import { patternsOf, RuleChooser, type RuleWish } from './rule-chooser.tsx';
import { questionStrings } from './strings.ts';

type Step = 'choose' | 'always' | 'edit' | 'deny';

interface ActionsProps {
  readonly question: OpenQuestion;
  readonly sha256: string;
  readonly busy: boolean;
}

/** Yes, yes for good, yes with changes, or no. Each press says exactly one thing; Escape says none of them. */
export function ApprovalActions({ question, sha256, busy }: ActionsProps): ReactNode {
  const { runs } = useSession();
  const [step, setStep] = useState<Step>('choose');
  const back = (): void => setStep('choose');
  const respond = (response: InterruptResponse): void =>
    void runs.respond(question.runId, question.interruptId, response);
  const approve = { action: 'approve', argumentsSha256: sha256, always: false } as const;

  switch (step) {
    case 'deny':
      return <DenyForm question={question} busy={busy} onBack={back} onDeny={respond} />;
    case 'always':
      return (
        <AlwaysForm
          question={question}
          busy={busy}
          onBack={back}
          onApprove={(rule) => respond({ ...approve, always: true, rule })}
        />
      );
    case 'edit':
      return (
        <EditArguments
          question={question}
          busy={busy}
          onBack={back}
          onApprove={({ argumentsText, argumentsSha256 }) =>
            respond({ ...approve, argumentsSha256, edited: argumentsText })
          }
        />
      );
    case 'choose':
      return (
        <div className="question-actions">
          <Button variant="primary" disabled={busy} onClick={() => respond(approve)}>
            {questionStrings.approve}
          </Button>
          {question.rulePattern !== undefined && (
            <Button disabled={busy} onClick={() => setStep('always')}>
              {questionStrings.always}…
            </Button>
          )}
          {question.argumentsText !== undefined && (
            <Button disabled={busy} onClick={() => setStep('edit')}>
              {questionStrings.edit}…
            </Button>
          )}
          <span className="spacer" />
          <Button variant="danger" disabled={busy} onClick={() => setStep('deny')}>
            {questionStrings.deny}…
          </Button>
        </div>
      );
  }
}

/** The narrowest yes there is: this very call, in this task. A no for good holds everywhere. */
function firstWish(question: OpenQuestion, decision: 'approve' | 'deny'): RuleWish {
  const first = patternsOf(question)[0] ?? { match: 'arguments' as const, pattern: '' };
  return { ...first, thisTaskOnly: decision === 'approve' };
}

function AlwaysForm({
  question,
  busy,
  onApprove,
  onBack,
}: {
  readonly question: OpenQuestion;
  readonly busy: boolean;
  readonly onApprove: (rule: RuleWish) => void;
  readonly onBack: () => void;
}): ReactNode {
  const [wish, setWish] = useState<RuleWish>(() => firstWish(question, 'approve'));
  return (
    <div className="question-actions stacked">
      <p>{questionStrings.alwaysHint}</p>
      <RuleChooser question={question} decision="approve" wish={wish} onChange={setWish} />
      <div className="row">
        <Button
          variant="primary"
          disabled={busy || wish.pattern === ''}
          onClick={() => onApprove(wish)}
        >
          {questionStrings.alwaysConfirm}
        </Button>
        <Button variant="ghost" onClick={onBack}>
          {questionStrings.back}
        </Button>
      </div>
    </div>
  );
}

/** A no with its reason, and, where it is wanted, for good. */
export function DenyForm({
  question,
  busy,
  onBack,
  onDeny,
}: {
  readonly question: OpenQuestion;
  readonly busy: boolean;
  readonly onBack: () => void;
  readonly onDeny: (response: InterruptResponse) => void;
}): ReactNode {
  const [reason, setReason] = useState('');
  const [wish, setWish] = useState<RuleWish | null>(null);
  const canBeRule = question.rulePattern !== undefined;
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    const rule = wish === null || wish.pattern === '' ? {} : { rule: wish };
    onDeny({ action: 'deny', reason: reason.trim(), ...rule });
  };
  return (
    <form className="question-actions stacked" onSubmit={submit}>
      <label className="field">
        <span className="field-label">{questionStrings.denyReason}</span>
        <input
          className="text-input"
          // biome-ignore lint/a11y/noAutofocus: the person asked for this field just now
          autoFocus
          maxLength={2000}
          value={reason}
          placeholder={questionStrings.denyPlaceholder}
          onChange={(event) => setReason(event.target.value)}
          onKeyDown={(event) => {
            if (event.key === 'Escape') onBack();
          }}
        />
      </label>
      {canBeRule && (
        <label className="choice-option">
          <input
            type="checkbox"
            checked={wish !== null}
            onChange={(event) => setWish(event.target.checked ? firstWish(question, 'deny') : null)}
          />
          {questionStrings.denyAlways}
        </label>
      )}
      {wish !== null && (
        <RuleChooser question={question} decision="deny" wish={wish} onChange={setWish} />
      )}
      <div className="row">
        <Button type="submit" variant="danger" disabled={busy}>
          {questionStrings.denyConfirm}
        </Button>
        <Button variant="ghost" onClick={onBack}>
          {questionStrings.back}
        </Button>
      </div>
    </form>
  );
}
