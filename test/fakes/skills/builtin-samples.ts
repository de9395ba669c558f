import { SkillMetadata } from '#contract/skills.ts';
import type { Skill } from '#main/skills/types.ts';

/** A builtin skill that is looked at and never run. */
export function sampleSkill(metadata: Parameters<typeof SkillMetadata.parse>[0]): Skill {
  return {
    metadata: SkillMetadata.parse(metadata),
    createGraph: () => {
      throw new Error('This test runs no skill');
    },
  };
}

/** Two skills with parameters of every type. */
export const SAMPLE_SKILLS: readonly Skill[] = [
  sampleSkill({
    ...{ id: 'code_review', name: 'Code Review', version: '2.0.1', category: 'code' },
    description: 'Finds bugs in code.',
    parameters: [
      { name: 'code', type: 'string', description: 'what to look at' },
      { name: 'strict', type: 'boolean', description: 'also style', required: false },
    ],
    outputSchema: {
      type: 'object',
      properties: { findings: { type: 'array' } },
      required: ['findings'],
    },
    ...{ capabilities: ['llm'], tags: ['quality'] },
  }),
  sampleSkill({
    ...{ id: 'web_research', name: 'Web Research', category: 'research' },
    description: 'Searches and sums up.',
    parameters: [
      { name: 'topic', type: 'string', description: 'what about' },
      { name: 'max_sources', type: 'number', description: 'how many', default: 5 },
      {
        ...{ name: 'kind', type: 'string', description: 'of source' },
        ...{ required: false, options: ['news', 'paper'] },
      },
      { name: 'only', type: 'array', description: 'hosts', required: false },
      { name: 'more', type: 'object', description: 'as it is', required: false },
    ],
    outputSchema: { type: 'object', properties: { summary: { type: 'string' } } },
    ...{ requiredTools: ['web_search'], capabilities: ['llm', 'search'], tags: ['web', 'facts'] },
  }),
];
