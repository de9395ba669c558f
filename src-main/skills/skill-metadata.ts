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
 * The metadata of a builtin skill, with the schema's defaults filled in. It does not use the schema, because
 * building that would slow every start of the app; a test checks each against it.
 */
export function skillMetadata({ parameters = [], ...given }: GivenMetadata): SkillMetadata {
  return {
    version: '1.0.0',
    outputSchema: {},
    requiredTools: [],
    capabilities: [],
    riskLevel: null,
    maxExecutionTimeSeconds: 300,
    maxIterations: 10,
    author: 'hyperagent',
    tags: [],
    enabled: true,
    ...given,
    parameters: parameters.map((parameter) => ({ required: true, ...parameter })),
  };
}
