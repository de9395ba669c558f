import type { SkillCapability, SkillMetadata, SkillSource } from '#contract/skills.ts';
import type { RiskLevel } from '#contract/vocabulary.ts';

/** What a skill may do with each: reach out with words of its own, change files, call whatever there is. */
const CAPABILITY_RISK: Readonly<Record<SkillCapability, RiskLevel>> = {
  llm: 'low',
  emit: 'low',
  search: 'low',
  fetch: 'medium',
  sandbox: 'high',
  invokeSkill: 'high',
};

const ORDER: readonly RiskLevel[] = ['low', 'medium', 'high'];

/**
 * The risk of a skill by what it may really do: its capabilities and its tools. A level that the metadata
 * names counts as it is for skills that come with the app, and only raises that of others, who could call
 * themselves harmless.
 */
export function skillRisk(
  metadata: Pick<SkillMetadata, 'capabilities' | 'requiredTools' | 'riskLevel'>,
  source: SkillSource,
  toolRisk: (name: string) => RiskLevel,
): RiskLevel {
  const { capabilities, requiredTools, riskLevel } = metadata;
  if (source === 'builtin' && riskLevel !== null) return riskLevel;
  return highest([
    ...(riskLevel === null ? [] : [riskLevel]),
    ...capabilities.map((capability) => CAPABILITY_RISK[capability]),
    ...requiredTools.map(toolRisk),
  ]);
}

function highest(levels: readonly RiskLevel[]): RiskLevel {
  return ORDER[Math.max(0, ...levels.map((level) => ORDER.indexOf(level)))] ?? 'low';
}
