import { z } from 'zod';
import { AgentName, ResearchDepth, ResearchScenario, Route } from '../vocabulary.ts';
import { defineEvent } from './base.ts';

/** A verbatim quote of a source that supports a statement; `number` counts within the source. */
export const Excerpt = z.strictObject({ number: z.int().positive(), text: z.string() });
export type Excerpt = z.infer<typeof Excerpt>;

/** A source that was found or read; answers refer to it by `index`. Emitted again once excerpts are known. */
const SourceEvent = defineEvent('source', {
  index: z.int().positive(),
  url: z.string(),
  title: z.string(),
  snippet: z.string().optional(),
  /** What found it: a provider, `library`, or a file of the task. */
  foundBy: z.string().optional(),
  excerpts: z.array(Excerpt).optional(),
  /** The call of the executor that found or read it; absent for sources of research and skills. */
  toolCallId: z.string().optional(),
  /** A call of the executor read it. */
  isRead: z.boolean().optional(),
});

/** Where the orchestrator sent the task, and why. */
const RoutingEvent = defineEvent('routing', {
  route: Route,
  agent: AgentName,
  reason: z.string(),
});

/** A handoff of the task to another agent; `artifacts` are the workspace paths passed along. */
const HandoffEvent = defineEvent('handoff', {
  handoffId: z.string(),
  from: AgentName,
  to: AgentName,
  task: z.string(),
  artifacts: z.array(z.string()),
});

const SearchPlanEvent = defineEvent('search_plan', {
  planId: z.string(),
  queries: z.array(z.string()),
  scenario: ResearchScenario.optional(),
  depth: ResearchDepth.optional(),
  /** The sub-questions of the research. */
  subQuestions: z.array(z.string()).optional(),
});

const KnowledgeUpdateEvent = defineEvent('knowledge_update', {
  updateId: z.string(),
  summary: z.string(),
  openQuestions: z.array(z.string()),
  /** Share of the sub-questions that have an answer, 0 to 1. */
  coverage: z.number().min(0).max(1).optional(),
});

/** A numbered reference of a report to a stored excerpt of a source. */
export const Citation = z.strictObject({
  /** The statement it supports. */
  claim: z.string(),
  sourceIndex: z.int().positive(),
  excerptNumber: z.int().positive(),
  /** False if the excerpt does not say what the claim says, or that could not be checked. */
  supported: z.boolean(),
  /** True if neither rules nor a model could tell whether the excerpt supports it. */
  unchecked: z.boolean().optional(),
});
export type Citation = z.infer<typeof Citation>;

/** A finished research report in Markdown; `[1]` refers to the source with that index. */
const ReportEvent = defineEvent('report', {
  reportId: z.string(),
  title: z.string(),
  markdown: z.string(),
  /** The same as a file of the workspace; absent if it could not be written. */
  path: z.string().optional(),
  citations: z.array(Citation),
  agreements: z.array(z.string()),
  contradictions: z.array(z.string()),
  gaps: z.array(z.string()),
});

export const researchEvents = [
  SourceEvent,
  RoutingEvent,
  HandoffEvent,
  SearchPlanEvent,
  KnowledgeUpdateEvent,
  ReportEvent,
] as const;
