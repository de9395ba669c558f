import type { RunEventOf, RunEventType } from '#contract/events/run-event.ts';
import type { Fact } from '#contract/plans.ts';
import { NO_COSTS, type RunCosts } from '#contract/run-costs.ts';
import type {
  CodeLanguage,
  ExecutionOutcome,
  RiskLevel,
  SandboxLevel,
} from '#contract/vocabulary.ts';
import { type BlockSplitter, createSplitter } from './markdown-blocks.ts';
import type { PlanView, VerificationView } from './plan-view.ts';
import type { ResearchProgress, ResearchView } from './research-view.ts';
import type { SkillProgressItem, SkillWork } from './skill-view.ts';
import type { ComputerSide } from './suggest.ts';

/**
 * What the screen shows of one run: a fold of its event log and of nothing else. The parts hold
 * structures that grow in place, so that an event costs the same in a short run and in a long one;
 * every batch of events hands out a new object for each part that it touched, and `version` (the seq
 * of the last event that touched it) tells readers what is new. Only the newest view may be read.
 */
export interface RunView {
  readonly runId: string;
  readonly lastSeq: number;
  /** Time of the first event; 0 before it. */
  readonly startedAt: number;
  readonly transcript: Transcript;
  readonly terminal: TerminalLog;
  readonly workspace: WorkspaceChanges;
  readonly browser: BrowserLog;
  readonly questions: Questions;
  /** Null for a run without a plan. */
  readonly plan: PlanView | null;
  readonly research: ResearchView;
  readonly activity: Activity;
  readonly usage: UsageTotals;
  readonly end: RunEnd | null;
}

/** One line of the chat. Items are replaced, never changed, so that a row can compare by identity. */
export type TranscriptItem =
  | TextItem
  | ReasoningItem
  | ToolItem
  | ImageItem
  | NoteItem
  | QuestionItem
  | RoutingItem
  | HandoffItem
  | PlanItem
  | VerificationItem
  | ResearchItem
  | SourcesItem
  | ReportItem
  | SkillProgressItem
  | EndItem;

export interface TextItem {
  readonly kind: 'text';
  readonly key: string;
  readonly messageId: string;
  /** Markdown of one top-level block. */
  readonly source: string;
  /** The block is complete. */
  readonly finished: boolean;
  readonly firstOfMessage: boolean;
  /** Link reference definitions of the message, wherever they stand in it. */
  readonly definitions: string;
}

export interface ReasoningItem {
  readonly kind: 'reasoning';
  readonly key: string;
  readonly messageId: string;
  readonly text: string;
  readonly startedAt: number;
  /** Null while the model is still thinking. */
  readonly endedAt: number | null;
}

/** `approved`: by the user, and pending, because another call of the same answer is still asked about. */
export type ToolStatus = 'running' | 'waiting' | 'approved' | RunEventOf<'tool_result'>['status'];

export interface ToolItem {
  readonly kind: 'tool';
  readonly key: string;
  readonly toolCallId: string;
  readonly name: string;
  readonly arguments: Readonly<Record<string, unknown>>;
  readonly risk: RiskLevel | null;
  readonly status: ToolStatus;
  readonly startedAt: number;
  readonly durationMs: number | null;
  readonly sandboxLevel: SandboxLevel | null;
  /** Number of the event that ended the call; null before. */
  readonly endedSeq: number | null;
  /** The result for the model; null while the call runs. */
  readonly content: string | null;
  readonly omittedChars: number;
  /** What guardrails found in the call, a sentence each. */
  readonly findings: readonly string[];
  readonly errorCode: string | null;
  readonly code: CodeResult | null;
  /** The question to the user about this call, and the answer. */
  readonly question: RunEventOf<'interrupt'> | null;
  readonly answer: Answer | null;
  /** The progress of the skill that this call invokes; null for any other call. */
  readonly skill: SkillWork | null;
}

