import { Split } from 'lucide-react';
import type { ReactNode } from 'react';
import { WorkspaceImage } from '../../components/markdown/workspace-image.tsx';
import { VisibleText } from '../../components/visible-text.tsx';
import type { ChatRow } from '../../store/chat-rows.ts';
import type { Lane, TranscriptItem } from '../../store/run-view.ts';
import { EndRow } from './end-row.tsx';
import { ImageProgressLine } from './image-progress-line.tsx';
import { PlanCard, VerificationRow } from './plan-rows.tsx';
import { ReasoningRow } from './reasoning-row.tsx';
import { ReportCard, ResearchCard, SourcesRow } from './research-rows.tsx';
import { HandoffRow, RoutingRow } from './route-rows.tsx';
import { SkillCard } from './skill-card.tsx';
import { SkillProgressCard } from './skill-progress-card.tsx';
import { ActivityRow, NoteRow, QuestionRow, UnreadRow } from './small-rows.tsx';
import { StepsRow } from './steps-row.tsx';
import { TextRow } from './text-row.tsx';
import { ToolRow } from './tool-row.tsx';
import { UserRow } from './user-row.tsx';

/** Renders one row. Each kind compares its own item, so that a growing answer renders only its end. */
export function ChatRowView({
  row,
  onSteps,
}: {
  readonly row: ChatRow;
  /** Opens or closes the steps of a run. */
  readonly onSteps: (runId: string) => void;
}): ReactNode {
  switch (row.kind) {
    case 'user':
      return <UserRow run={row.run} message={row.message} />;
    case 'unread':
      return <UnreadRow run={row.run} answer={row.answer} />;
    case 'steps':
      return <StepsRow {...row} onToggle={onSteps} />;
    case 'activity':
      return <ActivityRow activity={row.view.activity} startedAt={row.run.createdAt} />;
    case 'item':
      return row.lane === null ? itemRow(row.item, row) : <LaneRow lane={row.lane} row={row} />;
  }
}

/** A row of a step that ran beside others, under the name of the step where it begins or goes on. */
function LaneRow({
  lane: { title, isStart },
  row,
}: {
  readonly lane: Lane;
  readonly row: Extract<ChatRow, { kind: 'item' }>;
}): ReactNode {
  return (
    <div className="lane-row">
      {isStart && (
        <p className="lane-title">
          <Split aria-hidden="true" size={13} />
          <VisibleText text={title} />
        </p>
      )}
      {itemRow(row.item, row)}
    </div>
  );
}

function itemRow(item: TranscriptItem, { run }: Extract<ChatRow, { kind: 'item' }>): ReactNode {
  const id = `${run.id} ${item.key}`;
  switch (item.kind) {
    case 'text':
      return <TextRow item={item} runId={run.id} />;
    case 'reasoning':
      return <ReasoningRow item={item} id={id} />;
    case 'tool':
      if (item.skill !== null) {
        const isAnswer = run.options.skill !== undefined;
        return <SkillCard item={item} id={id} runId={run.id} isAnswer={isAnswer} />;
      }
      return (
        <>
          <ToolRow item={item} id={id} runId={run.id} />
          <ImageProgressLine item={item} runId={run.id} />
        </>
      );
    case 'image':
      return <WorkspaceImage path={item.path} alt={item.alt} version={imageVersion(item.key)} />;
    case 'note':
      return <NoteRow item={item} />;
    case 'question':
      return <QuestionRow item={item} />;
    case 'routing':
      return <RoutingRow item={item} />;
    case 'handoff':
      return <HandoffRow item={item} />;
    case 'plan':
      return <PlanCard item={item} runId={run.id} />;
    case 'verification':
      return <VerificationRow item={item} id={id} />;
    case 'research':
      return <ResearchCard item={item} runId={run.id} />;
    case 'sources':
      return <SourcesRow item={item} runId={run.id} />;
    case 'report':
      return <ReportCard item={item} runId={run.id} />;
    case 'walk':
      return <SkillProgressCard item={item} id={id} />;
    case 'end':
      return <EndRow run={run} end={item.end} />;
  }
}

/** The seq that made the image: a later file of the same name is read again. */
function imageVersion(key: string): number {
  return Number(key.replace(/\D+/g, ''));
}
