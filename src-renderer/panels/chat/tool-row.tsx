import { Ban, Check, CircleAlert, Hand, ShieldCheck } from 'lucide-react';
import { memo, type ReactNode } from 'react';
import { Disclosure } from '../../components/disclosure.tsx';
import { Spinner } from '../../components/spinner.tsx';
import { useNow } from '../../components/use-now.ts';
import { formatDuration, formatElapsed } from '../../format.ts';
import type { ToolItem, ToolStatus } from '../../store/run-view.ts';
import { toolStrings } from '../../strings/tools.ts';
import { ToolDetails } from './tool-details.tsx';
import { labelOf } from './tool-labels.ts';

/** A tool call on one line, which opens to all its details. */
export const ToolRow = memo(function ToolRow({
  item,
  id,
  runId,
}: {
  readonly item: ToolItem;
  readonly id: string;
  readonly runId: string;
}): ReactNode {
  const { icon: Icon, title, subject } = labelOf(item);
  return (
    <Disclosure
      id={id}
      className="tool-card"
      summary={
        <>
          <Icon className="tool-icon" aria-hidden="true" size={15} />
          <span className="tool-title">{title}</span>
          <span className="tool-subject">{subject}</span>
          {item.sandboxLevel !== null && (
            <span className="tool-sandbox" title={toolStrings.ranIn(item.sandboxLevel)}>
              <ShieldCheck aria-hidden="true" size={13} />
              <span>{toolStrings.sandbox[item.sandboxLevel]}</span>
            </span>
          )}
          <ToolTime item={item} />
          <ToolMark status={item.status} />
        </>
      }
    >
      {() => <ToolDetails item={item} runId={runId} />}
    </Disclosure>
  );
});

/** The duration of a call, or the elapsed time. */
export function ToolTime({ item }: { readonly item: ToolItem }): ReactNode {
  const runs = item.status === 'running';
  const now = useNow(runs);
  if (item.durationMs !== null && item.durationMs > 0) {
    return <span className="tool-time">{formatDuration(item.durationMs)}</span>;
  }
  const elapsed = now - item.startedAt;
  if (!runs || elapsed < 1000) return null;
  return <span className="tool-time">{formatElapsed(elapsed)}</span>;
}

/** The status of a call, as an icon and in words. */
export function ToolMark({ status }: { readonly status: ToolStatus }): ReactNode {
  const label = toolStrings.status[status];
  const mark = {
    running: <Spinner />,
    waiting: <Hand aria-hidden="true" size={14} />,
    approved: <Check aria-hidden="true" size={14} />,
    ok: <Check aria-hidden="true" size={14} />,
    error: <CircleAlert aria-hidden="true" size={14} />,
    denied: <Ban aria-hidden="true" size={14} />,
    cancelled: <Ban aria-hidden="true" size={14} />,
  }[status];
  const quiet = status === 'ok' || status === 'running';
  return (
    <span className="tool-mark" data-status={status}>
      {mark}
      <span className={quiet ? 'visually-hidden' : undefined}>{label}</span>
    </span>
  );
}
