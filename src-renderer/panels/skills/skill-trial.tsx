import { CircleAlert, CornerDownRight, ExternalLink, Square } from 'lucide-react';
import { type ReactNode, useMemo } from 'react';
import type { RunStatus } from '#contract/vocabulary.ts';
import { Button } from '../../components/button.tsx';
import { TaskProvider, type TaskScope } from '../../components/markdown/task-context.ts';
import { VisibleText } from '../../components/visible-text.tsx';
import { useApp, useSession } from '../../session-context.ts';
import type { RunView, ToolItem } from '../../store/run-view.ts';
import { isFinal } from '../../store/selectors.ts';
import { editorStrings as words } from '../../strings/skill-editor.ts';
import { SkillCard } from '../chat/skill-card.tsx';
import { QuestionPanel } from '../questions/question-panel.tsx';

/**
 * The newest run that was started from the editor: its stages, questions and result, or why it failed
 * and in which line.
 */
export function SkillTrial({
  skillId,
  onGoTo,
}: {
  readonly skillId: string;
  readonly onGoTo: (line: number) => void;
}): ReactNode {
  const { threads, runs } = useSession();
  const trial = useApp((state) => state.skillTrials.get(skillId) ?? null);
  const run = useApp((state) => (trial === null ? null : (state.runs.get(trial.id) ?? null)));
  const view = useApp((state) => (trial === null ? null : (state.views.get(trial.id) ?? null)));
  const threadId = trial?.threadId ?? '';
  const scope = useMemo<TaskScope>(
    () => ({
      threadId,
      // Files open in their task.
      openFile: () => void threads.open(threadId),
      show: () => void threads.open(threadId),
      focusMessage: () => void threads.open(threadId),
      versionOf: () => view?.lastSeq ?? 0,
    }),
    [threads, threadId, view],
  );
  // The task was deleted.
  if (trial === null || run === null) return null;
  const card = view === null ? null : cardOf(view);
  const status = statusOf(run.status, view);
  const line = lineOf(card, view);
  return (
    <section className="skill-trial" aria-label={words.trial}>
      <p className="skill-check-line" role="status">
        {words.trialStates[status]}
        <span className="spacer" />
        {!isFinal(status) && (
          <Button size="small" variant="ghost" onClick={() => void runs.cancel(run.id)}>
            <Square aria-hidden="true" size={13} />
            {words.stopTrial}
          </Button>
        )}
        <Button size="small" variant="ghost" onClick={() => void threads.open(threadId)}>
          <ExternalLink aria-hidden="true" size={13} />
          {words.openTrial}
        </Button>
      </p>
      <TaskProvider value={scope}>
        {card !== null && (
          <SkillCard item={card} id={`trial ${run.id}`} runId={run.id} isAnswer={false} />
        )}
        {card === null && view?.end?.kind === 'error' && (
          <p className="banner" data-tone="danger">
            <CircleAlert aria-hidden="true" size={14} />
            <span>
              <code className="skill-code">{view.end.code}</code>{' '}
              <VisibleText text={view.end.message} />
            </span>
          </p>
        )}
        {line !== null && (
          <Button size="small" onClick={() => onGoTo(line)}>
            <CornerDownRight aria-hidden="true" size={13} />
            {words.goTo(line)}
          </Button>
        )}
        <QuestionPanel threadId={threadId} />
      </TaskProvider>
    </section>
  );
}

/** The status of the run: an end or a question in its log is known before main reports it. */
function statusOf(reported: RunStatus, view: RunView | null): RunStatus {
  if (view === null || isFinal(reported)) return reported;
  const { end, questions } = view;
  if (end === null) return questions.open.size > 0 ? 'waiting' : reported;
  if (end.kind === 'complete') return end.outcome;
  return end.code === 'CANCELLED' ? 'cancelled' : 'failed';
}

/** The card of the skill, which is the whole run. */
function cardOf({ transcript }: RunView): ToolItem | null {
  const card = transcript.items.find((item) => item.kind === 'tool' && item.skill !== null);
  return card?.kind === 'tool' ? card : null;
}

/** The source line that the failure names; null if none. */
function lineOf(card: ToolItem | null, view: RunView | null): number | null {
  const failed = card?.status === 'error' ? card.content : null;
  const message = failed ?? (view?.end?.kind === 'error' ? view.end.message : '');
  const line = /^Line (\d{1,6}): /.exec(message)?.[1];
  return line === undefined ? null : Number(line);
}
