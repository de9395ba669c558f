import { type FormEvent, type ReactNode, useState } from 'react';
import type { InterruptResponse } from '#contract/events/hitl.ts';
import { Button } from '../../components/button.tsx';
import { useSession } from '../../session-context.ts';
import type { OpenQuestion } from '../../store/selectors.ts';
import { questionStrings } from '../../strings/questions.ts';
import { ApproveButton, DenyButton } from './approve-button.tsx';
import { EditArguments } from './edit-arguments.tsx';
import { patternsOf, type RuleChoice, RuleChooser } from './rule-chooser.tsx';

type Step = 'choose' | 'always' | 'edit' | 'deny';

interface ActionsProps {
  readonly question: OpenQuestion;
  readonly sha256: string;
  readonly busy: boolean;
  /** Whether the keys for questions mean this one: not where it is one of several. */
  readonly byShortcut: boolean;
}

/** Approve once, always approve, edit or deny. Each button does exactly one thing; Escape does none. */
export function ApprovalActions({ question, sha256, busy, byShortcut }: ActionsProps): ReactNode {
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
          <ApproveButton disabled={busy} byShortcut={byShortcut} onApprove={() => respond(approve)}>
            {questionStrings.approve}
          </ApproveButton>
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
          <DenyButton
            variant="danger"
            disabled={busy}
            byShortcut={byShortcut}
            onClick={() => setStep('deny')}
          >
            {questionStrings.deny}…
          </DenyButton>
        </div>
      );
  }
}

/** The first suggestion: an approval covers this exact call in this task, a denial covers all tasks. */
function initialRule(question: OpenQuestion, decision: 'approve' | 'deny'): RuleChoice {
  const first = patternsOf(question)[0] ?? { match: 'arguments' as const, pattern: '' };
  return { ...first, thisTaskOnly: decision === 'approve' };
}

/** One decision for all calls of an answer; each keeps the hash of its own bytes. */
export function BatchActions({
  questions,
  busy,
}: {
  readonly questions: readonly OpenQuestion[];
  readonly busy: boolean;
}): ReactNode {
  const { runs } = useSession();
  const [denies, setDenies] = useState(false);
  const [first] = questions;
  if (first === undefined) return null;
  const respondAll = (toResponse: (question: OpenQuestion) => InterruptResponse): void => {
    for (const question of questions) {
      void runs.respond(question.runId, question.interruptId, toResponse(question));
    }
  };
  if (denies) {
    const { rulePattern: _rule, ...withoutRule } = first;
    return (
      <DenyForm
        question={withoutRule}
        busy={busy}
        onBack={() => setDenies(false)}
        onDeny={(response) => respondAll(() => response)}
      />
    );
  }
  return (
    <div className="question-actions">
      <ApproveButton
        disabled={busy}
        byShortcut={true}
        onApprove={() =>
          respondAll(({ argumentsSha256 = '' }) => ({
            ...{ action: 'approve', argumentsSha256, always: false },
          }))
        }
      >
        {questionStrings.approveAll(questions.length)}
      </ApproveButton>
      <span className="spacer" />
      <DenyButton
        variant="danger"
        disabled={busy}
        byShortcut={true}
        onClick={() => setDenies(true)}
      >
        {questionStrings.denyAll(questions.length)}…
      </DenyButton>
    </div>
  );
}

function AlwaysForm({
  question,
  busy,
  onApprove,
  onBack,
}: {
  readonly question: OpenQuestion;
  readonly busy: boolean;
  readonly onApprove: (rule: RuleChoice) => void;
  readonly onBack: () => void;
}): ReactNode {
  const [choice, setChoice] = useState<RuleChoice>(() => initialRule(question, 'approve'));
  return (
    <div className="question-actions stacked">
      <p>{questionStrings.alwaysHint}</p>
      <RuleChooser question={question} decision="approve" choice={choice} onChange={setChoice} />
      <div className="row">
        <ApproveButton disabled={busy || choice.pattern === ''} onApprove={() => onApprove(choice)}>
          {questionStrings.alwaysConfirm}
        </ApproveButton>
        <Button variant="ghost" onClick={onBack}>
          {questionStrings.back}
        </Button>
      </div>
    </div>
  );
}

/** A denial with its reason, optionally as a rule. */
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
  const [choice, setChoice] = useState<RuleChoice | null>(null);
  const canBeRule = question.rulePattern !== undefined;
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    const rule = choice === null || choice.pattern === '' ? {} : { rule: choice };
    onDeny({ action: 'deny', reason: reason.trim(), ...rule });
  };
  return (
    <form className="question-actions stacked" onSubmit={submit}>
      <label className="field">
        <span className="field-label">{questionStrings.denyReason}</span>
        <input
          className="text-input"
          // biome-ignore lint/a11y/noAutofocus: the user asked for this field just now
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
            checked={choice !== null}
            onChange={(event) =>
              setChoice(event.target.checked ? initialRule(question, 'deny') : null)
            }
          />
          {questionStrings.denyAlways}
        </label>
      )}
      {choice !== null && (
        <RuleChooser question={question} decision="deny" choice={choice} onChange={setChoice} />
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
