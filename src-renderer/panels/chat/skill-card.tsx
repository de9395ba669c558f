import { Circle, CircleAlert, CircleCheck, CircleStop, Puzzle } from 'lucide-react';
import { lazy, memo, type ReactNode, Suspense } from 'react';
import { Disclosure } from '../../components/disclosure.tsx';
import { CodeBlock } from '../../components/markdown/code-block.tsx';
import { Skeleton } from '../../components/skeleton.tsx';
import { Spinner } from '../../components/spinner.tsx';
import { VisibleText } from '../../components/visible-text.tsx';
import { formatDuration } from '../../format.ts';
import { useApp } from '../../session-context.ts';
import type { ToolItem } from '../../store/run-view.ts';
import { loadedValue } from '../../store/selectors.ts';
import {
  type SkillStage,
  type SkillWork,
  shownStages,
  stageDepth,
} from '../../store/skill-view.ts';
import { isEnded } from '../../store/transcript.ts';
import { skillCardStrings } from '../../strings/skill-cards.ts';
import { toolStrings } from '../../strings/tools.ts';
import { ImageProgressLine } from './image-progress-line.tsx';
import { ToolMark, ToolRow, ToolTime } from './tool-row.tsx';

const words = skillCardStrings.card;

const SkillResult = lazy(() =>
  import('../skills/skill-output.tsx').then((module) => ({ default: module.SkillOutput })),
);

interface CardProps {
  readonly item: ToolItem;
  readonly id: string;
  readonly runId: string;
}

/** An invoked skill: its stages, the calls that it makes, and its result. */
export const SkillCard = memo(function SkillCard({
  isAnswer,
  ...props
}: CardProps & {
  /** Its result is the answer of the run, which is shown below: here it starts closed. */
  readonly isAnswer: boolean;
}): ReactNode {
  const { item, id } = props;
  const { skill } = item;
  const summary = useApp(
    (state) => loadedValue(state.skills)?.find((one) => one.id === skill?.skillId) ?? null,
  );
  if (skill === null) return null;
  const name = summary?.name ?? skill.skillId;
  return (
    <section className="skill-card" aria-label={`${words.invoked} ${name}`}>
      <header className="skill-card-header">
        <Puzzle className="tool-icon" aria-hidden="true" size={15} />
        <span className="tool-title">
          <VisibleText text={name} />
        </span>
        <span className="skill-card-line">
          <VisibleText text={lineOf(item, summary?.description ?? '')} />
        </span>
        <ToolTime item={item} />
        <ToolMark status={item.status} />
      </header>
      <Stages work={skill} item={item} />
      {skill.calls.map((call) => (
        <ImageProgressLine key={call.key} item={call} runId={props.runId} />
      ))}
      {skill.calls.length > 0 && <Calls {...props} work={skill} />}
      {isFailed(item) && <Failure item={item} />}
      {skill.output !== null && !isAnswer && <Output work={skill} output={skill.output} />}
      {skill.output !== null && isAnswer && <FoldedOutput id={id} work={skill} />}
      <Params item={item} id={id} />
    </section>
  );
});

function Output({
  work,
  output,
}: {
  readonly work: SkillWork;
  readonly output: NonNullable<SkillWork['output']>;
}): ReactNode {
  return (
    <Suspense fallback={<Skeleton label={words.readingResult} lines={2} />}>
      <SkillResult skillId={work.skillId} output={output} />
    </Suspense>
  );
}

function FoldedOutput({ id, work }: { readonly id: string; readonly work: SkillWork }): ReactNode {
  const { output } = work;
  if (output === null) return null;
  return (
    <Disclosure id={`${id} output`} className="skill-calls" summary={<span>{words.fields}</span>}>
      {() => <Output work={work} output={output} />}
    </Disclosure>
  );
}

/** The current stage, else the purpose of the skill. */
function lineOf({ skill, status }: ToolItem, description: string): string {
  const now = skill?.stages.findLast((stage) => stage.status === 'running' && stage.name !== null);
  return status === 'running' && now !== undefined ? now.description : description;
}

