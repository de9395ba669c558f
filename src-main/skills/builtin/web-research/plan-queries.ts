import { z } from 'zod';
import type { SkillContext } from '../../types.ts';
import { once } from './settled.ts';
import type { Topic } from './types.ts';

const QUERIES = 4;
const QUERY_CHARS = 200;
const SYSTEM = `You plan a search. Split the topic into 2 to ${QUERIES} short search queries of 3 to 8 words that together cover it. Each query names what it is about. Answer as JSON.`;

const Plan = z.object({ queries: z.array(z.string()) });

/** Queries for a topic; the topic itself where the model has no better idea. */
export async function planQueries(topic: Topic, context: SkillContext): Promise<string[]> {
  context.progress('Choosing queries');
  const plan = await once(context, 'queries', () =>
    context.services.llm.askFor({
      system: SYSTEM,
      prompt: topicLines(topic),
      schema: Plan,
      tier: 'flash',
      maxOutputTokens: 400,
      temperature: 0,
    }),
  );
  const queries = distinct(plan.ok ? plan.value.queries : [], []).slice(0, QUERIES);
  return queries.length > 0 ? queries : [queryOf(topic)];
}

/** The topic, for a prompt. */
export function topicLines({ topic, focus }: Topic): string {
  return focus === null ? `Topic: ${topic}` : `Topic: ${topic}\nWhat matters most: ${focus}`;
}

/** The topic as a query. */
export function queryOf({ topic, focus }: Topic): string {
  return oneLine(`${topic.replace(/[?？]/g, '')} ${focus ?? ''}`);
}

/** Queries as one line each, without duplicates and without those asked before. */
export function distinct(queries: readonly string[], before: readonly string[]): string[] {
  const seen = new Set(before.map((one) => oneLine(one).toLowerCase()));
  return queries.map(oneLine).filter((query) => {
    const key = query.toLowerCase();
    return query !== '' && !seen.has(key) && seen.add(key) !== undefined;
  });
}

const oneLine = (text: string): string =>
  text.replace(/\s+/g, ' ').trim().slice(0, QUERY_CHARS).trim();
