import type { Settings } from '#contract/entities.ts';
import type { RunSkill } from '#contract/skills.ts';
import type { RunMode } from '#contract/vocabulary.ts';
import type { Agent, AgentContext } from '../agents/types.ts';
import type { Clock } from '../base/clock.ts';
import type { ChatMessage, ToolCall } from '../models/types.ts';
import type { RunStateStore } from '../storage/types.ts';
import type { Delegate } from '../tools/types.ts';
import type { Classification } from './quick-route.ts';

/** A turn of the person as the orchestrator gets it. */
export interface OrchestratedTask {
  /** In the person's own words. */
  readonly prompt: string;
  readonly mode: RunMode;
  readonly attachments: number;
  /** The conversation, which ends with this turn. */
  readonly messages: readonly ChatMessage[];
  /** The task is this skill, and its answer what that gives. */
  readonly skill?: RunSkill;
  /** Where it goes, where that was decided ahead. */
  readonly way?: Classification;
}

export interface OrchestratorOutcome {
  /** `unverified`: something that was to be shown was not, and the answer says what. */
  readonly outcome: 'completed' | 'unverified';
  readonly answer: string;
  readonly rounds: number;
  readonly toolCalls: number;
}

export type Classify = (task: {
  readonly prompt: string;
  readonly mode: RunMode;
  readonly attachments?: number;
}) => Classification | Promise<Classification>;

/** What the orchestrator knows of skills: the call that begins one; null for a skill that is not there. */
export type FindSkillCall = (
  skillId: string,
  task: { readonly prompt: string },
) => Omit<ToolCall, 'id'> | null;

export interface OrchestratorParts {
  readonly executor: Agent;
  readonly research: Agent;
  readonly classify: Classify;
  readonly findSkillCall: FindSkillCall;
  /** The Markdown skill that a turn may not end in yet, and what is left undone of it; null for none. */
  readonly unfinishedSkill?: (
    task: Pick<AgentContext, 'threadId' | 'runId'>,
  ) => { readonly skill: string; readonly missing: string } | null;
  /** Makes what lets an agent of this run hand a task to the research agent. */
  readonly delegateFor: (context: AgentContext) => Delegate | null;
  readonly states: RunStateStore;
  /** What a skill gave, as Markdown for the person. */
  readonly describeOutput: (output: Readonly<Record<string, unknown>>) => string;
  readonly askToStart: AskToStart;
  /** The tools that a plan may count on. */
  readonly tools: () => readonly { readonly name: string; readonly description: string }[];
  readonly settings: () => Settings;
  readonly prompts: { readonly planner: string; readonly judge: string };
  readonly clock: Clock;
}

/** Puts a plan to the person before its first step; false where they do not want it. */
export type AskToStart = (steps: readonly string[], context: AgentContext) => Promise<boolean>;

/** The next node of the graph. */
export type NextNode = 'plan' | 'dispatch_step' | 'verify' | 'finalize';