function isFailed({ status }: ToolItem): boolean {
  return status === 'error' || status === 'denied' || status === 'cancelled';
}

/** Only the newest stages and calls are rendered; the log has all of them. */
const SHOWN = 100;

function Stages({ work, item }: { readonly work: SkillWork; readonly item: ToolItem }): ReactNode {
  const stages = shownStages(work);
  if (stages.length === 0) return null;
  const isOver = isEnded(item.status);
  const earlier = Math.max(0, stages.length - SHOWN);
  return (
    <>
      {earlier > 0 && <p className="muted">{words.earlierStages(earlier)}</p>}
      <ol className="skill-stages" aria-label={words.stages}>
        {stages.slice(earlier).map((stage) => (
          <Stage key={stage.key} stage={stage} depth={stageDepth(work, stage)} isOver={isOver} />
        ))}
      </ol>
    </>
  );
}

const DEEPEST_SHOWN = 3;

/** One stage. Once the call is over, no stage is running. */
function Stage({
  stage,
  depth,
  isOver,
}: {
  readonly stage: SkillStage;
  readonly depth: number;
  readonly isOver: boolean;
}): ReactNode {
  const { status, description, startedAt, endedAt } = stage;
  const state = status === 'running' && isOver ? 'stopped' : status;
  const mark = {
    running: <Spinner />,
    completed: <CircleCheck aria-hidden="true" size={13} />,
    failed: <CircleAlert aria-hidden="true" size={13} />,
    stopped: <CircleStop aria-hidden="true" size={13} />,
  }[state];
  return (
    <li data-state={state} data-depth={Math.min(depth, DEEPEST_SHOWN)}>
      {mark ?? <Circle aria-hidden="true" size={13} />}
      <span className="skill-stage-text">
        <VisibleText text={description} />
      </span>
      <span className="visually-hidden">, {words.stageStates[state]}</span>
      {endedAt !== null && endedAt > startedAt && (
        <span className="tool-time">{formatDuration(endedAt - startedAt)}</span>
      )}
    </li>
  );
}

function Calls({ id, runId, work }: CardProps & { readonly work: SkillWork }): ReactNode {
  const count = work.calls.length;
  const earlier = Math.max(0, count - SHOWN);
  return (
    <Disclosure
      id={`${id} calls`}
      className="skill-calls"
      summary={<span>{words.calls(count)}</span>}
    >
      {() => (
        <>
          {earlier > 0 && <p className="muted">{words.earlierCalls(earlier)}</p>}
          {work.calls.slice(earlier).map((call) => (
            <ToolRow key={call.key} item={call} id={`${id} ${call.key}`} runId={runId} />
          ))}
        </>
      )}
    </Disclosure>
  );
}

function Failure({ item: { content, errorCode, status } }: { readonly item: ToolItem }): ReactNode {
  const { message, code } = readFailure(content ?? '');
  const shownCode = errorCode ?? code;
  return (
    <p className="banner" data-tone="danger">
      <CircleAlert aria-hidden="true" size={14} />
      <span>
        {shownCode !== null && <code className="skill-code">{shownCode}</code>}{' '}
        <VisibleText text={message === '' ? toolStrings.status[status] : message} />
      </span>
    </p>
  );
}

/** The result of a failed call is JSON with the message and the code. */
function readFailure(content: string): { readonly message: string; readonly code: string | null } {
  try {
    const failure = JSON.parse(content) as Readonly<Record<string, unknown>> | null;
    const { error, error_code: code } = failure ?? {};
    if (typeof error !== 'string') return { message: content, code: null };
    return { message: error, code: typeof code === 'string' ? code : null };
  } catch {
    // Plain text: refused before the skill started.
    return { message: content, code: null };
  }
}

function Params({ item, id }: Pick<CardProps, 'item' | 'id'>): ReactNode {
  const { params } = item.arguments;
  if (typeof params !== 'object' || params === null || Object.keys(params).length === 0)
    return null;
  return (
    <Disclosure id={`${id} params`} className="skill-calls" summary={<span>{words.params}</span>}>
      {() => <CodeBlock code={JSON.stringify(params, null, 2)} language="json" />}
    </Disclosure>
  );
}
