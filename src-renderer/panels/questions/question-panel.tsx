import { Clock, ListTodo, MessageCircleQuestionMark, ShieldAlert } from 'lucide-react';
import { type ReactNode, useEffect, useId, useRef } from 'react';
import { useAnnounce } from '../../components/announcer.tsx';
import { useTask } from '../../components/markdown/task-context.ts';
import { Tip } from '../../components/tip.tsx';
import { useNow } from '../../components/use-now.ts';
import { VisibleText } from '../../components/visible-text.tsx';
import { formatCountdown } from '../../format.ts';
import { useApp } from '../../session-context.ts';
import { idsOf, shownTogether } from '../../store/answer-in-words.ts';
import { shallowEqual } from '../../store/equality.ts';
import { type OpenQuestion, openQuestions } from '../../store/selectors.ts';
import { planStrings } from '../../strings/plan.ts';
import { questionStrings } from '../../strings/questions.ts';
import { toolStrings } from '../../strings/tools.ts';
import { AnswerForm, CheckpointForm, ConfirmForm } from './answer-forms.tsx';
import { ApprovalActions, BatchActions } from './approval-actions.tsx';
import { ApprovalBody } from './approval-body.tsx';
import { ShownQuestions } from './approve-button.tsx';
import { BrowserLink } from './browser-link.tsx';

/** The oldest open question of the task, in place: nothing is hidden behind it. */
export function QuestionPanel({ threadId }: { readonly threadId: string }): ReactNode {
  const questions = useApp((state) => openQuestions(state, threadId), shallowEqual);
  const batch = shownTogether(questions);
  const [first] = batch;
  if (first === undefined) return null;
  return (
    <ShownQuestions value={idsOf(batch)}>
      <QuestionCard
        // What is typed about a member of a batch stays while another one is answered.
        key={batch.length === 1 ? first.interruptId : first.batchId}
        questions={batch}
        others={questions.length - batch.length}
      />
    </ShownQuestions>
  );
}

/** Moves the focus to the question on the screen; false where there is none, or it has the focus already. */
export function focusQuestion(): boolean {
  const card = document.querySelector<HTMLElement>('section.question');
  if (card === null || card.contains(document.activeElement)) return false;
  card.focus();
  return true;
}

/** One question, or the approvals of one answer with a decision for each. */
function QuestionCard({
  questions,
  others,
}: {
  readonly questions: readonly OpenQuestion[];
  readonly others: number;
}): ReactNode {
  const announce = useAnnounce();
  const card = useRef<HTMLElement>(null);
  const titleId = useId();
  const [first] = questions;
  const title =
    questions.length > 1 ? questionStrings.batch(questions.length) : (first?.title ?? '');
  const busy = useApp((state) => questions.some((one) => state.answering.has(one.interruptId)));
  useEffect(() => {
    announce(questionStrings.announce(title));
    if (mayTakeFocus()) card.current?.focus({ preventScroll: true });
  }, [announce, title]);
  if (first === undefined) return null;

  const isApproval = first.kind === 'approval';
  const Icon = isApproval ? ShieldAlert : MessageCircleQuestionMark;
  return (
    <section
      ref={card}
      className="question"
      data-kind={first.kind}
      aria-labelledby={titleId}
      aria-busy={busy}
      tabIndex={-1}
    >
      <header className="question-header">
        <Icon aria-hidden="true" size={16} />
        <h2 id={titleId}>
          <VisibleText text={title} />
        </h2>
        {questions.length === 1 && <RiskTag question={first} />}
        <span className="spacer" />
        {others > 0 && <span className="muted">{questionStrings.more(others)}</span>}
        <Countdown until={first.at + first.attentionMs} />
      </header>
      {questions.length > 1 ? (
        <>
          <Batch questions={questions} />
          <BatchActions key={idsOf(questions)} questions={questions} busy={busy} />
        </>
      ) : (
        <>
          <QuestionBody question={first} />
          <QuestionActions key={first.interruptId} question={first} busy={busy} />
        </>
      )}
    </section>
  );
}

