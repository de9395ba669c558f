import { graphSkill } from '../../graph-skill.ts';
import type { JsonObject } from '../../types.ts';
import { findSources } from './find-sources.ts';
import { MOST_SOURCES, metadata } from './metadata.ts';
import { numberedFrom, sumUp } from './sum-up.ts';
import type { FoundMaterial, Topic } from './types.ts';

/** Searches, reads, and sums up what sources say, each statement with a quote from its page. */
export const skill = graphSkill(metadata, [
  {
    name: 'search',
    description: 'Searching and reading',
    run: async ({ inputParams }, context) => {
      const material = await findSources(topicOf(inputParams), context);
      return { work: { material } };
    },
  },
  {
    name: 'summarize',
    description: 'Summing up',
    run: async ({ inputParams, work }, context) => ({
      output: numberedFrom(
        context.firstSource(),
        await sumUp(topicOf(inputParams), work.material as FoundMaterial, context),
      ),
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
