import { ChevronRight, ListChecks } from 'lucide-react';
import { memo, type ReactNode } from 'react';
import type { Run } from '#contract/entities.ts';
import { formatDuration } from '../../format.ts';
import type { StepFold } from '../../store/fold-steps.ts';
import { chatStrings } from '../../strings/chat.ts';

/** The steps of a finished run on one line, above them while it is open. */
export const StepsRow = memo(function StepsRow({
  run,
  fold: { steps, undone, files, durationMs },
  open,
  onToggle,
}: {
  readonly run: Run;
  readonly fold: StepFold;
  readonly open: boolean;
  readonly onToggle: (runId: string) => void;
}): ReactNode {
  return (
    <button
      type="button"
      className="disclosure-trigger steps-row"
      aria-expanded={open}
      data-state={open ? 'open' : 'closed'}
      onClick={() => onToggle(run.id)}
    >
      <ListChecks aria-hidden="true" size={15} />
      {chatStrings.steps(steps, undone, files, formatDuration(durationMs))}
      <ChevronRight className="disclosure-chevron" aria-hidden="true" size={14} />
    </button>
  );
});
