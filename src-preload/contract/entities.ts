import { z } from 'zod';
import { PACKAGE_HOSTS } from './egress.ts';
import { RunSkill } from './skills.ts';
import {
  ApprovalPolicy,
  ExecutionMode,
  type ModelTier,
  NetworkPolicy,
  PolicyLevel,
  ResearchDepth,
  ResearchScenario,
  RuleDecision,
  RuleMatch,
  RunMode,
  RunStatus,
  SandboxChoice,
  SandboxKind,
  SearchProviderName,
} from './vocabulary.ts';

/** What is stored and shown apart from events. Times are ms since the epoch. */

/** A task of the sidebar: a conversation with a workspace of its own. */
export const Thread = z.strictObject({
  id: z.string(),
  title: z.string(),
  createdAt: z.int(),
  updatedAt: z.int(),
  /** Status of the newest run; null while there is none. */
  status: RunStatus.nullable(),
});
export type Thread = z.infer<typeof Thread>;

/** A turn of the conversation as people see it; tool rounds are in the run's events. */
export const Message = z.strictObject({
  id: z.string(),
  threadId: z.string(),
  runId: z.string().nullable(),
  role: z.enum(['user', 'assistant']),
  content: z.string(),
  attachments: z.array(
    z.strictObject({ name: z.string(), path: z.string(), size: z.int().nonnegative() }),
  ),
  createdAt: z.int(),
});
export type Message = z.infer<typeof Message>;

/** Which model answers: a provider of the registry and a name that the provider knows. */
export const ModelRef = z.strictObject({ provider: z.string().min(1), name: z.string().min(1) });
export type ModelRef = z.infer<typeof ModelRef>;

/** How a run is carried out; fixed when it starts. */
export const RunOptions = z.strictObject({
  mode: RunMode,
  model: ModelRef,
  sandbox: SandboxChoice,
  network: NetworkPolicy,
  allowHosts: z.array(z.string().max(300)).max(1000),
  approve: ApprovalPolicy,
  /** Runs of earlier versions have none; they were `standard`. */
  executionMode: ExecutionMode.exactOptional(),
  /** For research: how far it goes, and what for; absent where the settings and the question decide. */
  researchDepth: ResearchDepth.exactOptional(),
  scenario: ResearchScenario.exactOptional(),
  /** The run is one skill, with these parameters, and its answer is what that gives. */
  skill: RunSkill.exactOptional(),
  /** Wall-clock limit in seconds; null for none. */
  timeoutSeconds: z.number().positive().nullable(),
});
export type RunOptions = z.infer<typeof RunOptions>;

/** What a run was made from, where it is not a plain turn; the other run keeps its history. */
export const RunOrigin = z.strictObject({
  kind: z.enum(['retry', 'fork', 'edit', 'import']),
  /** For an import: the id that it had where it was exported. */
  runId: z.string(),
  /** For a fork: the last event that both have. */
  seq: z.int().nonnegative().nullable(),
  /** For a fork: how many messages between model and app both have; 0 for others. */
  messages: z.int().nonnegative(),
  /** For a fork or an edit: whether it got the files of a snapshot of that moment, or those of its making. */
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

/** What a rule covers: see `RuleMatch` for what `pattern` is. For `argv` it is a JSON list of words. */
export const RulePattern = z.strictObject({
  match: RuleMatch,
  pattern: z.string().min(1).max(RULE_PATTERN_CHARS),
});
export type RulePattern = z.infer<typeof RulePattern>;

/** A standing answer to calls of one tool, for one task or for good (`threadId` null). */
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

/** A place that answers model requests. `demo` plays scripts and says so. */
export const ModelServer = z.strictObject({
  provider: z.string(),
  label: z.string(),
  kind: z.enum(['ollama', 'openai-compatible', 'embedded', 'demo']),
  baseUrl: z.string(),
  reachable: z.boolean(),
  problem: z.string().nullable(),
  models: z.array(ModelSummary),
});
export type ModelServer = z.infer<typeof ModelServer>;

/** One line of the check-up: a thing the app can use, and what to do where it is missing. */
export const CheckItem = z.strictObject({
  id: z.string(),
  label: z.string(),
  status: z.enum(['ok', 'missing', 'failed']),
  detail: z.string(),
  /** The one thing to do; null when there is nothing to do. */
  remedy: z.string().nullable(),
});
export type CheckItem = z.infer<typeof CheckItem>;

/** An attempt to break the wall; `held` is what must be true before anything runs. */
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
  /** Empty when the sandbox is not available or was not proved yet. */
  probes: z.array(ProbeResult),
});
export type SandboxReport = z.infer<typeof SandboxReport>;

/** A program that runs in the sandbox of a task without a command that waits for it. */
export const BackgroundProgram = z.strictObject({
  /** In the sandbox, or on the computer that the sandbox is on. */
  pid: z.int(),
  /** As it calls itself, cut: text of others. */
  command: z.string(),
  startedAt: z.int(),
  /** The run in which it was first seen. */
  runId: z.string().nullable(),
});
export type BackgroundProgram = z.infer<typeof BackgroundProgram>;

