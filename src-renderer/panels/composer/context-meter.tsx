import { Popover } from 'radix-ui';
import type { ReactNode } from 'react';
import type { RunEventOf } from '#contract/events/run-event.ts';
import { formatCount } from '../../format.ts';
import { useApp } from '../../session-context.ts';
import { newestRun } from '../../store/selectors.ts';
import { strings } from '../../strings.ts';

const RADIUS = 7;
const LENGTH = 2 * Math.PI * RADIUS;

/** How full the model's real window was at the last request, and with what. */
export function ContextMeter({ threadId }: { readonly threadId: string | null }): ReactNode {
  const usage = useApp((state) => {
    const run = newestRun(state, threadId);
    return run === null ? null : (state.views.get(run.id)?.usage.last ?? null);
  });
  if (usage?.promptTokens === undefined) return null;
  const { promptTokens, contextWindow } = usage;
  const share = contextWindow === undefined ? null : Math.min(1, promptTokens / contextWindow);
  const label =
    share === null ? strings.context.unknown : strings.context.label(Math.round(share * 100));
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
          aria-label={strings.context.title}
        >
          <ContextDetails usage={usage} used={promptTokens} />
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

const PARTS = ['system', 'tools', 'history', 'reserve'] as const;

function ContextDetails({
  usage,
  used,
}: {
  readonly usage: RunEventOf<'usage'>;
  readonly used: number;
}): ReactNode {
  const { contextWindow, parts, prefix } = usage;
  const all = contextWindow ?? Math.max(1, used);
  return (
    <div className="context-details">
      <h2>{strings.context.title}</h2>
      <p>
        {contextWindow === undefined
          ? strings.context.usedOnly(used)
          : strings.context.used(used, contextWindow)}
      </p>
      {parts !== undefined && (
        <>
          <div className="context-bar" aria-hidden="true">
            {PARTS.map((part) => (
              <span
                key={part}
                data-part={part}
                style={{ width: `${Math.min(100, (parts[part] / all) * 100)}%` }}
              />
            ))}
          </div>
          <dl>
            {PARTS.map((part) => (
              <div key={part}>
                <dt>
                  <span className="context-swatch" data-part={part} aria-hidden="true" />
                  {strings.context.parts[part]}
                </dt>
                <dd>{formatCount(parts[part])}</dd>
              </div>
            ))}
          </dl>
        </>
      )}
      {prefix !== undefined && (
        <p className="muted">
          {strings.context.prefix}:{' '}
          {prefix.hit ? strings.context.prefixHit : strings.context.prefixMiss}
        </p>
      )}
    </div>
  );
}
