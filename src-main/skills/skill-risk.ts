import type { SkillCapability, SkillMetadata, SkillSource } from '#contract/skills.ts';
import type { RiskLevel } from '#contract/vocabulary.ts';

/** By what a capability allows: sending out text of its own, changing files, calling any skill. */
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
 * The risk of a skill by what it can do: its capabilities and its tools. The level in the metadata is final
 * for builtin skills; for others it can only raise the risk, since they could call themselves harmless.
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
