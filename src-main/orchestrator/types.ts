import type { Settings } from '#contract/settings.ts';
import type { RunSkill } from '#contract/skills.ts';
import type { RunMode } from '#contract/vocabulary.ts';
import type { Agent, AgentContext } from '../agents/types.ts';
import type { Clock } from '../base/clock.ts';
import type { StepPath } from '../base/step-path.ts';
import type { ChatMessage, ChatModel, ToolCall } from '../models/types.ts';
import type { RunJournal } from '../storage/types.ts';
import type { Delegate } from '../tools/types.ts';
import type { RunTests } from './evidence/test-facts.ts';
import type { Classification } from './quick-route.ts';

/** A turn of the user, as the orchestrator receives it. */
export interface OrchestratedTask {
  /** In the user's own words. */
  readonly prompt: string;
  readonly mode: RunMode;
  readonly attachments: number;
  /** The conversation, which ends with this turn. */
  readonly messages: readonly ChatMessage[];
  /** If present, the task is to run this skill, and its output is the answer. */
  readonly skill?: RunSkill;
  /** Asked for a route that the words leave open; absent: no model is. */
  readonly flash?: () => Promise<ChatModel>;
  /** The route, if it was decided ahead. */
  readonly classification?: Classification;
}

export interface OrchestratorOutcome {
  /** `unverified`: some claims could not be verified, and the answer lists them. */
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

/** The call that starts a skill; null if the skill is not installed. */
export type FindSkillCall = (
  skillId: string,
  task: { readonly prompt: string },
) => Omit<ToolCall, 'id'> | null;

/** Runs the project's tests as calls of a run, at a branch of their own. */
export type RunTestsAt = (context: AgentContext, branch: StepPath) => RunTests;

export interface OrchestratorParts {
  readonly executor: Agent;
  readonly research: Agent;
  readonly classify: Classify;
  readonly findSkillCall: FindSkillCall;
  /** The active Markdown skill that is not complete, and what is missing; null for none. */
  readonly unfinishedSkill?: (
    task: Pick<AgentContext, 'threadId' | 'runId'>,
  ) => { readonly skill: string; readonly missing: string } | null;
  /** Whether the user stopped the run at a checkpoint: nothing more is tried in it. */
  readonly isStopped?: (task: Pick<AgentContext, 'threadId' | 'runId'>) => boolean;
  /** Lets an agent of this run hand tasks to the research agent; null if it may not. */
  readonly delegateFor: (context: AgentContext) => Delegate | null;
  readonly journal: RunJournal;
  /** The output of a skill as Markdown for the user. */
  readonly describeOutput: (output: Readonly<Record<string, unknown>>) => string;
  readonly askToStart: AskToStart;
  readonly runTestsAt: RunTestsAt;
  /** The tools that a plan may use. */
  readonly tools: () => readonly { readonly name: string; readonly description: string }[];
  readonly settings: () => Settings;
  readonly prompts: Readonly<Record<'planner' | 'judge' | 'route', string>>;
  readonly clock: Clock;
}

/** Asks the user to approve a plan before its first step; false if they decline. */
export type AskToStart = (steps: readonly string[], context: AgentContext) => Promise<boolean>;

/** The next node of the graph. */
export type NextNode = 'plan' | 'dispatch_step' | 'verify' | 'finalize';
