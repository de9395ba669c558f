import type { SkillMetadata, SkillParameter } from '#contract/skills.ts';

type Optional<Type, Required extends keyof Type> = Pick<Type, Required> & {
  readonly [Name in Exclude<keyof Type, Required>]?: Exclude<Type[Name], undefined>;
};
type GivenParameter = Optional<SkillParameter, 'name' | 'type' | 'description'>;
type GivenMetadata = Omit<
  Optional<SkillMetadata, 'id' | 'name' | 'description' | 'category'>,
  'parameters'
> & { readonly parameters?: readonly GivenParameter[] };

/**
 * What a skill that comes with the app says of itself, with what it leaves out filled in as the schema
 * would. The schema itself is not asked: to make it ready would cost every start of the app. A test holds
 * each against it.
 */
export function skillMetadata({ parameters = [], ...said }: GivenMetadata): SkillMetadata {
  return {
    ...{ version: '1.0.0', outputSchema: {}, requiredTools: [], capabilities: [], riskLevel: null },
    ...{ maxExecutionTimeSeconds: 300, maxIterations: 10, author: 'hyperagent', tags: [] },
    enabled: true,
    ...said,
    parameters: parameters.map((parameter) => ({ required: true, ...parameter })),
  };
}
