import { z } from 'zod';
import { RunSkill } from './skills.ts';
import { FolderAccess } from './user-folder.ts';
import {
  ApprovalPolicy,
  ExecutionMode,
  GivenMode,
  NetworkPolicy,
  PolicyLevel,
  ResearchDepth,
  ResearchScenario,
  RuleDecision,
  RuleMatch,
  RunStatus,
  SandboxChoice,
  SandboxKind,
} from './vocabulary.ts';

/** What is stored and shown apart from events. Times are ms since the epoch. */

/** A task in the sidebar: a conversation with its own workspace. */
export const Thread = z.strictObject({
  id: z.string(),
  title: z.string(),
  createdAt: z.int(),
  updatedAt: z.int(),
  /** Status of the newest run; null while there is none. */
  status: RunStatus.nullable(),
  /** Since when it stands above the others; null if it does not. */
  pinnedAt: z.int().nullable(),
  /** Since when it is hidden from the list; null if it is not. */
  archivedAt: z.int().nullable(),
  /** The approval level that the user chose for this task; absent where the settings decide. */
  level: PolicyLevel.exactOptional(),
});
export type Thread = z.infer<typeof Thread>;

/** A message of the conversation as users see it; tool rounds are in the run's events. */
export const Message = z.strictObject({
  id: z.string(),
  threadId: z.string(),
  runId: z.string().nullable(),
  role: z.enum(['user', 'assistant']),
  content: z.string(),
  attachments: z.array(
    z.strictObject({
      name: z.string(),
      path: z.string(),
      size: z.int().nonnegative(),
      /** The user's own folder, of this size in all; absent for a file. */
      folder: FolderAccess.optional(),
    }),
  ),
  createdAt: z.int(),
});
export type Message = z.infer<typeof Message>;

/** A model: a provider of the registry, and a name that the provider knows. */
export const ModelRef = z.strictObject({ provider: z.string().min(1), name: z.string().min(1) });
export type ModelRef = z.infer<typeof ModelRef>;

/** Options of a run, fixed when it starts. */
export const RunOptions = z.strictObject({
  mode: GivenMode,
  model: ModelRef,
  sandbox: SandboxChoice,
  network: NetworkPolicy,
  allowHosts: z.array(z.string().max(300)).max(1000),
  approve: ApprovalPolicy,
  /** Runs of earlier versions have none; they were `standard`. */
  executionMode: ExecutionMode.exactOptional(),
  /** For research: depth and scenario. Absent: the settings and the question decide. */
  researchDepth: ResearchDepth.exactOptional(),
  scenario: ResearchScenario.exactOptional(),
  /** The run consists of this skill, with these parameters; its answer is the skill's output. */
  skill: RunSkill.exactOptional(),
  /** Limit in seconds of real time; null for none. */
  timeoutSeconds: z.number().positive().nullable(),
});
export type RunOptions = z.infer<typeof RunOptions>;

/** The run that this run was made from, if it is not a plain turn. The other run keeps its history. */
export const RunOrigin = z.strictObject({
  kind: z.enum(['retry', 'fork', 'edit', 'import']),
  /** For an import: the id of the exported run. */
  runId: z.string(),
  /** For a fork: the last event that both share. */
  seq: z.int().nonnegative().nullable(),
  /** For a fork: how many messages between model and app both share; otherwise 0. */
  messages: z.int().nonnegative(),
  /** For a fork or an edit: whether it got the files of a snapshot, or the files at its creation. */
  files: z.enum(['snapshot', 'today']).optional(),
});
export type RunOrigin = z.infer<typeof RunOrigin>;

export const Run = z.strictObject({
  id: z.string(),
  threadId: z.string(),
  status: RunStatus,
  prompt: z.string(),
  options: RunOptions,
  createdAt: z.int(),
  startedAt: z.int().nullable(),
  endedAt: z.int().nullable(),
  lastSeq: z.int().nonnegative(),
  error: z.strictObject({ code: z.string(), message: z.string() }).nullable(),
  origin: RunOrigin.nullable(),
});
export type Run = z.infer<typeof Run>;

