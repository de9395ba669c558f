import type { ModelRef, ModelSummary } from '#contract/entities.ts';
import type { ModelProfile, TierRecommendation } from '#contract/models.ts';
import { ModelTier } from '#contract/vocabulary.ts';

const GB = 1e9;
/** A loaded model takes about this much more memory than its file. */
const OVERHEAD = 1.2;

export interface InstalledModel extends ModelSummary {
  /** Null for a model that was never used. */
  readonly profile: ModelProfile | null;
}

interface Rating {
  readonly model: InstalledModel;
  readonly points: number;
  readonly why: string;
}

/**
 * The best installed model for each tier, and the reason in plain words. The result of a model check counts
 * most, then tools, size and speed. Models that a server forwards to a cloud are never recommended.
 */
export function recommendModels(
  installed: readonly InstalledModel[],
  memoryBytes: number,
): TierRecommendation[] {
  const usable = installed.filter((model) => !model.cloud && !isForOtherThings(model));
  return ModelTier.options.map((tier) => {
    const best = usable
      .map((model) => rate(model, tier, memoryBytes))
      .filter((rating) => rating.points > Number.NEGATIVE_INFINITY)
      .toSorted((a, b) => b.points - a.points || a.model.name.localeCompare(b.model.name, 'en'))[0];
    if (best === undefined) return { tier, model: null, reason: whyNone(installed, tier) };
    return { tier, model: refOf(best.model), reason: best.why };
  });
}

function refOf({ provider, name }: ModelSummary): ModelRef {
  return { provider, name };
}

function isForOtherThings({ name }: ModelSummary): boolean {
  return /embed|bge-|rerank|whisper|minilm/i.test(name);
}

function rate(model: InstalledModel, tier: ModelTier, memoryBytes: number): Rating {
  const card = model.profile?.reportCard ?? null;
  const size = model.size ?? 0;
  const needs = size * OVERHEAD;
  const reasons: string[] = [];
  let points = 0;
  if (card !== null) {
    const passes = card.tiers.includes(tier);
    points += passes ? 100 : -100;
    reasons.push(
      passes
        ? `its check found it good enough for ${tier}`
        : 'the best available, although its check had weak results',
    );
  }
  if (model.tools === true) {
    points += 40;
    reasons.push('it calls tools');
  } else if (model.tools === false) {
    points -= 40;
    reasons.push('its tools are explained in the prompt');
  }
  if (size > 0) {
    const giga = size / GB;
    if (needs > memoryBytes) return { model, points: Number.NEGATIVE_INFINITY, why: '' };
    // Up to half of the memory, larger is better; for flash, smaller is better.
    points += tier === 'flash' ? -4 * giga : tier === 'max' ? 4 * giga : 3 * Math.min(giga, 12);
    if (tier !== 'max' && needs > memoryBytes / 2) points -= 30;
    reasons.push(`${giga.toFixed(1)} GB of ${(memoryBytes / GB).toFixed(0)} GB memory`);
  }
  const speed = model.profile?.tokensPerSecond ?? null;
  if (speed !== null) {
    points += tier === 'flash' ? Math.min(speed, 100) / 4 : Math.min(speed, 40) / 8;
    reasons.push(`${speed.toFixed(0)} tokens per second on this machine`);
  }
  if (card === null) reasons.push('not checked yet');
  const why = reasons.join(', ');
  return { model, points, why: `${why.charAt(0).toUpperCase()}${why.slice(1)}.` };
}

function whyNone(installed: readonly InstalledModel[], tier: ModelTier): string {
  if (installed.length === 0) {
    return 'No model is installed. Install one, for example: hyperagent models pull ollama:qwen3:8b.';
  }
  return installed.every((model) => model.cloud)
    ? 'Every installed model would be forwarded to a cloud. Install one that runs on this machine.'
    : `No installed model fits the memory of this machine for ${tier}. Install a smaller one.`;
}
