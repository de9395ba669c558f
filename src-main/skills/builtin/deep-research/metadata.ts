import { ResearchDepth, ResearchScenario } from '#contract/vocabulary.ts';
import { TEXT } from '../../output-schema.ts';
import { skillMetadata } from '../../skill-metadata.ts';

/** Loaded at every start of the app; the skill itself is loaded on first use. */
export const metadata = skillMetadata({
  id: 'deep_research',
  name: 'Deep Research',
  version: '1.0.0',
  category: 'research',
  description:
    'Researches a question in depth: sub-questions, several rounds of searching and reading, what sources agree and contradict on, and a cited report.',
  parameters: [
    { name: 'question', type: 'string', description: 'The question to answer.' },
    {
      name: 'depth',
      type: 'string',
      required: false,
      options: ResearchDepth.options,
      description: 'How far to go; by default that of the settings.',
    },
    {
      name: 'scenario',
      type: 'string',
      required: false,
      options: ResearchScenario.options,
      description: 'The kind of research; by default inferred from the question.',
    },
  ],
  outputSchema: {
    type: 'object',
    properties: {
      title: TEXT,
      report: { ...TEXT, description: 'Markdown; `[n]` names a source.' },
      report_path: {
        type: ['string', 'null'],
        description: 'In the workspace; null where it could not be saved.',
      },
      sources: {
        type: 'array',
        items: {
          type: 'object',
          properties: { index: { type: 'integer' }, url: TEXT, title: TEXT },
          required: ['index', 'url', 'title'],
          additionalProperties: false,
        },
      },
    },
    required: ['title', 'report', 'report_path', 'sources'],
    additionalProperties: false,
  },
  capabilities: ['llm', 'search', 'fetch'],
  // The research agent asks before it reads pages that are on no list.
  riskLevel: 'low',
  maxExecutionTimeSeconds: 7_200,
  tags: ['web', 'search', 'report', 'citations', 'sources'],
});
