import type { ModelCheckItem, ModelProfile, ModelReportCard } from '#contract/models.ts';
import type { ModelTier } from '#contract/vocabulary.ts';

/** The minimum for an agent. */
const CORE = ['one_call', 'two_rounds', 'no_call'];
/** What long tasks with many steps need in addition. */
const ADVANCED = ['two_calls', 'nested_arguments', 'system_rule', 'recall_50'];
/** Slower models are reported as slow. */
const SLOW_TOKENS_PER_SECOND = 5;

const MEANS: Readonly<Record<string, string>> = {
  native: 'calls tools natively',
  text: 'writes tool calls as text',
  constrained: 'calls tools through answers constrained to a schema',
  protocol: 'calls tools as explained in the prompt',
};

/** Sums up the results of a model check in plain words. A pure function of its arguments. */
export function writeReportCard(
  items: readonly ModelCheckItem[],
  profile: ModelProfile,
  at: number,
): ModelReportCard {
  const passed = (id: string): boolean =>
    items.some((item) => item.id === id && item.outcome === 'passed');
  const count = (ids: readonly string[]): number => ids.filter(passed).length;
  const core = count(CORE);
  const advanced = count(ADVANCED);
  const tiers: ModelTier[] = [];
  if (core === CORE.length && advanced === ADVANCED.length) tiers.push('max');
  if (core === CORE.length && advanced >= 2) tiers.push('pro');
  if (passed('json_schema') || passed('system_rule')) tiers.push('flash');
  const weaknesses = [
    ...(passed('recall_90') || skippedAll(items, 'recall_90') ? [] : ['loses facts in long texts']),
    ...(passed('json_schema') ? [] : ['does not follow a JSON schema']),
    ...((profile.tokensPerSecond ?? SLOW_TOKENS_PER_SECOND) < SLOW_TOKENS_PER_SECOND
      ? [`slow on this machine: ${profile.tokensPerSecond} tokens per second`]
      : []),
  ];
  const means = profile.toolMeans === null ? 'made no tool call' : MEANS[profile.toolMeans];
  const verdict = [`${fitness(core, tiers)}; ${means}`, ...weaknesses].join('; ');
  return { at, verdict: `${verdict}.`, tiers, items: [...items] };
}

function fitness(core: number, tiers: readonly ModelTier[]): string {
  if (tiers.includes('max')) return 'Good for everything, long tasks and app building included';
  if (tiers.includes('pro')) return 'Good for everyday tasks, too weak for app building';
  if (core > 0) return 'Good for chat, unreliable with tools';
  return tiers.includes('flash')
    ? 'Good for chat and summaries, not for work with tools'
    : 'Too weak for this app';
}

function skippedAll(items: readonly ModelCheckItem[], id: string): boolean {
  return items.some((item) => item.id === id && item.outcome === 'skipped');
}