function RiskTag({ question }: { readonly question: OpenQuestion }): ReactNode {
  const { risk } = question;
  if (risk === undefined) return null;
  return (
    <span className="tag" data-tone={risk === 'high' ? 'danger' : 'warning'}>
      {toolStrings.risk[risk]}
    </span>
  );
}

function Batch({ questions }: { readonly questions: readonly OpenQuestion[] }): ReactNode {
  const answering = useApp((state) => state.answering);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <div className="question-batch" tabIndex={0}>
      <p className="question-message muted">{questionStrings.batchHint}</p>
      {questions.map((question) => (
        <article key={question.interruptId} className="batch-member" aria-label={question.title}>
          <header className="batch-header">
            <h3>
              <VisibleText text={question.title} />
            </h3>
            <RiskTag question={question} />
          </header>
          <div className="question-body">
            <ApprovalBody question={question} />
          </div>
          <QuestionActions
            question={question}
            busy={answering.has(question.interruptId)}
            isMember={true}
          />
        </article>
      ))}
    </div>
  );
}

function QuestionBody({ question }: { readonly question: OpenQuestion }): ReactNode {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <div className="question-body" tabIndex={0}>
      <p className="question-message">
        <VisibleText text={question.message} />
      </p>
      {question.argumentsText !== undefined && <ApprovalBody question={question} />}
      <PlanLink question={question} />
      <BrowserLink question={question} />
    </div>
  );
}

/** The only confirmation without a tool call is the approval of a plan. */
function PlanLink({
  question: { runId, kind, toolCallId },
}: {
  readonly question: OpenQuestion;
}): ReactNode {
  const task = useTask();
  const hasPlan = useApp((state) => state.views.get(runId)?.plan != null);
  if (kind !== 'confirm' || toolCallId !== undefined || !hasPlan) return null;
  return (
    <button
      type="button"
      className="link question-link"
      onClick={() => task.show({ side: 'plan', runId })}
    >
      <ListTodo aria-hidden="true" size={14} />
      {planStrings.question}
    </button>
  );
}

function QuestionActions({
  question,
  busy,
  isMember = false,
}: {
  readonly question: OpenQuestion;
  readonly busy: boolean;
  /** One of several on the card, which the keys for questions decide on together. */
  readonly isMember?: boolean;
}): ReactNode {
  switch (question.kind) {
    case 'approval':
      // The answer carries the hash of the shown bytes, so that it approves no others.
      return (
        <ApprovalActions
          question={question}
          sha256={question.argumentsSha256 ?? ''}
          busy={busy}
          byShortcut={!isMember}
        />
      );
    case 'confirm':
      return <ConfirmForm question={question} busy={busy} />;
    case 'checkpoint':
      return <CheckpointForm question={question} busy={busy} />;
    case 'decision':
    case 'input':
      return <AnswerForm question={question} busy={busy} />;
  }
}

/** The focus is only taken when it is not in use: not from a text or a menu. */
function mayTakeFocus(): boolean {
  const focused = document.activeElement;
  if (focused === null || focused === document.body) return true;
  return focused instanceof HTMLTextAreaElement && focused.value === '';
}

/** The time left to answer. By the settings the run then pauses, or the question is denied. */
function Countdown({ until }: { readonly until: number }): ReactNode {
  const now = useNow(true);
  const onTimeout = useApp((state) => state.settings?.attentionTimeout ?? 'park');
  const left = until - now;
  if (left <= 0) return <span className="tag">{questionStrings.parked}</span>;
  return (
    <Tip text={questionStrings.countdownHints[onTimeout]} side="top">
      <span className="countdown" role="timer" aria-live="off">
        <Clock aria-hidden="true" size={13} />
        {questionStrings.countdown[onTimeout](formatCountdown(left))}
      </span>
    </Tip>
  );
}
