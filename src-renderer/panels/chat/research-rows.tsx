import { Circle, CircleAlert, CircleCheck, FileText, Library, Search } from 'lucide-react';
import { memo, type ReactNode } from 'react';
import { Button } from '../../components/button.tsx';
import { Disclosure } from '../../components/disclosure.tsx';
import { useTask } from '../../components/markdown/task-context.ts';
import { Spinner } from '../../components/spinner.tsx';
import { VisibleText } from '../../components/visible-text.tsx';
import { listOf } from '../../format.ts';
import {
  questionsOf,
  RESEARCH_PHASES,
  type ResearchProgress,
  researchEnd,
} from '../../store/research-view.ts';
import type { ReportItem, ResearchItem, SourcesItem } from '../../store/run-view.ts';
import { researchStrings as words } from '../../strings/research.ts';

/** The progress of research: its phases, questions, coverage, searches and sources. */
export const ResearchCard = memo(function ResearchCard({
  item: { progress },
  runId,
}: {
  readonly item: ResearchItem;
  readonly runId: string;
}): ReactNode {
  const task = useTask();
  const { depth, scenario, coverage, queries, found, read, summary, isOver } = progress;
  const kind = [depth && words.depths[depth], scenario && words.scenarios[scenario]];
  const chosen = listOf(kind.filter((one) => typeof one === 'string'));
  return (
    <section className="research-card" aria-label={words.title}>
      <header className="research-header">
        {isOver ? <Search aria-hidden="true" size={15} /> : <Spinner />}
        <strong>{isOver ? words.ends[researchEnd(progress)] : words.title}</strong>
        {chosen !== '' && <span className="muted">{chosen}</span>}
      </header>
      {progress.phases.size > 0 && <Phases progress={progress} />}
      {coverage !== null && <Coverage share={coverage} />}
      <SubQuestions progress={progress} />
      {summary !== '' && (
        <p className="research-known">
          <span className="section-label">{words.known}</span> <VisibleText text={summary} />
        </p>
      )}
      <div className="research-foot">
        {queries.length > 0 && (
          <Disclosure
            id={`${runId} queries`}
            className="research-queries"
            summary={<span>{words.queries(queries.length)}</span>}
          >
            {() => (
              <ul>
                {queries.map((query) => (
                  <li key={query}>
                    <VisibleText text={query} />
                  </li>
                ))}
              </ul>
            )}
          </Disclosure>
        )}
        {found > 0 && (
          <button
            type="button"
            className="link"
            onClick={() => task.show({ side: 'sources', runId })}
          >
            {words.sources(found, read)}
          </button>
        )}
      </div>
    </section>
  );
});

function Phases({
  progress: { phases, isOver },
}: {
  readonly progress: ResearchProgress;
}): ReactNode {
  return (
    <ol className="research-phases" aria-label={words.phaseList}>
      {RESEARCH_PHASES.map((phase) => {
        const reported = phases.get(phase);
        // A phase that was running when the run ended is not running any more.
        const state =
          reported === undefined || (isOver && reported === 'running') ? 'pending' : reported;
        return (
          <li key={phase} data-state={state}>
            {state === 'running' && <Spinner />}
            {state === 'completed' && <CircleCheck aria-hidden="true" size={13} />}
            {state === 'failed' && <CircleAlert aria-hidden="true" size={13} />}
            {state === 'pending' && <Circle aria-hidden="true" size={13} />}
            {words.phases[phase]}
            <span className="visually-hidden">, {words.phaseStates[state]}</span>
          </li>
        );
      })}
    </ol>
  );
}

function Coverage({ share }: { readonly share: number }): ReactNode {
  const percent = Math.round(share * 100);
  return (
    <div className="research-coverage">
      <div
        className="progress"
        role="progressbar"
        aria-label={words.coverageLabel}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={percent}
      >
        <div className="progress-done" style={{ width: `${percent}%` }} />
      </div>
      <p className="muted">{words.coverage(percent)}</p>
    </div>
  );
}

function SubQuestions({ progress }: { readonly progress: ResearchProgress }): ReactNode {
  const questions = questionsOf(progress);
  if (questions.length === 0) return null;
  return (
    <ul className="research-questions" aria-label={words.subQuestions}>
      {questions.map(({ text, isOpen }) => (
        <li key={text} data-open={isOpen}>
          <VisibleText text={text} />
          {isOpen && <span className="muted"> · {words.open}</span>}
        </li>
      ))}
    </ul>
  );
}

/** The number of sources of a task other than research. */
export const SourcesRow = memo(function SourcesRow({
  item: { count },
  runId,
}: {
  readonly item: SourcesItem;
  readonly runId: string;
}): ReactNode {
  const task = useTask();
  return (
    <div className="note">
      <Library aria-hidden="true" size={14} />
      <Button size="small" variant="ghost" onClick={() => task.show({ side: 'sources', runId })}>
        {words.sourceCount(count)}
      </Button>
    </div>
  );
});

/** A finished report. Pressing it opens the report beside the conversation. */
export const ReportCard = memo(function ReportCard({
  item: { title, reportId, citations, doubtful, contradictions, gaps },
  runId,
}: {
  readonly item: ReportItem;
  readonly runId: string;
}): ReactNode {
  const task = useTask();
  return (
    <button
      type="button"
      className="plan-card"
      onClick={() => task.show({ side: 'report', runId, reportId })}
    >
      <FileText aria-hidden="true" size={16} />
      <span className="plan-card-text">
        <span className="plan-card-title">
          <VisibleText text={title} />
        </span>
        <span className="muted plan-card-facts">
          <span data-doubtful={doubtful > 0}>{words.report.count(citations, doubtful)}</span>
          {contradictions > 0 && <> · {words.report.contradictionCount(contradictions)}</>}
          {gaps > 0 && <> · {words.report.gapCount(gaps)}</>}
        </span>
      </span>
      <span className="visually-hidden">{words.report.open}</span>
    </button>
  );
});