/** Longest pattern of a rule. */
export const RULE_PATTERN_CHARS = 20_000;

/** What a rule matches. `RuleMatch` explains `pattern`; for `argv` it is a JSON list of words. */
export const RulePattern = z.strictObject({
  match: RuleMatch,
  pattern: z.string().min(1).max(RULE_PATTERN_CHARS),
});
export type RulePattern = z.infer<typeof RulePattern>;

/** A decision for future calls of one tool, in one task or in all (`threadId` null). */
export const RuleDraft = z.strictObject({
  toolName: z.string().min(1).max(100),
  ...RulePattern.shape,
  decision: RuleDecision,
  threadId: z.string().nullable(),
});
export type RuleDraft = z.infer<typeof RuleDraft>;

export const ApprovalRule = z.strictObject({
  id: z.string(),
  ...RuleDraft.shape,
  createdAt: z.int(),
});
export type ApprovalRule = z.infer<typeof ApprovalRule>;

export const ModelSummary = z.strictObject({
  provider: z.string(),
  name: z.string(),
  /** Trained window in tokens; null when the server does not say. */
  contextWindow: z.int().positive().nullable(),
  /** The window it is loaded with now, in tokens; absent if it is not loaded, or the server does not say. */
  loadedWindow: z.int().positive().exactOptional(),
  /** Null when the server does not say. */
  tools: z.boolean().nullable(),
  vision: z.boolean().nullable(),
  thinking: z.boolean().nullable(),
  /** The server would forward prompts to a cloud. */
  cloud: z.boolean(),
  /** Size on disk in bytes; null when the server does not say. */
  size: z.int().nonnegative().nullable(),
});
export type ModelSummary = z.infer<typeof ModelSummary>;

/** A server for model requests. `cloud` is a service on the internet; `demo` plays scripts and says so. */
export const ModelServer = z.strictObject({
  provider: z.string(),
  label: z.string(),
  kind: z.enum(['ollama', 'openai-compatible', 'embedded', 'cloud', 'demo']),
  baseUrl: z.string(),
  reachable: z.boolean(),
  problem: z.string().nullable(),
  models: z.array(ModelSummary),
});
export type ModelServer = z.infer<typeof ModelServer>;

/** One item of the setup check: something the app can use, and how to fix it if it is missing. */
export const CheckItem = z.strictObject({
  id: z.string(),
  label: z.string(),
  status: z.enum(['ok', 'missing', 'failed']),
  detail: z.string(),
  /** How to fix it; null if nothing needs fixing. */
  remedy: z.string().nullable(),
});
export type CheckItem = z.infer<typeof CheckItem>;

/** An attempt to break the sandbox isolation. `held` must be true before anything runs. */
export const ProbeResult = z.strictObject({
  name: z.string(),
  held: z.boolean(),
  detail: z.string(),
});
export type ProbeResult = z.infer<typeof ProbeResult>;

export const SandboxReport = z.strictObject({
  kind: SandboxKind,
  available: z.boolean(),
  detail: z.string(),
  remedy: z.string().nullable(),
  /** Empty if the sandbox is not available or not checked yet. */
  probes: z.array(ProbeResult),
});
export type SandboxReport = z.infer<typeof SandboxReport>;

/** A program that keeps running in a task's sandbox after its command returned. */
export const BackgroundProgram = z.strictObject({
  /** In the sandbox, or on the host. */
  pid: z.int(),
  /** Its own command line, shortened. Untrusted text. */
  command: z.string(),
  startedAt: z.int(),
  /** The run in which it was first seen. */
  runId: z.string().nullable(),
});
export type BackgroundProgram = z.infer<typeof BackgroundProgram>;

export const SetupReport = z.strictObject({
  version: z.string(),
  /** Whether a task could run here, in one line that says what to do if not. */
  verdict: z.strictObject({ ready: z.boolean(), text: z.string() }),
  servers: z.array(ModelServer),
  sandboxes: z.array(SandboxReport),
  items: z.array(CheckItem),
});
export type SetupReport = z.infer<typeof SetupReport>;
