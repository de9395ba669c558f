import { type FormEvent, type ReactNode, useState } from 'react';
import type { InterruptResponse } from '#contract/events/hitl.ts';
import { Button } from '../../components/button.tsx';
import { VisibleText } from '../../components/visible-text.tsx';
import { useSession } from '../../session-context.ts';
import type { OpenQuestion } from '../../store/selectors.ts';
import { strings } from '../../strings.ts';

type Step = 'choose' | 'always' | 'deny';

interface ActionsProps {
  readonly question: OpenQuestion;
  readonly sha256: string;
  readonly busy: boolean;
}

/** Yes, yes for good, or no. Each press says exactly one thing; the Escape key says none of them. */
export function ApprovalActions({ question, sha256, busy }: ActionsProps): ReactNode {
  const { runs } = useSession();
  const [step, setStep] = useState<Step>('choose');
  const respond = (response: InterruptResponse): void =>
    void runs.respond(question.runId, question.interruptId, response);
  const approve = (always: boolean): void =>
    respond({
      action: 'approve',
      argumentsSha256: sha256,
      always,
    });

  if (step === 'deny') {
    return (
      <DenyForm
        busy={busy}
        onBack={() => setStep('choose')}
        onDeny={(reason) => respond({ action: 'deny', reason })}
      />
    );
  }
  if (step === 'always') {
    return (
      <div className="question-actions stacked">
        <p>{strings.questions.alwaysHint}</p>
        <pre className="exact-arguments">
          <VisibleText text={`${question.toolName ?? ''} ${question.rulePattern ?? ''}`} />
        </pre>
        <div className="row">
          <Button variant="primary" disabled={busy} onClick={() => approve(true)}>
            {strings.questions.alwaysConfirm}
          </Button>
          <Button variant="ghost" onClick={() => setStep('choose')}>
            {strings.questions.back}
          </Button>
        </div>
      </div>
    );
  }
  return (
    <div className="question-actions">
      <Button variant="primary" disabled={busy} onClick={() => approve(false)}>
        {strings.questions.approve}
      </Button>
      {question.rulePattern !== undefined && (
        <Button disabled={busy} onClick={() => setStep('always')}>
          {strings.questions.always}…
        </Button>
      )}
      <span className="spacer" />
      <Button variant="danger" disabled={busy} onClick={() => setStep('deny')}>
        {strings.questions.deny}…
      </Button>
    </div>
  );
}

function DenyForm({
  busy,
  onBack,
  onDeny,
}: {
  readonly busy: boolean;
  readonly onBack: () => void;
  readonly onDeny: (reason: string) => void;
}): ReactNode {
  const [reason, setReason] = useState('');
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    onDeny(reason.trim());
  };
  return (
    <form className="question-actions stacked" onSubmit={submit}>
      <label className="field">
        <span className="field-label">{strings.questions.denyReason}</span>
        <input
          className="text-input"
          // biome-ignore lint/a11y/noAutofocus: the person asked for this field just now
          autoFocus
          maxLength={2000}
          value={reason}
          placeholder={strings.questions.denyPlaceholder}
          onChange={(event) => setReason(event.target.value)}
          onKeyDown={(event) => {
            if (event.key === 'Escape') onBack();
          }}
        />
      </label>
      <div className="row">
        <Button type="submit" variant="danger" disabled={busy}>
          {strings.questions.denyConfirm}
        </Button>
        <Button variant="ghost" onClick={onBack}>
          {strings.questions.back}
        </Button>
      </div>
    </form>
  );
}
