import { z } from 'zod';
import { AgentName } from '../vocabulary.ts';
import { defineEvent } from './base.ts';

/** A source that was read; answers refer to it by `index`. */
export const SourceEvent = defineEvent('source', {
  index: z.int().positive(),
  url: z.string(),
  title: z.string(),
  snippet: z.string().optional(),
});

/** Where the orchestrator sent the task, and why. */
export const RoutingEvent = defineEvent('routing', {
  route: z.enum(['simple', 'complex', 'research']),
  agent: AgentName,
  reason: z.string(),
});

/** One agent handed the task to another. */
export const HandoffEvent = defineEvent('handoff', {
  handoffId: z.string(),
  from: AgentName,
  to: AgentName,
  task: z.string(),
  artifacts: z.array(z.string()),
});

export const SearchPlanEvent = defineEvent('search_plan', {
  planId: z.string(),
  queries: z.array(z.string()),
  scenario: z.string().optional(),
});

export const KnowledgeUpdateEvent = defineEvent('knowledge_update', {
  updateId: z.string(),
  summary: z.string(),
  openQuestions: z.array(z.string()),
});
