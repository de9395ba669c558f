import { type FormEvent, type ReactNode, useState } from 'react';
import type { InterruptResponse } from '#contract/events/hitl.ts';
import { Button } from '../../components/button.tsx';
import { VisibleText } from '../../components/visible-text.tsx';
import { useSession } from '../../session-context.ts';
import type { OpenQuestion } from '../../store/selectors.ts';
import { questionStrings } from '../../strings/questions.ts';
import { DenyForm } from './approval-actions.tsx';
import { ApproveButton, DenyButton, useSettling } from './approve-button.tsx';
import { ArgumentsEditor, type EditedFields, fieldsOf, valuesOf } from './arguments-editor.tsx';

interface FormProps {
  readonly question: OpenQuestion;
  readonly busy: boolean;
}

function Options({ question, busy }: FormProps): ReactNode {
  const respond = useRespond(question);
  const { isSettling, accepts } = useSettling();
  if (question.options.length === 0) return null;
  return (
    <ul className="options">
      {question.options.map((option) => (
        <li key={option.value}>
          <button
            type="button"
            className="option"
            disabled={busy}
            aria-disabled={isSettling || undefined}
            onClick={(event) => {
              if (accepts(event)) respond({ action: 'select', value: option.value });
            }}
          >
            <strong>
              <VisibleText text={option.label} />
            </strong>
            {option.description !== undefined && (
              <span className="muted">
                <VisibleText text={option.description} />
              </span>
            )}
          </button>
        </li>
      ))}
    </ul>
  );
}

/** An answer in the user's own words. */
function WordsField({
  label,
  rows,
  value,
  onChange,
}: {
  readonly label: string;
  readonly rows: number;
  readonly value: string;
  readonly onChange: (value: string) => void;
}): ReactNode {
  return (
    <label className="field">
      <span className="field-label">{label}</span>
      <textarea
        className="text-input growing"
        rows={rows}
        maxLength={100_000}
        value={value}
        onChange={(event) => onChange(event.target.value)}
      />
    </label>
  );
}

/** A question that is answered by one of its options, if it has any, or in the user's own words. */
export function AnswerForm({ question, busy }: FormProps): ReactNode {
  const respond = useRespond(question);
  const [text, setText] = useState('');
  const hasOptions = question.options.length > 0;
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (text.trim() !== '') respond({ action: 'input', text });
  };
  return (
    <form className="question-actions stacked" onSubmit={submit}>
      <Options question={question} busy={busy} />
      <WordsField
        label={hasOptions ? questionStrings.ownWords : questionStrings.answer}
        rows={hasOptions ? 1 : 2}
        value={text}
        onChange={setText}
      />
      <div className="row">
        <Button type="submit" variant="primary" disabled={busy || text.trim() === ''}>
          {questionStrings.submit}
        </Button>
        <Button variant="ghost" disabled={busy} onClick={() => respond({ action: 'skip' })}>
          {questionStrings.skip}
        </Button>
      </div>
    </form>
  );
}

function useRespond(question: OpenQuestion): (response: InterruptResponse) => void {
  const { runs } = useSession();
  return (response) => void runs.respond(question.runId, question.interruptId, response);
}

/** Yes or no, or the two options of the question. */
export function ConfirmForm({ question, busy }: FormProps): ReactNode {
  const respond = useRespond(question);
  const [yes = questionStrings.yes, no = questionStrings.no] =
    question.options.length === 2 ? question.options.map(({ label }) => label) : [];
  const [denies, setDenies] = useState(false);
  if (denies) {
    return (
      <DenyForm question={question} busy={busy} onBack={() => setDenies(false)} onDeny={respond} />
    );
  }
  return (
    <div className="question-actions">
      <ApproveButton
        disabled={busy}
        byShortcut={true}
        onApprove={() => respond({ action: 'confirm' })}
      >
        <VisibleText text={yes} />
      </ApproveButton>
      <DenyButton disabled={busy} byShortcut={true} onClick={() => setDenies(true)}>
        <VisibleText text={no} />…
      </DenyButton>
    </div>
  );
}

/** A checkpoint of the agent: approve it, change its parameters, choose one of its options, or stop. */
export function CheckpointForm({ question, busy }: FormProps): ReactNode {
  const respond = useRespond(question);
  const original = question.parameters ?? {};
  const [fields, setFields] = useState<EditedFields>(() => fieldsOf(original));
  const [denies, setDenies] = useState(false);
  const [words, setWords] = useState('');
  const values = valuesOf(fields, original);
  const overrides = Object.fromEntries(
    Object.entries(values ?? {}).filter(
      ([name, value]) => JSON.stringify(value) !== JSON.stringify(original[name]),
    ),
  );
  const isChanged = Object.keys(overrides).length > 0;
  if (denies) {
    return (
      <DenyForm question={question} busy={busy} onBack={() => setDenies(false)} onDeny={respond} />
    );
  }
  return (
    <div className="question-actions stacked">
      {fields.size > 0 && (
        <>
          <h3 className="section-label">{questionStrings.parameters}</h3>
          <ArgumentsEditor fields={fields} original={original} onChange={setFields} />
        </>
      )}
      <Options question={question} busy={busy} />
      <WordsField label={questionStrings.inWords} rows={1} value={words} onChange={setWords} />
      <div className="row">
        {words.trim() === '' ? (
          <ApproveButton
            disabled={busy || values === null}
            byShortcut={true}
            onApprove={() =>
              respond(isChanged ? { action: 'modify', overrides } : { action: 'confirm' })
            }
          >
            {isChanged ? questionStrings.agreeChanged : questionStrings.agree}
          </ApproveButton>
        ) : (
          <ApproveButton
            disabled={busy || values === null}
            onApprove={() => respond({ action: 'input', text: inWords(words, overrides) })}
          >
            {questionStrings.agreeInWords}
          </ApproveButton>
        )}
        <span className="spacer" />
        <DenyButton
          variant="danger"
          disabled={busy}
          byShortcut={true}
          onClick={() => setDenies(true)}
        >
          {questionStrings.stopHere}…
        </DenyButton>
      </div>
    </div>
  );
}

/** What the user wrote, then the parameters that they changed, as main reads them. */
function inWords(words: string, overrides: Readonly<Record<string, unknown>>): string {
  const changed = Object.entries(overrides).map(
    ([name, value]) => `${name} = ${JSON.stringify(value)}`,
  );
  return [words.trim(), ...changed].join('\n');
}
