import { Ban, CircleAlert, CircleCheck, CircleQuestionMark } from 'lucide-react';
import { type ReactNode, useMemo } from 'react';
import type { SkillExecution } from '#contract/skills.ts';
import { Button } from '../../components/button.tsx';
import { Disclosure } from '../../components/disclosure.tsx';
import { CodeBlock } from '../../components/markdown/code-block.tsx';
import { TaskProvider, type TaskScope } from '../../components/markdown/task-context.ts';
import { Skeleton } from '../../components/skeleton.tsx';
import { Spinner } from '../../components/spinner.tsx';
import { VisibleText } from '../../components/visible-text.tsx';
import { formatDuration, formatMoment } from '../../format.ts';
import { useApp, useSession } from '../../session-context.ts';
import { threadById } from '../../store/selectors.ts';
import type { JsonSchema } from '../../store/skill-result.ts';
import { skillStrings } from '../../strings/skills.ts';
import { SkillResult } from './skill-result.tsx';
import { useSkillRequest } from './use-skill-request.ts';

const words = skillStrings.detail;
const SHOWN = 20;

/** The recent runs of a skill, with input and output. Nothing for a Markdown skill, which is not executed. */
export function SkillExecutions({
  skillId,
  schema,
}: {
  readonly skillId: string;
  /** Null for a Markdown skill, which is not executed by itself. */
  readonly schema: JsonSchema | null;
}): ReactNode {
  if (schema === null) return null;
  return <Executions skillId={skillId} schema={schema} />;
}

function Executions({
  skillId,
  schema,
}: {
  readonly skillId: string;
  readonly schema: JsonSchema;
}): ReactNode {
  const { state } = useSkillRequest('skills.executions', { skillId, limit: SHOWN });
  return (
    <section className="skill-section">
      <h2>{words.executions}</h2>
      {state.phase === 'failed' && <p role="alert">{words.executionsFailed}</p>}
      {(state.phase === 'loading' || state.phase === 'idle') && (
        <Skeleton label={words.executions} lines={3} />
      )}
      {state.phase === 'ready' &&
        (state.value.executions.length === 0 ? (
          <p className="muted">{words.noExecutions}</p>
        ) : (
          <ul className="skill-executions">
            {state.value.executions.map((execution) => (
              <li key={execution.id}>
                <Execution execution={execution} schema={schema} />
              </li>
            ))}
          </ul>
        ))}
    </section>
  );
}

const MARKS = {
  running: <Spinner />,
  waiting: <CircleQuestionMark aria-hidden="true" size={14} />,
  completed: <CircleCheck aria-hidden="true" size={14} />,
  failed: <CircleAlert aria-hidden="true" size={14} />,
  cancelled: <Ban aria-hidden="true" size={14} />,
} as const;

function Execution({
  execution,
  schema,
}: {
  readonly execution: SkillExecution;
  readonly schema: JsonSchema;
}): ReactNode {
  const { id, threadId, startedAt, endedAt, error, parentId } = execution;
  const isAsked = useApp((state) => threadById(state, threadId)?.status === 'waiting');
  const status = execution.status === 'running' && isAsked ? 'waiting' : execution.status;
  return (
    <Disclosure
      id={`execution ${id}`}
      className="tool-card"
      summary={
        <>
          <span className="skill-execution-status" data-status={status}>
            {MARKS[status]}
            {skillStrings.executions[status]}
          </span>
          <span className="skill-execution-line muted">
            {error === null ? (
              parentId !== null && words.within
            ) : (
              <VisibleText text={error.message} />
            )}
          </span>
          {endedAt !== null && (
            <span className="tool-time">{formatDuration(endedAt - startedAt)}</span>
          )}
          <span className="tool-time">{formatMoment(startedAt, Date.now())}</span>
        </>
      }
    >
      {() => <ExecutionBody execution={execution} schema={schema} />}
    </Disclosure>
  );
}

function ExecutionBody({
  execution: { threadId, input, output, error, events },
  schema,
}: {
  readonly execution: SkillExecution;
  readonly schema: JsonSchema;
}): ReactNode {
  const { threads } = useSession();
  // Files of a result belong to its task and open there.
  const scope = useMemo<TaskScope>(
    () => ({
      threadId,
      openFile: () => void threads.open(threadId),
      show: () => void threads.open(threadId),
      focusMessage: () => void threads.open(threadId),
      versionOf: () => 0,
    }),
    [threads, threadId],
  );
  const finished = events.filter(({ status }) => status !== 'running');
  return (
    <div className="tool-details">
      {error !== null && (
        <p className="banner" data-tone="danger">
          <CircleAlert aria-hidden="true" size={14} />
          <span>
            <code className="skill-code">{error.code}</code> <VisibleText text={error.message} />
          </span>
        </p>
      )}
      {output !== null && (
        <section className="tool-section">
          <h3 className="section-label">{words.result}</h3>
          <TaskProvider value={scope}>
            <SkillResult output={output} schema={schema} />
          </TaskProvider>
        </section>
      )}
      <section className="tool-section">
        <h3 className="section-label">{words.input}</h3>
        <CodeBlock code={JSON.stringify(input, null, 2)} language="json" />
      </section>
      {finished.length > 0 && (
        <section className="tool-section">
          <h3 className="section-label">{words.stages}</h3>
          <ol className="execution-stages">
            {finished.map(({ at, name, status, description }) => (
              <li key={`${at} ${name}`} data-state={status}>
                <VisibleText text={description} />
              </li>
            ))}
          </ol>
        </section>
      )}
      <Button size="small" variant="ghost" onClick={() => void threads.open(threadId)}>
        {words.openTask}
      </Button>
    </div>
  );
}