export const SetupReport = z.strictObject({
  version: z.string(),
  servers: z.array(ModelServer),
  sandboxes: z.array(SandboxReport),
  items: z.array(CheckItem),
});
export type SetupReport = z.infer<typeof SetupReport>;

export const WorkspaceEntry = z.strictObject({
  /** Relative to the workspace, with `/`. */
  path: z.string(),
  kind: z.enum(['file', 'directory']),
  size: z.int().nonnegative(),
  modifiedAt: z.int(),
});
export type WorkspaceEntry = z.infer<typeof WorkspaceEntry>;

/** Whether an address holds nothing that must not be stored in the clear. */
function holdsNoSecret(address: string): boolean {
  // Also what cannot be read: it is stored as it stands until somebody corrects it.
  return !/[@?#]/.test(address);
}
const HOLDS_SECRET =
  'leave out user names, passwords and what follows a question mark: keys are entered apart, and sealed';

/** What a snapshot of a workspace does not hold, and why. `path` may be a folder with all below it. */
export const LeftOut = z.strictObject({
  path: z.string(),
  reason: z.enum(['over_limit', 'too_many', 'too_deep', 'special', 'unreadable', 'changing']),
  bytes: z.int().nonnegative(),
});
export type LeftOut = z.infer<typeof LeftOut>;

/** The files of a workspace as they were at one moment, kept so that they can be had back. */
export const Snapshot = z.strictObject({
  id: z.string(),
  threadId: z.string(),
  /** The step that it was taken after: a run and its last event by then; null for one that no run took. */
  runId: z.string().nullable(),
  seq: z.int().nonnegative().nullable(),
  at: z.int(),
  /** A step of a run; or what was there before the person set the files back, or after. */
  cause: z.enum(['step', 'before_restore', 'restore']),
  files: z.int().nonnegative(),
  /** Of all files together. */
  bytes: z.int().nonnegative(),
  /** Files that differ from the snapshot before it. */
  created: z.int().nonnegative(),
  modified: z.int().nonnegative(),
  deleted: z.int().nonnegative(),
  /** At most 100 of them; `leftOutCount` counts all. */
  leftOut: z.array(LeftOut),
  leftOutCount: z.int().nonnegative(),
});
export type Snapshot = z.infer<typeof Snapshot>;

/** An OpenAI-compatible server that the person entered. Its key is in the secret store, under the name. */
export const ConfiguredServer = z.strictObject({
  name: z.string().regex(/^[a-z0-9][a-z0-9-]*$/, 'use small letters, digits and hyphens'),
  baseUrl: z
    .url({ protocol: /^https?$/, error: 'use an address like http://127.0.0.1:8080/v1' })
    .refine(holdsNoSecret, { error: HOLDS_SECRET }),
  /** Names of its models by tier; a tier without one takes the model of the task. */
  models: z
    .strictObject({ max: z.string().min(1), pro: z.string().min(1), flash: z.string().min(1) })
    .partial()
    .default({}),
  /** Whether its models are asked to think; null leaves it to them. */
  thinking: z.boolean().nullable().default(null),
});
export type ConfiguredServer = z.infer<typeof ConfiguredServer>;

/** A host with or without ports, as lists name it: `example.com`, `*.example.com`, `nas.local:8080`, `[::1]:*`. */
export const HostPatternText = z
  .string()
  .max(300)
  .regex(
    /^(\*\.)?([^\s/?#@\\:*[\]]+|\[[0-9a-fA-F:.]+\])(:(\*|\d{1,5}))?$/,
    'write a host such as example.com, *.example.com or 192.168.1.5:8080',
  );

/** Settings of the app. Every field has a default, so a stored object may lack any of them. */
export const Settings = z.strictObject({
  /** The model of new tasks; null until the person chose one. */
  model: ModelRef.nullable().default(null),
  /** Address of Ollama. */
  ollamaUrl: z
    .string()
    .refine(holdsNoSecret, { error: HOLDS_SECRET })
    .default('http://127.0.0.1:11434'),
  /** OpenAI-compatible servers, each name once. */
  servers: z
    .array(ConfiguredServer)
    .refine((servers) => new Set(servers.map(({ name }) => name)).size === servers.length, {
      error: 'two servers have the same name',
    })
    .default([]),
  /** The model of each tier; a tier without one takes the model of the task. */
  tiers: z
    .strictObject({
      max: ModelRef.nullable(),
      pro: ModelRef.nullable(),
      flash: ModelRef.nullable(),
    } satisfies Record<ModelTier, unknown>)
    .default({ max: null, pro: null, flash: null }),
  /** Models, as `provider:name`, that the person lets the local server forward to a cloud. */
  cloudConsents: z.array(z.string().min(1)).default([]),
  /** Absolute paths of `.gguf` files for the embedded runtime. */
  embeddedModels: z.array(z.string().min(1)).default([]),
  /** Tokens; null lets the app choose from the model. */
  contextWindow: z.int().min(2048).nullable().default(null),
  sandbox: SandboxChoice.default('auto'),
  sandboxMemoryMb: z.int().min(256).default(2048),
  sandboxCpus: z.number().min(0.5).default(2),
  sandboxPids: z.int().min(32).default(256),
  /** What one command may take of the disk. */
  sandboxDiskMb: z.int().min(64).default(8192),
  commandTimeoutSeconds: z.int().min(1).default(600),
  /** Most megabytes of files in one snapshot of a workspace; what is over is named in it. */
  snapshotLimitMb: z.int().min(1).default(100),
  /** How long snapshots are kept; 0 takes none, and removes those that are there. */
  snapshotHours: z
    .number()
    .min(0)
    .max(24 * 365)
    .default(24),
  /** What runs may reach unless they say otherwise. */
  executionMode: ExecutionMode.default('standard'),
  network: NetworkPolicy.default('allowlist'),
  /** The most that anything in the app may reach; `offline` is the switch in the title bar. */
  egress: NetworkPolicy.default('open'),
  /** What the switch brings back. */
  egressWhenOn: z.enum(['allowlist', 'open']).default('open'),
  /** Hosts that may be reached under `allowlist`, by runs and by the app. */
  egressHosts: z
    .array(HostPatternText)
    .max(1000)
    .default([...PACKAGE_HOSTS]),
  /** Hosts that may be reached although their address is not a public one. */
  egressPrivateHosts: z.array(HostPatternText).max(1000).default([]),
  approve: ApprovalPolicy.default('ask'),
  policyLevel: PolicyLevel.default('ask_high'),
  /** What becomes of a question that nobody answers in its time: the run waits on, or it counts as no. */
  attentionTimeout: z.enum(['park', 'deny']).default('park'),
  /** Whether runs that the app's end cut off go on by themselves at the next start, or wait for a click. */
  resumeRuns: z.enum(['auto', 'ask']).default('auto'),
  /** Whether the system tells of questions and ended runs while no window is in front. */
  notifications: z.boolean().default(true),
  /** Most model requests of one task, or of one step of a plan. */
  maxRounds: z.int().min(1).max(1000).default(60),
  /** Whether a plan waits for the person before its first step. */
  planReview: z.enum(['auto', 'ask']).default('auto'),
  /** Times that a plan is made again after a step failed. */
  maxReplans: z.int().min(0).max(5).default(2),
  /** Steps of a plan that are worked on at the same time. */
  parallelSteps: z.int().min(1).max(5).default(2),
  /** Equal batches of calls in a row after which the model is told to try another way. */
  repeatsBeforeHint: z.int().min(2).max(20).default(3),
  /** Rounds in a row in which every call failed, after which the step is given up and planned again. */
  errorsBeforeReplan: z.int().min(2).max(50).default(5),
  /** Times that one run may hand a task to the research agent. */
  maxHandoffs: z.int().min(0).max(10).default(3),
  researchDepth: ResearchDepth.default('standard'),
  /** How long research waits for one page; others are read in its place. */
  researchPageSeconds: z.number().min(1).max(600).default(25),
  /** Who finds sources; `auto` takes what is set up, and the library where the network is off. */
  searchProvider: z.enum(['auto', ...SearchProviderName.options]).default('auto'),
  /** Address of a SearXNG server; empty for none. */
  searxngUrl: z
    .union([
      z.literal(''),
      z.url({ protocol: /^https?$/ }).refine(holdsNoSecret, { error: HOLDS_SECRET }),
    ])
    .default(''),
  /** Absolute paths of folders that research may look things up in. */
  libraryFolders: z.array(z.string().min(1).max(4096)).max(100).default([]),
  /** Absolute paths of folders that hold folders of Markdown skills, besides the app's and the person's own. */
  skillFolders: z.array(z.string().min(1).max(4096)).max(50).default([]),
  /** The model that makes embeddings for the library; null finds by words alone. */
  embeddingModel: ModelRef.nullable().default(null),
  appearance: z.enum(['system', 'light', 'dark']).default('system'),
  checkupSeen: z.boolean().default(false),
  /** Scanners of what comes in, goes out, and what tools are given and give. */
  guardrails: z.boolean().default(true),
  guardrailsInput: z.boolean().default(true),
  guardrailsOutput: z.boolean().default(true),
  guardrailsTool: z.boolean().default(true),
  /** What becomes of a finding: `block` stops what is certain and tells of the rest, `log` only logs. */
  guardrailsAction: z.enum(['block', 'warn', 'log']).default('block'),
  /** A scan that takes longer counts as one that found the worst. */
  guardrailsTimeoutMs: z.int().min(50).max(10_000).default(500),
  /** Whether the flash tier, where one is set, looks at calls that leave a task with other people's words. */
  secondOpinion: z.boolean().default(true),
  /** Whether the flash tier, where one is set, looks for abuse, hatred and threats in answers. */
  answerCheck: z.boolean().default(false),
});
export type Settings = z.infer<typeof Settings>;
