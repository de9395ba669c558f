import { closed, listOf, TEXT } from '../../output-schema.ts';
import { skillMetadata } from '../../skill-metadata.ts';

export const MOST_SOURCES = 15;

const TEXTS = { type: 'array', items: TEXT };

/** Loaded at every start of the app; the skill itself is loaded on first use. */
export const metadata = skillMetadata({
  id: 'web_research',
  name: 'Web Research',
  version: '1.0.0',
  category: 'research',
  description:
    'Researches a topic on the web and in the library: searches several ways at once, reads the best pages, takes statements with quotes, and sums up with citations.',
  parameters: [
    { name: 'topic', type: 'string', description: 'What to find out.' },
    {
      name: 'max_sources',
      type: 'number',
      required: false,
      default: 5,
      description: `How many sources to read at most, 1 to ${MOST_SOURCES}.`,
    },
    {
      name: 'language',
      type: 'string',
      required: false,
      description: 'Language of the summary; by default that of the topic.',
    },
    {
      name: 'focus',
      type: 'string',
      required: false,
      description: 'What matters most about the topic.',
    },
  ],
  // `WebResearchOutput`, written out so that a start does not compute it. A test compares the two.
  outputSchema: {
    type: 'object',
    properties: {
      summary: TEXT,
      key_findings: listOf(
        closed({
          statement: TEXT,
          sources: { type: 'array', minItems: 1, items: { type: 'integer' } },
        }),
      ),
      sources: listOf(
        closed({
          index: { type: 'integer' },
          title: TEXT,
          url: TEXT,
          snippet: TEXT,
          published_at: { type: ['string', 'null'] },
          quotes: TEXTS,
        }),
      ),
      queries: TEXTS,
      gaps: TEXTS,
    },
    required: ['summary', 'key_findings', 'sources', 'queries', 'gaps'],
    additionalProperties: false,
  },
  capabilities: ['llm', 'search', 'fetch'],
  // Searches and pages that are not allowed yet need approval one by one.
  riskLevel: 'low',
  maxExecutionTimeSeconds: 1_200,
  tags: ['web', 'search', 'sources', 'summary', 'citations'],
});
