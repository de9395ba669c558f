import type { SkillCapability } from '#contract/skills.ts';

export interface SourceParts {
  readonly id?: string;
  readonly capabilities?: readonly SkillCapability[];
  /** Stands before the skill. */
  readonly top?: string;
  readonly metadata?: Readonly<Record<string, unknown>>;
}

/** A source around the body of `run(params, app)`. */
export function skillSource(body: string, parts: SourceParts = {}): string {
  return `import { defineSkill } from 'hyperagent';
${parts.top ?? ''}
export default defineSkill({
  metadata: ${JSON.stringify(dynamicMetadata(parts))},
  async run(params, app) {
    ${body}
  },
});
`;
}

/** What such a source says of itself. */
export function dynamicMetadata({
  id = 'probe',
  capabilities = [],
  metadata = {},
}: SourceParts): Readonly<Record<string, unknown>> {
  return {
    ...{ id, name: 'Probe', description: 'Tries something.', category: 'code', capabilities },
    ...metadata,
  };
}
