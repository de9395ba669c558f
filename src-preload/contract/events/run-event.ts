import { z } from 'zod';
import { CodeResultEvent, ImageEvent, ReasoningEvent, TokenEvent } from './content.ts';
import { InterruptEvent, InterruptResponseEvent } from './hitl.ts';
import { CompleteEvent, ErrorEvent, StageEvent, UsageEvent } from './lifecycle.ts';
import { ParallelCompleteEvent, ParallelStartEvent, ParallelTaskEvent } from './parallel.ts';
import {
  PlanOverviewEvent,
  PlanStepCompletedEvent,
  TodoUpdateEvent,
  VerificationEvent,
} from './planning.ts';
import {
  HandoffEvent,
  KnowledgeUpdateEvent,
  ReportEvent,
  RoutingEvent,
  SearchPlanEvent,
  SourceEvent,
} from './research.ts';
import {
  BrowserActionEvent,
  BrowserStreamEvent,
  TerminalCommandEvent,
  TerminalCompleteEvent,
  TerminalErrorEvent,
  TerminalOutputEvent,
  WorkspaceUpdateEvent,
} from './sandbox.ts';
import { PlanStepEvent, SkillOutputEvent, SkillProgressEvent } from './skills.ts';
import { ToolCallEvent, ToolResultEvent } from './tools.ts';

/** All events of a run. The ordered log of these is the single source of truth about a run. */
export const RunEvent = z.discriminatedUnion('type', [
  StageEvent,
  CompleteEvent,
  ErrorEvent,
  UsageEvent,
  TokenEvent,
  ReasoningEvent,
  ImageEvent,
  CodeResultEvent,
  ToolCallEvent,
  ToolResultEvent,
  SourceEvent,
  RoutingEvent,
  HandoffEvent,
  SearchPlanEvent,
  KnowledgeUpdateEvent,
  ReportEvent,
  BrowserStreamEvent,
  BrowserActionEvent,
  WorkspaceUpdateEvent,
  TerminalCommandEvent,
  TerminalOutputEvent,
  TerminalErrorEvent,
  TerminalCompleteEvent,
  SkillOutputEvent,
  SkillProgressEvent,
  PlanStepEvent,
  InterruptEvent,
  InterruptResponseEvent,
  PlanOverviewEvent,
  PlanStepCompletedEvent,
  TodoUpdateEvent,
  VerificationEvent,
  ParallelStartEvent,
  ParallelTaskEvent,
  ParallelCompleteEvent,
]);
export type RunEvent = z.infer<typeof RunEvent>;

export type RunEventType = RunEvent['type'];

/** The member of the union with this `type`. */
export type RunEventOf<Type extends RunEventType> = Extract<RunEvent, { type: Type }>;

/** An event before the run service numbers it. */
export type RunEventDraft = {
  [Type in RunEventType]: Omit<RunEventOf<Type>, 'runId' | 'seq' | 'at'>;
}[RunEventType];
