import {
  ArrowRight,
  CircleQuestionMark,
  FileText,
  ListTodo,
  type LucideIcon,
  Search,
  Zap,
} from 'lucide-react';
import { memo, type ReactNode } from 'react';
import type { Route } from '#contract/vocabulary.ts';
import { useTask } from '../../components/markdown/task-context.ts';
import { VisibleText } from '../../components/visible-text.tsx';
import type { HandoffItem, RoutingItem } from '../../store/run-view.ts';
import { planStrings as words } from '../../strings/plan.ts';

const ROUTES: Readonly<Record<Route, LucideIcon>> = {
  simple: Zap,
  complex: ListTodo,
  research: Search,
  uncertain: CircleQuestionMark,
};

/** How the task was routed, and why: a quiet line where the executor starts, else a card. */
export const RoutingRow = memo(function RoutingRow({
  item: { route, agent, reason },
}: {
  readonly item: RoutingItem;
}): ReactNode {
  const Icon = ROUTES[route];
  if (route === 'simple' || route === 'uncertain') {
    return (
      <p className="note route-quiet muted">
        <Icon aria-hidden="true" size={14} />
        <span>
          {words.routes[route]}: <VisibleText text={reason} />
        </span>
      </p>
    );
  }
  return (
    <div className="route-card">
      <Icon aria-hidden="true" size={15} />
      <div>
        <p>
          <strong>{words.routes[route]}</strong>{' '}
          <span className="muted">· {words.agents[agent]}</span>
        </p>
        <p className="muted">
          <VisibleText text={reason} />
        </p>
      </div>
    </div>
  );
});

/** One agent handed the task to another, with its files. */
export const HandoffRow = memo(function HandoffRow({
  item: { from, to, task: what, artifacts },
}: {
  readonly item: HandoffItem;
}): ReactNode {
  const task = useTask();
  return (
    <div className="route-card" data-kind="handoff">
      <ArrowRight aria-hidden="true" size={15} />
      <div>
        <p>
          <strong>{words.handoff(words.agents[from], words.agents[to])}</strong>
        </p>
        <p className="handoff-task">
          <VisibleText text={what} />
        </p>
        {artifacts.length > 0 && (
          <ul className="handoff-files" aria-label={words.handoffFiles}>
            {artifacts.map((path) => (
              <li key={path}>
                <button type="button" className="attachment" onClick={() => task.openFile(path)}>
                  <FileText aria-hidden="true" size={13} />
                  <span className="attachment-name">
                    <VisibleText text={path} />
                  </span>
                </button>
              </li>
            ))}
          </ul>
        )}
      </div>
    </div>
  );
});
