import type { z } from 'zod';
import type { RunEventDraft } from '#contract/events/run-event.ts';
import type {
  AgentName,
  ApprovalPolicy,
  RiskLevel,
  SandboxLevel,
  ToolCategory,
  ToolEffect,
} from '#contract/vocabulary.ts';
import type { InterruptBroker } from '../hitl/types.ts';
import type { TaskSandbox } from '../services/sandbox/types.ts';

/** What a call may use of its run. The pipeline makes it; tools never reach further. */
export interface ToolContext {
  readonly runId: string;
  readonly threadId: string;
  readonly toolCallId: string;
  readonly agent: AgentName;
  readonly approve: ApprovalPolicy;
  readonly sandbox: TaskSandbox;
  readonly broker: InterruptBroker;
  readonly signal: AbortSignal;
  readonly emit: (event: RunEventDraft) => void;
}

/** What a tool gives back. `content` is what the model reads; the pipeline shortens it. */
export interface ToolOutput {
  readonly content: string;
  /** False tells the model that the call failed in an expected way. Defaults to true. */
  readonly ok?: boolean;
  readonly sandboxLevel?: SandboxLevel;
  /** Events to emit after the call (step 5 of the pipeline): images, code results. */
  readonly events?: readonly RunEventDraft[];
}

export interface ToolDefinition<Input extends z.ZodType = z.ZodType> {
  readonly name: string;
  readonly category: ToolCategory;
  readonly description: string;
  readonly input: Input;
  /** Risk of a call, from its arguments where they matter. */
  readonly risk: RiskLevel | ((input: z.infer<Input>) => RiskLevel);
  readonly effect: ToolEffect | ((input: z.infer<Input>) => ToolEffect);
  /** Which arguments "approve always" would cover; defaults to exactly these. */
  readonly rulePattern?: (input: z.infer<Input>) => string;
  /** Characters of a result that the model reads; the rest is cut in the middle. */
  readonly maxResultChars?: number;
  readonly run: (input: z.infer<Input>, context: ToolContext) => Promise<ToolOutput>;
}
