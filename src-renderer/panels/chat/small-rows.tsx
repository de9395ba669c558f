import {
  CircleAlert,
  CircleCheck,
  Cog,
  FoldVertical,
  ListRestart,
  ListTodo,
  type LucideIcon,
  MessageCircleQuestionMark,
  Puzzle,
  ShieldAlert,
  Signpost,
  Split,
} from 'lucide-react';
import { memo, type ReactNode } from 'react';
import type { Message, Run } from '#contract/entities.ts';
import { LazyMarkdown } from '../../components/markdown/lazy-markdown.tsx';
import { Skeleton } from '../../components/skeleton.tsx';
import { Spinner } from '../../components/spinner.tsx';
import { useNow } from '../../components/use-now.ts';
import { VisibleText } from '../../components/visible-text.tsx';
import { formatElapsed } from '../../format.ts';
import type { Activity, NoteItem, QuestionItem } from '../../store/run-view.ts';
import { chatStrings } from '../../strings/chat.ts';
import { planStrings } from '../../strings/plan.ts';
import { toolStrings } from '../../strings/tools.ts';
import { describeAnswer } from './answers.ts';

const TOPICS: Readonly<Record<NoteItem['topic'], LucideIcon>> = {
  context: FoldVertical,
  plan: ListTodo,
  replan: ListRestart,
  strategy: Signpost,
  skill: Puzzle,
  parallel: Split,
  guardrails: ShieldAlert,
  background: Cog,
};

export const NoteRow = memo(function NoteRow({ item }: { readonly item: NoteItem }): ReactNode {
  const Icon = TOPICS[item.topic];
  return (
    <div className="note" data-state={item.state}>
      <Icon aria-hidden="true" size={14} />
      <span className="note-title">
        <NoteTitle item={item} />
      </span>
      {item.detail !== '' && (
        <span className="muted note-detail">
          <VisibleText text={item.detail} />
        </span>
      )}
      {item.state === 'running' && <Spinner />}
      {item.state === 'ok' && <CircleCheck aria-label={toolStrings.status.ok} size={14} />}
      {item.state === 'failed' && <CircleAlert aria-label={toolStrings.status.error} size={14} />}
    </div>
  );
});

/** A new plan or approach is labelled; other titles need no label. */
function NoteTitle({ item: { topic, title } }: { readonly item: NoteItem }): ReactNode {
  if (topic === 'replan' && title === '') return planStrings.edited;
  const text = <VisibleText text={title} />;
  if (topic !== 'replan' && topic !== 'strategy') return text;
  return (
    <>
      <strong>{topic === 'replan' ? planStrings.replanned : planStrings.strategy}:</strong> {text}
    </>
  );
}

export const QuestionRow = memo(function QuestionRow({
  item,
}: {
  readonly item: QuestionItem;
}): ReactNode {
  return (
    <div className="note">
      <MessageCircleQuestionMark aria-hidden="true" size={14} />
      <span className="note-title">{item.question.title}</span>
      {item.answer !== null && <span className="muted">{describeAnswer(item.answer)}</span>}
    </div>
  );
});

/** Shorter times are not shown: most things are quick. */
const WORTH_SAYING_MS = 2000;

/** What the run is doing, with the elapsed time. */
export function ActivityRow({
  activity,
  startedAt,
}: {
  readonly activity: Activity;
  readonly startedAt: number;
}): ReactNode {
  const now = useNow(true);
  const elapsed = now - (activity.since || startedAt || now);
  const what = activity.stage ?? chatStrings.activity[activity.kind];
  // Some phases include their elapsed seconds.
  const counts = /\d s$/.test(what) || elapsed < WORTH_SAYING_MS;
  if (activity.kind === 'waiting') return null;
  return (
    <div className="activity">
      <Spinner />
      <span>{counts ? what : chatStrings.activity.elapsed(what, formatElapsed(elapsed))}</span>
    </div>
  );
}

/** A turn whose log is still loading: the stored answer, or a skeleton. */
export const UnreadRow = memo(function UnreadRow({
  answer,
}: {
  readonly run: Run;
  readonly answer: Message | null;
}): ReactNode {
  if (answer === null) return <Skeleton label={chatStrings.loadingRun} lines={3} />;
  return (
    <div className="markdown answer-block" data-first="true">
      <LazyMarkdown source={answer.content} />
    </div>
  );
});
