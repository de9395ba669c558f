import { type FormEvent, type ReactNode, useState } from 'react';
import type { InterruptResponse } from '#contract/events/hitl.ts';
import { Button } from '../../components/button.tsx';
import { VisibleText } from '../../components/visible-text.tsx';
import { useSession } from '../../session-context.ts';
import type { OpenQuestion } from '../../store/selectors.ts';
import { strings } from '../../strings.ts';

interface FormProps {
  readonly question: OpenQuestion;
  readonly busy: boolean;
}

/** A question with answers to choose from. */
export function OptionList({ question, busy }: FormProps): ReactNode {
  const respond = useRespond(question);
  return (
    <div className="question-actions stacked">
      <ul className="options">
        {question.options.map((option) => (
          <li key={option.value}>
            <button
              type="button"
              className="option"
              disabled={busy}
              onClick={() => respond({ action: 'select', value: option.value })}
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
      <SkipButton question={question} busy={busy} />
    </div>
  );
}

/** A question that is answered in one's own words. */
export function InputForm({ question, busy }: FormProps): ReactNode {
  const respond = useRespond(question);
  const [text, setText] = useState('');
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (text.trim() !== '') respond({ action: 'input', text });
  };
  return (
    <form className="question-actions stacked" onSubmit={submit}>
      <label className="field">
        <span className="field-label">{strings.questions.answer}</span>
        <textarea
          className="text-input growing"
          rows={2}
          maxLength={100_000}
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
      </label>
      <div className="row">
        <Button type="submit" variant="primary" disabled={busy || text.trim() === ''}>
          {strings.questions.submit}
        </Button>
        <SkipButton question={question} busy={busy} />
      </div>
    </form>
  );
}

function SkipButton({ question, busy }: FormProps): ReactNode {
  const respond = useRespond(question);
  return (
    <Button variant="ghost" disabled={busy} onClick={() => respond({ action: 'skip' })}>
      {strings.questions.skip}
    </Button>
  );
}

function useRespond(question: OpenQuestion): (response: InterruptResponse) => void {
  const { runs } = useSession();
  return (response) => void runs.respond(question.runId, question.interruptId, response);
}
