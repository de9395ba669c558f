import { Popover } from 'radix-ui';
import type { ReactNode } from 'react';
import type { RunEventOf } from '#contract/events/run-event.ts';
import type { RunCosts } from '#contract/run-costs.ts';
import { ModelUseList, useModelUse } from '../../components/model-use.tsx';
import { formatCount } from '../../format.ts';
import { useApp } from '../../session-context.ts';
import { contextParts, promptSize } from '../../store/context-parts.ts';
import { newestRun } from '../../store/selectors.ts';
import { composerStrings } from '../../strings/composer.ts';
import { modelUseStrings } from '../../strings/model-use.ts';

const RADIUS = 7;
const LENGTH = 2 * Math.PI * RADIUS;

/** How full the model's context window was at the last request, by part. */
export function ContextMeter({ threadId }: { readonly threadId: string | null }): ReactNode {
  const totals = useApp((state) => {
    const run = newestRun(state, threadId);
    return run === null ? null : (state.views.get(run.id)?.usage ?? null);
  });
  const usage = totals?.last ?? null;
  if (totals === null || usage === null) return null;
  const { contextWindow, parts } = usage;
  const promptTokens = usage.promptTokens ?? (parts === undefined ? 0 : promptSize(parts));
  if (promptTokens === 0) return null;
  const share = contextWindow === undefined ? null : Math.min(1, promptTokens / contextWindow);
  const label =
    share === null
      ? composerStrings.context.unknown
      : composerStrings.context.label(Math.round(share * 100));
  return (
    <Popover.Root>
      <Popover.Trigger asChild>
        <button type="button" className="context-meter" aria-label={label} title={label}>
          <Ring share={share ?? 0} />
        </button>
      </Popover.Trigger>
      <Popover.Portal>
        <Popover.Content
          className="popover"
          side="top"
          sideOffset={8}
          collisionPadding={12}
          aria-label={composerStrings.context.title}
        >
          <ContextDetails usage={usage} costs={totals.costs} used={promptTokens} />
          {threadId !== null && <TaskUse threadId={threadId} />}
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  );
}

function Ring({ share }: { readonly share: number }): ReactNode {
  const tone = share > 0.9 ? 'danger' : share > 0.75 ? 'warning' : 'normal';
  return (
    <svg viewBox="0 0 18 18" width="18" height="18" aria-hidden="true" data-tone={tone}>
      <circle className="ring-track" cx="9" cy="9" r={RADIUS} />
      <circle
        className="ring-value"
        cx="9"
        cy="9"
        r={RADIUS}
        strokeDasharray={`${share * LENGTH} ${LENGTH}`}
        transform="rotate(-90 9 9)"
      />
    </svg>
  );
}

function TaskUse({ threadId }: { readonly threadId: string }): ReactNode {
  const use = useModelUse(threadId);
  if (use === null) return null;
  return (
    <section className="context-details">
      <h2>{modelUseStrings.ofTask}</h2>
      <ModelUseList models={use.all} />
    </section>
  );
}

function ContextDetails({
  usage,
  costs,
  used,
}: {
  readonly usage: RunEventOf<'usage'>;
  readonly costs: RunCosts;
  readonly used: number;
}): ReactNode {
  const { contextWindow, parts } = usage;
  const rows = parts === undefined ? [] : contextParts(parts, used, contextWindow ?? null);
  const all = Math.max(1, contextWindow ?? used, used);
  return (
    <div className="context-details">
      <h2>{composerStrings.context.title}</h2>
      <p>
        {contextWindow === undefined
          ? composerStrings.context.usedOnly(used)
          : composerStrings.context.used(used, contextWindow)}
      </p>
      {rows.length > 0 && (
        <>
          <div className="context-bar" aria-hidden="true">
            {rows.map(({ part, tokens }) => (
              <span key={part} data-part={part} style={{ width: `${(tokens / all) * 100}%` }} />
            ))}
          </div>
          <dl>
            {rows.map(({ part, tokens }) => (
              <div key={part}>
                <dt>
                  <span className="context-swatch" data-part={part} aria-hidden="true" />
                  {composerStrings.context.parts[part]}
                </dt>
                <dd>{formatCount(tokens)}</dd>
              </div>
            ))}
          </dl>
          <p className="muted">{composerStrings.context.estimated}</p>
        </>
      )}
      {costs.requests > 0 && (
        <p className="muted">{composerStrings.context.prefix(costs.prefixHits, costs.requests)}</p>
      )}
      {costs.prefixMisses[0] !== undefined && (
        <p className="muted">{composerStrings.context.prefixMiss(costs.prefixMisses[0])}</p>
      )}
    </div>
  );
}