export interface CodeResult {
  readonly language: CodeLanguage;
  readonly outcome: ExecutionOutcome;
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** The answer to a question, and who gave it. */
export type Answer = Pick<RunEventOf<'interrupt_response'>, 'response' | 'by'>;

export interface ImageItem {
  readonly kind: 'image';
  readonly key: string;
  readonly path: string;
  readonly alt: string;
  readonly mimeType: string;
}

/** A line about the run: a step, a change of plan, a notice. */
export interface NoteItem {
  readonly kind: 'note';
  readonly key: string;
  readonly topic:
    | 'context'
    | 'plan'
    /** The plan was replanned or edited; the title is the reason, if one was given. */
    | 'replan'
    | 'strategy'
    | 'skill'
    | 'parallel'
    | 'guardrails'
    | 'background';
  readonly title: string;
  readonly detail: string;
  readonly state: 'neutral' | 'running' | 'ok' | 'failed';
}

export interface QuestionItem {
  readonly kind: 'question';
  readonly key: string;
  readonly question: RunEventOf<'interrupt'>;
  readonly answer: Answer | null;
}

/** How a task was routed. */
export interface RoutingItem extends Pick<RunEventOf<'routing'>, 'route' | 'agent' | 'reason'> {
  readonly kind: 'routing';
  readonly key: string;
}

export interface HandoffItem
  extends Pick<RunEventOf<'handoff'>, 'from' | 'to' | 'task' | 'artifacts'> {
  readonly kind: 'handoff';
  readonly key: string;
}

/** The plan card; one for each run. */
export interface PlanItem {
  readonly kind: 'plan';
  readonly key: string;
  readonly revision: number;
  readonly done: number;
  readonly total: number;
  readonly failed: number;
  /** Titles of the running steps. */
  readonly running: readonly string[];
}

export interface VerificationItem extends VerificationView {
  readonly kind: 'verification';
  readonly key: string;
  /** Null where the whole answer was checked. */
  readonly stepTitle: string | null;
}

export interface ResearchItem {
  readonly kind: 'research';
  readonly key: string;
  readonly progress: ResearchProgress;
}

/** Sources of a task other than research. */
export interface SourcesItem {
  readonly kind: 'sources';
  readonly key: string;
  readonly count: number;
}

export interface ReportItem {
  readonly kind: 'report';
  readonly key: string;
  readonly reportId: string;
  readonly title: string;
  readonly path: string | null;
  readonly citations: number;
  /** Citations whose excerpt does not support the statement. */
  readonly doubtful: number;
  readonly contradictions: number;
  readonly gaps: number;
}

export interface EndItem {
  readonly kind: 'end';
  readonly key: string;
  readonly end: RunEnd;
}

export type RunEnd =
  | {
      readonly kind: 'complete';
      readonly outcome: 'completed' | 'unverified';
      readonly answer: string;
      /** Claims of an unverified answer without evidence. */
      readonly notShown: readonly Fact[];
      readonly durationMs: number;
      readonly rounds: number;
      readonly toolCalls: number;
    }
  | {
      readonly kind: 'error';
      readonly code: string;
      readonly message: string;
      readonly kept: string | null;
    };

export interface Transcript {
  readonly version: number;
  readonly items: TranscriptItem[];
  /** Positions of items that later events change: tool calls, thinking, notes, questions. */
  readonly places: Map<string, number>;
  readonly messages: Map<string, OpenMessage>;
  /** Steps of the plan that ran side by side, by the keys of the items that they made. */
  readonly lanes: Map<string, Lane>;
  /** Place of the text or thinking that is still growing. */
  readonly live: number | null;
}

/** The step of a plan that an item belongs to, where others ran at the same time. */
export interface Lane {
  readonly stepId: string;
  readonly title: string;
  /** The item before it belongs to another step, or to none. */
  readonly isStart: boolean;
}

/** A message of the model while it streams. */
export interface OpenMessage {
  readonly splitter: BlockSplitter;
  /** Places of its text items in the transcript; the last one is the open block. */
  readonly places: number[];
  definitions: string;
  /** The last block is complete: the next text makes a new item. */
  needsItem: boolean;
}

export type TerminalEntry =
  | {
      readonly kind: 'command';
      readonly commandId: string;
      /** The call that ran it; null where no call did. */
      readonly toolCallId: string | null;
      readonly command: string;
      readonly language: CodeLanguage;
      readonly cwd: string;
    }
  | {
      readonly kind: 'output';
      readonly commandId: string;
      readonly stream: 'out' | 'err';
      /** Grows while the same stream goes on. */
      text: string;
    }
  | {
      readonly kind: 'end';
      readonly commandId: string;
      readonly outcome: ExecutionOutcome;
      readonly exitCode: number | null;
      readonly durationMs: number;
    };

export interface TerminalLog {
  readonly version: number;
  readonly entries: TerminalEntry[];
  /** Entries dropped at the front to bound memory. */
  readonly dropped: number;
  readonly chars: number;
  readonly running: number;
}

/** What the agent did in the browser, oldest first. */
export interface BrowserLog {
  readonly version: number;
  readonly actions: BrowserStep[];
  /** Places in `actions`, by action. */
  readonly places: Map<string, number>;
}

/** An action of the agent in a page. Replaced, never changed. */
export type BrowserStep = Pick<
  RunEventOf<'browser_action'>,
  'actionId' | 'action' | 'target' | 'url' | 'status' | 'at'
>;

export interface WorkspaceChange {
  readonly operation: 'create' | 'modify' | 'delete';
  readonly size: number;
  readonly origin: string;
  /** How many calls may have made it; 1 where it is certain. */
  readonly writers: number;
  readonly seq: number;
}

export interface WorkspaceChanges {
  readonly version: number;
  /** The last change of each path. */
  readonly byPath: Map<string, WorkspaceChange>;
  /** The computer tab that the run's last action belongs to; null before the first. */
  readonly suggested: ComputerSide | null;
}

export interface Questions {
  readonly version: number;
  /** Without an answer yet, oldest first. */
  readonly open: ReadonlyMap<string, RunEventOf<'interrupt'>>;
}

/** What the run is doing, and since when (ms since the epoch). */
export interface Activity {
  readonly kind: 'starting' | 'model' | 'thinking' | 'writing' | 'tool' | 'waiting' | 'ended';
  /** A phase in the run's own words; null when there is none. */
  readonly stage: string | null;
  readonly stageName: string | null;
  readonly since: number;
}

export interface UsageTotals {
  readonly last: RunEventOf<'usage'> | null;
  readonly costs: RunCosts;
}

/** How each type of event changes the view of its run. */
export type Reducers = {
  readonly [Type in RunEventType]: (view: RunView, event: RunEventOf<Type>) => RunView;
};

export function emptyRunView(runId: string): RunView {
  return {
    runId,
    lastSeq: 0,
    startedAt: 0,
    transcript: {
      version: 0,
      items: [],
      places: new Map(),
      messages: new Map(),
      lanes: new Map(),
      live: null,
    },
    terminal: { version: 0, entries: [], dropped: 0, chars: 0, running: 0 },
    workspace: { version: 0, byPath: new Map(), suggested: null },
    browser: { version: 0, actions: [], places: new Map() },
    questions: { version: 0, open: new Map() },
    plan: null,
    research: { version: 0, sources: new Map(), reports: [], progress: null },
    activity: { kind: 'starting', stage: null, stageName: null, since: 0 },
    usage: { last: null, costs: NO_COSTS },
    end: null,
  };
}

export function openMessage(): OpenMessage {
  return { splitter: createSplitter(), places: [], definitions: '', needsItem: true };
}
