import { z } from 'zod';
import type { SkillMetadata } from '#contract/skills.ts';
import { graphSkill } from '../../graph-skill.ts';
import { skillMetadata } from '../../skill-metadata.ts';
import type { JsonObject } from '../../types.ts';
import { findSources } from './find-sources.ts';
import { sumUp } from './sum-up.ts';
import { type FoundMaterial, type Topic, WebResearchOutput } from './types.ts';

const MOST_SOURCES = 15;

const metadata = skillMetadata({
  ...{ id: 'web_research', name: 'Web Research', version: '1.0.0', category: 'research' },
  description:
    'Researches a topic on the web and in the library: searches several ways at once, reads the best pages, takes statements with quotes, and sums up with citations.',
  parameters: [
    { name: 'topic', type: 'string', description: 'What to find out.' },
    {
      ...{ name: 'max_sources', type: 'number', required: false, default: 5 },
      description: `How many sources to read at most, 1 to ${MOST_SOURCES}.`,
    },
    {
      ...{ name: 'language', type: 'string', required: false },
      description: 'Language of the summary; that of the topic unless given.',
    },
    {
      ...{ name: 'focus', type: 'string', required: false },
      description: 'What of the topic matters most.',
    },
  ],
  outputSchema: z.toJSONSchema(WebResearchOutput) as SkillMetadata['outputSchema'],
  capabilities: ['llm', 'search', 'fetch'],
  // Searches and pages that nobody allowed yet are asked about one by one.
  riskLevel: 'low',
  maxExecutionTimeSeconds: 1_200,
  tags: ['web', 'search', 'sources', 'summary', 'citations'],
});

/** Searches, reads, and sums up what sources say, each statement with a quote that stands in its page. */
export const webResearch = graphSkill(metadata, [
  {
    ...{ name: 'search', description: 'Searching and reading' },
    run: async ({ inputParams }, context) => {
      const material = await findSources(topicOf(inputParams), context);
      return { work: { material } };
    },
  },
  {
    ...{ name: 'summarize', description: 'Summing up' },
    run: async ({ inputParams, work }, context) => ({
      output: await sumUp(topicOf(inputParams), work.material as FoundMaterial, context),
    }),
  },
]);

function topicOf({ topic, max_sources, language, focus }: JsonObject): Topic {
  const most = Math.round(Number(max_sources));
  return {
    topic: String(topic).replace(/\s+/g, ' ').trim(),
    focus: textOr(focus),
    language: textOr(language),
    mostSources: Math.min(MOST_SOURCES, Math.max(1, most)),
  };
}

function textOr(value: unknown): string | null {
  return typeof value === 'string' && value.trim() !== ''
    ? value.replace(/\s+/g, ' ').trim()
    : null;
}
