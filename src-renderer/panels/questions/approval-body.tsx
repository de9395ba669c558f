import { TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { reviewSegments } from '#contract/deceptive-text.ts';
import { DiffLines } from '../../components/diff-lines.tsx';
import { ReviewCode } from '../../components/review-code.tsx';
import { countHidden, ReviewText, VisibleText } from '../../components/visible-text.tsx';
import type { OpenQuestion } from '../../store/selectors.ts';
import { questionStrings } from '../../strings/questions.ts';
import { codeOf } from '../chat/tool-labels.ts';

/** Why approval is needed, and the exact bytes that run once approved. Nothing is clipped. */
export function ApprovalBody({ question }: { readonly question: OpenQuestion }): ReactNode {
  const { argumentsText, reasons, why } = question;
  const code = argumentsText === undefined ? null : codeOf(parseArguments(argumentsText));
  const hidden = argumentsText === undefined ? 0 : countHidden(decodeEscapes(argumentsText));
  const marks = reviewSegments(code?.code ?? argumentsText ?? '').map(({ kind }) => kind);
  const count = (kind: (typeof marks)[number]): number =>
    marks.filter((one) => one === kind).length;
  const warnings = [
    ...(hidden > 0 ? [questionStrings.hidden(hidden)] : []),
    ...(count('look_alike') > 0 ? [questionStrings.lookAlikes(count('look_alike'))] : []),
    ...(count('gap') > 0 ? [questionStrings.gaps] : []),
  ];
  return (
    <>
      {why !== undefined && (
        <p className="question-why">
          <strong>{questionStrings.whyLine}</strong> <VisibleText text={why} />
        </p>
      )}
      {reasons.length > 0 && (
        <section>
          <h3 className="section-label">
            {why === undefined ? questionStrings.why : questionStrings.lookAt}
          </h3>
          <ul className="reasons">
            {reasons.map((reason) => (
              <li key={reason}>
                <TriangleAlert aria-hidden="true" size={14} />
                <VisibleText text={reason} />
              </li>
            ))}
          </ul>
        </section>
      )}
      {code !== null && (
        <section>
          <h3 className="section-label">
            {questionStrings.exactly}
            {code.language !== '' && <span className="tag">{code.language}</span>}
          </h3>
          <pre className="exact-code">
            <ReviewCode code={code.code} language={code.language} />
          </pre>
        </section>
      )}
      {question.change !== undefined && <FileChange change={question.change} />}
      {warnings.map((warning) => (
        <p key={warning} className="banner" data-tone="warning">
          <TriangleAlert aria-hidden="true" size={14} />
          {warning}
        </p>
      ))}
      {argumentsText !== undefined && (
        <section>
          <h3 className="section-label">
            {code === null ? questionStrings.exactly : questionStrings.allArguments}
          </h3>
          <pre className="exact-arguments">
            <ReviewText text={argumentsText} />
          </pre>
        </section>
      )}
    </>
  );
}

function parseArguments(text: string): Readonly<Record<string, unknown>> {
  try {
    return JSON.parse(text) as Readonly<Record<string, unknown>>;
  } catch {
    // Not JSON: the text itself is shown.
    return {};
  }
}

/** JSON may escape a hidden character; in the code it is hidden all the same. */
function decodeEscapes(text: string): string {
  return text.replace(/\\u([0-9a-f]{4})/gi, (_, code: string) =>
    String.fromCharCode(Number.parseInt(code, 16)),
  );
}

/** The diff that a call makes to a file. Nothing is clipped: this is what the user approves. */
function FileChange({
  change,
}: {
  readonly change: NonNullable<OpenQuestion['change']>;
}): ReactNode {
  const { path, before, after, note } = change;
  return (
    <section>
      <h3 className="section-label">
        <VisibleText text={questionStrings.change(path)} />
      </h3>
      {note === '' ? (
        <DiffLines before={before ?? ''} after={after ?? ''} />
      ) : (
        <p className="muted">
          <VisibleText text={note} />
        </p>
      )}
    </section>
  );
}
