import { z } from 'zod';
import type { SkillMetadata } from '#contract/skills.ts';
import { ResearchDepth, ResearchScenario } from '#contract/vocabulary.ts';
import { graphSkill } from '../../graph-skill.ts';
import { skillMetadata } from '../../skill-metadata.ts';

const Output = z.object({
  title: z.string(),
  /** Markdown; `[n]` names a source. */
  report: z.string(),
  /** In the workspace; null where that did not take it. */
  report_path: z.string().nullable(),
  sources: z.array(z.object({ index: z.int(), url: z.string(), title: z.string() })),
});

const metadata = skillMetadata({
  ...{ id: 'deep_research', name: 'Deep Research', version: '1.0.0', category: 'research' },
  description:
    'Researches a question in depth: sub-questions, several rounds of searching and reading, what sources agree and contradict on, and a cited report.',
  parameters: [
    { name: 'question', type: 'string', description: 'The question to answer.' },
    {
      ...{ name: 'depth', type: 'string', required: false, options: ResearchDepth.options },
      description: 'How far to go; that of the settings unless given.',
    },
    {
      ...{ name: 'scenario', type: 'string', required: false, options: ResearchScenario.options },
      description: 'The kind of research; told from the question unless given.',
    },
  ],
  outputSchema: z.toJSONSchema(Output) as SkillMetadata['outputSchema'],
  capabilities: ['llm', 'search', 'fetch'],
  // The research agent asks before it reads pages that stand on no list.
  riskLevel: 'low',
  maxExecutionTimeSeconds: 7_200,
  tags: ['web', 'search', 'report', 'citations', 'sources'],
});

/** The research agent as a skill; what it finds and how far it is, it tells by itself. */
export const deepResearch = graphSkill(metadata, [
  {
    ...{ name: 'research', description: 'Researching' },
    run: async ({ inputParams: { question, depth, scenario } }, { services }) => {
      const { title, markdown, path, sources } = await services.agents.research({
        question: String(question).trim(),
        depth: ResearchDepth.nullable().parse(depth ?? null),
        scenario: ResearchScenario.nullable().parse(scenario ?? null),
      });
      const named = sources.map(({ index, url, title: name }) => ({ index, url, title: name }));
      return { output: { title, report: markdown, report_path: path, sources: named } };
    },
  },
]);
