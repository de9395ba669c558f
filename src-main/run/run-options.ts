import type { ModelRef, RunOptions, Settings } from '#contract/entities.ts';
import { AppError } from '#contract/errors.ts';
import type { RequestInput } from '#contract/requests.ts';
import { ModelTier, TIER_PROVIDER } from '#contract/vocabulary.ts';
import { parseHostPattern } from '../services/egress/host-pattern.ts';

/** What was asked for, completed by the settings. Throws `NO_MODEL` where neither names one. */
export function completeRunOptions(
  asked: RequestInput<'runs.start'>['options'],
  settings: Settings,
): RunOptions {
  // A wish that names no host is told now, not in the middle of the run.
  for (const host of asked.allowHosts ?? []) parseHostPattern(host);
  const model = modelFor(asked.model ?? null, settings);
  return {
    mode: asked.mode ?? 'task',
    model,
    sandbox: asked.sandbox ?? settings.sandbox,
    network: asked.network ?? settings.network,
    allowHosts: asked.allowHosts ?? [],
    executionMode: asked.executionMode ?? settings.executionMode,
    approve: asked.approve ?? settings.approve,
    timeoutSeconds: asked.timeoutSeconds ?? null,
  };
}

/** The model that was asked for, or that of the tier that was; else the one of the settings. */
function modelFor(asked: ModelRef | null, { model, tiers }: Settings): ModelRef {
  const tier = asked?.provider === TIER_PROVIDER ? ModelTier.parse(asked.name) : null;
  const found = tier === null ? (asked ?? model ?? tiers.pro) : (tiers[tier] ?? model);
  if (found !== null) return found;
  const what = tier === null ? 'No model is chosen.' : `No model is set for the tier ${tier}.`;
  throw new AppError(
    'NO_MODEL',
    `${what} Choose one in the settings, name one with --model ollama:NAME (hyperagent models recommend says which), or try the scripted demonstration (--model demo).`,
  );
}
