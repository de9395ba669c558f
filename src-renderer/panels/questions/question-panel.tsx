import { MessageCircleQuestionMark, ShieldAlert } from 'lucide-react';
import { type ReactNode, useEffect, useId, useRef } from 'react';
import { useAnnounce } from '../../components/announcer.tsx';
import { VisibleText } from '../../components/visible-text.tsx';
import { useApp } from '../../session-context.ts';
import { shallowEqual } from '../../store/equality.ts';
import { type OpenQuestion, openQuestions } from '../../store/selectors.ts';
import { strings } from '../../strings.ts';
import { InputForm, OptionList } from './answer-forms.tsx';
import { ApprovalActions } from './approval-actions.tsx';
import { ApprovalBody } from './approval-body.tsx';
import { Countdown } from './countdown.tsx';

/** The oldest open question of the task, in place: nothing is hidden behind it. */
export function QuestionPanel({ threadId }: { readonly threadId: string }): ReactNode {
  const questions = useApp((state) => openQuestions(state, threadId), shallowEqual);
  const question = questions[0];
  if (question === undefined) return null;
  return (
    <QuestionCard
      key={question.interruptId}
      question={question}
      others={questions.length - 1}
      threadId={threadId}
    />
  );
}

function QuestionCard({
  question,
  others,
}: {
  readonly question: OpenQuestion;
  readonly others: number;
  readonly threadId: string;
}): ReactNode {
  const announce = useAnnounce();
  const card = useRef<HTMLElement>(null);
  const titleId = useId();
  const busy = useApp((state) => state.answering.has(question.interruptId));
  const { title } = question;
  useEffect(() => {
    announce(strings.questions.announce(title));
    if (mayTakeFocus()) card.current?.focus({ preventScroll: true });
  }, [announce, title]);

  const isApproval = question.kind === 'approval';
  const Icon = isApproval ? ShieldAlert : MessageCircleQuestionMark;
  return (
    <section
      ref={card}
      className="question"
      data-kind={question.kind}
      aria-labelledby={titleId}
      aria-busy={busy}
      tabIndex={-1}
    >
      <header className="question-header">
        <Icon aria-hidden="true" size={16} />
        <h2 id={titleId}>
          <VisibleText text={question.title} />
        </h2>
        {question.risk !== undefined && (
          <span className="tag" data-tone={question.risk === 'high' ? 'danger' : 'warning'}>
            {strings.tools.risk[question.risk]}
          </span>
        )}
        <span className="spacer" />
        {others > 0 && <span className="muted">{strings.questions.more(others)}</span>}
        <Countdown until={question.at + question.attentionMs} />
      </header>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
      <div className="question-body" tabIndex={0}>
        <p className="question-message">
          <VisibleText text={question.message} />
        </p>
        {isApproval && <ApprovalBody question={question} />}
      </div>
      <QuestionActions question={question} busy={busy} />
    </section>
  );
}

function QuestionActions({
  question,
  busy,
}: {
  readonly question: OpenQuestion;
  readonly busy: boolean;
}): ReactNode {
  // What carries a hash is answered with that hash: yes to these bytes and no others.
  const { argumentsSha256, kind } = question;
  if (argumentsSha256 !== undefined) {
    return <ApprovalActions question={question} sha256={argumentsSha256} busy={busy} />;
  }
  return kind === 'input' ? (
    <InputForm question={question} busy={busy} />
  ) : (
    <OptionList question={question} busy={busy} />
  );
}

/** The focus is only taken from somebody who is not using it: not out of a text or a menu. */
function mayTakeFocus(): boolean {
  const focused = document.activeElement;
  if (focused === null || focused === document.body) return true;
  return focused instanceof HTMLTextAreaElement && focused.value === '';
}
