import type { ModelRef, RunOptions } from '#contract/entities.ts';
import { AppError } from '#contract/errors.ts';
import type { RequestInput } from '#contract/requests.ts';
import type { Settings } from '#contract/settings.ts';
import type { RunSkill } from '#contract/skills.ts';
import { ModelTier, TIER_PROVIDER } from '#contract/vocabulary.ts';
import { parseHostPattern } from '../egress/host-pattern.ts';
import { refOfTier } from '../models/providers.ts';

export interface RunOptionParts {
  readonly settings: Settings;
  /** Validates the skill that a run executes, with its parameters; throws if it cannot run. */
  readonly checkSkill: (skill: RunSkill) => RunSkill;
}

type AskedOptions = RequestInput<'runs.start'>['options'];

/**
 * The requested options, completed from the settings. Throws `NO_MODEL` if neither names a model, and what
 * `checkSkill` throws.
 */
export function completeRunOptions(asked: AskedOptions, parts: RunOptionParts): RunOptions {
  // An invalid host pattern fails now, not in the middle of the run.
  for (const host of asked.allowHosts ?? []) parseHostPattern(host);
  return withSettings(modelFor(asked.model ?? null, parts.settings), asked, parts);
}

/**
 * The options of an imported run. What it was about (mode, research, skill and its parameters) comes from the
 * file; what it may do and which model answers comes from this machine's settings. The model of the file is
 * used only if none is set here.
 */
export function optionsOfImport(options: RunOptions, settings: Settings): RunOptions {
  const { model, mode, skill, researchDepth, scenario } = options;
  const here = settings.model ?? settings.tiers.pro ?? model;
  const about = { mode, skill, researchDepth, scenario };
  return withSettings(here, about, { settings, checkSkill: (same) => same });
}

function withSettings(
  model: ModelRef,
  asked: Omit<AskedOptions, 'model'>,
  { settings, checkSkill }: RunOptionParts,
): RunOptions {
  return {
    mode: asked.mode ?? 'task',
    model,
    sandbox: asked.sandbox ?? settings.sandbox,
    network: asked.network ?? settings.network,
    allowHosts: asked.allowHosts ?? [],
    executionMode: asked.executionMode ?? settings.executionMode,
    approve: asked.approve ?? settings.approve,
    ...(asked.researchDepth === undefined ? {} : { researchDepth: asked.researchDepth }),
    ...(asked.scenario === undefined ? {} : { scenario: asked.scenario }),
    ...(asked.skill === undefined ? {} : { skill: checkSkill(asked.skill) }),
    timeoutSeconds: asked.timeoutSeconds ?? null,
  };
}

/** The requested model or the model of the requested tier; otherwise the one in the settings. */
export function modelFor(asked: ModelRef | null, settings: Settings): ModelRef {
  const { model, tiers } = settings;
  const tier = asked?.provider === TIER_PROVIDER ? ModelTier.parse(asked.name) : null;
  const found = tier === null ? (asked ?? model ?? tiers.pro) : modelOfTier(tier, settings);
  if (found !== null) return found;
  const what = tier === null ? 'No model is chosen.' : `No model is set for the tier ${tier}.`;
  throw new AppError(
    'NO_MODEL',
    `${what} Choose one in the settings, name one with --model ollama:NAME (hyperagent models recommend says which), or try the scripted demonstration (--model demo).`,
  );
}

/**
 * The model set for the tier, else the one that the server of the default model names for it, else that of the
 * first server that names one, else the default model; null if there is none of them.
 */
function modelOfTier(tier: ModelTier, settings: Settings): ModelRef | null {
  const { model, servers } = settings;
  if (settings.tiers[tier] !== null) return settings.tiers[tier];
  const ofModel = model === null ? null : refOfTier(tier, model, settings);
  if (ofModel !== null && ofModel !== model) return ofModel;
  const server = servers.find(({ models }) => models[tier] !== undefined);
  const name = server?.models[tier];
  return server === undefined || name === undefined ? model : { provider: server.name, name };
}
