import type { ModelCheckItem, ModelProfile, ModelReportCard } from '#contract/models.ts';
import type { ModelTier } from '#contract/vocabulary.ts';

/** What an agent cannot do without. */
const CORE = ['one_call', 'two_rounds', 'no_call'];
/** What long work with many steps needs besides. */
const ADVANCED = ['two_calls', 'nested_arguments', 'system_rule', 'recall_50'];
/** Slower than this, waiting is no fun. */
const SLOW_TOKENS_PER_SECOND = 5;

const MEANS: Readonly<Record<string, string>> = {
  native: 'tools by its server’s own calls',
  text: 'tools by calls that it writes as text',
  constrained: 'tools by answers that are held to a schema',
  protocol: 'tools by a protocol in words',
};

/** What the tasks of a check-up mean, in plain words. A pure function of what was found. */
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
    ...(passed('json_schema') ? [] : ['does not keep to a JSON schema']),
    ...((profile.tokensPerSecond ?? SLOW_TOKENS_PER_SECOND) < SLOW_TOKENS_PER_SECOND
      ? [`slow here: ${profile.tokensPerSecond} tokens a second`]
      : []),
  ];
  const means = profile.toolMeans === null ? 'no tool call came across' : MEANS[profile.toolMeans];
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
