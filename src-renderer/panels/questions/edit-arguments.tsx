import { TriangleAlert } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import type { RequestOutput } from '#contract/requests.ts';
import { Button } from '../../components/button.tsx';
import { ReviewText, VisibleText } from '../../components/visible-text.tsx';
import { useSession } from '../../session-context.ts';
import type { OpenQuestion } from '../../store/selectors.ts';
import { questionStrings } from '../../strings/questions.ts';
import { ApproveButton } from './approve-button.tsx';
import { ArgumentsEditor, type EditedFields, fieldsOf, valuesOf } from './arguments-editor.tsx';

type Reviewed = RequestOutput<'runs.review'>;

/** Edits the arguments of a call; shows the exact bytes that would run before they can be approved. */
export function EditArguments({
  question,
  busy,
  onApprove,
  onBack,
}: {
  readonly question: OpenQuestion;
  readonly busy: boolean;
  readonly onApprove: (reviewed: Reviewed) => void;
  readonly onBack: () => void;
}): ReactNode {
  const { bridge } = useSession();
  const original = parseArguments(question.argumentsText ?? '{}');
  const [fields, setFields] = useState<EditedFields>(() => fieldsOf(original));
  const [reviewed, setReviewed] = useState<Reviewed | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const values = valuesOf(fields, original);

  const review = async (): Promise<void> => {
    const { runId, interruptId } = question;
    const argumentsText = JSON.stringify(values);
    const result = await bridge.request('runs.review', { runId, interruptId, argumentsText });
    setReviewed(result.ok ? result.data : null);
    setProblem(result.ok ? null : result.error.message);
  };

  if (reviewed !== null) {
    return (
      <div className="question-actions stacked">
        <h3 className="section-label">{questionStrings.edited}</h3>
        {reviewed.reasons.map((reason) => (
          <p key={reason} className="banner" data-tone="warning">
            <TriangleAlert aria-hidden="true" size={14} />
            <VisibleText text={reason} />
          </p>
        ))}
        <pre className="exact-arguments">
          <ReviewText text={reviewed.argumentsText} />
        </pre>
        <div className="row">
          <ApproveButton disabled={busy} onApprove={() => onApprove(reviewed)}>
            {questionStrings.editApprove}
          </ApproveButton>
          <Button variant="ghost" onClick={() => setReviewed(null)}>
            {questionStrings.back}
          </Button>
        </div>
      </div>
    );
  }
  return (
    <div className="question-actions stacked">
      <p className="muted">{questionStrings.editHint}</p>
      <ArgumentsEditor fields={fields} original={original} onChange={setFields} />
      {problem !== null && (
        <p className="banner" data-tone="danger" role="alert">
          {problem}
        </p>
      )}
      <div className="row">
        <Button variant="primary" disabled={values === null} onClick={() => void review()}>
          {questionStrings.editReview}
        </Button>
        <Button variant="ghost" onClick={onBack}>
          {questionStrings.back}
        </Button>
      </div>
    </div>
  );
}

function parseArguments(text: string): Readonly<Record<string, unknown>> {
  try {
    return JSON.parse(text) as Readonly<Record<string, unknown>>;
  } catch {
    // Not JSON: there is nothing to edit.
    return {};
  }
}
