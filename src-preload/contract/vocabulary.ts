import { z } from 'zod';

/**
 * Values that models, the database or the wire see. They are snake_case and pinned by
 * `test/boundary/contract-vocabulary.test.ts`: changing one breaks stored runs.
 */

/** The kind of task; dedicated modes go straight to their skill. */
export const RunMode = z.enum([
  'task',
  'research',
  'data',
  'app',
  'image',
  'slide',
  'writing',
  'code',
]);
export type RunMode = z.infer<typeof RunMode>;

/** Earlier names of modes, and what they mean today. */
export const MODE_ALIASES = { chat: 'task' } as const satisfies Readonly<Record<string, RunMode>>;
/** A mode as users and programs may name it. */
export const GivenMode = z.union([
  RunMode,
  z.enum(Object.keys(MODE_ALIASES) as ['chat']).transform((alias) => MODE_ALIASES[alias]),
]);

/**
 * `waiting` is parked on a question, `paused` was paused by the user; `completed`, `unverified`, `failed` and
 * `cancelled` are final.
 */
export const RunStatus = z.enum([
  'queued',
  'running',
  'waiting',
  'paused',
  'completed',
  'unverified',
  'failed',
  'cancelled',
]);
export type RunStatus = z.infer<typeof RunStatus>;

export const AgentName = z.enum(['orchestrator', 'planner', 'executor', 'research']);
export type AgentName = z.infer<typeof AgentName>;

export const ToolCategory = z.enum([
  'search',
  'image',
  'slides',
  'browser',
  'code_exec',
  'data',
  'app_builder',
  'connector',
  'skill',
  'hitl',
  'handoff',
]);
export type ToolCategory = z.infer<typeof ToolCategory>;

export const RiskLevel = z.enum(['low', 'medium', 'high']);
export type RiskLevel = z.infer<typeof RiskLevel>;

/** Recovery after a crash between intent and result: repeat the call, probe for its result, or ask the user. */
export const ToolEffect = z.enum(['read', 'idempotent', 'probeable', 'opaque']);
export type ToolEffect = z.infer<typeof ToolEffect>;

export const CodeLanguage = z.enum(['python', 'javascript', 'typescript', 'bash']);
export type CodeLanguage = z.infer<typeof CodeLanguage>;

/**
 * What isolates the sandbox: Docker, this operating system (bubblewrap, Seatbelt), the Linux kernel by itself
 * (Landlock), or a machine at e2b.dev (only if chosen explicitly).
 */
export const SandboxKind = z.enum(['docker', 'os', 'landlock', 'e2b']);
export type SandboxKind = z.infer<typeof SandboxKind>;

/** What the user may choose; `auto` takes the strongest local sandbox that is ready, never a cloud. */
export const SandboxChoice = z.enum(['auto', ...SandboxKind.options]);
export type SandboxChoice = z.infer<typeof SandboxChoice>;

/** The isolation a result was produced in; recorded on every tool result that ran code. */
export const SandboxLevel = z.enum(['docker', 'bubblewrap', 'seatbelt', 'landlock', 'e2b']);
export type SandboxLevel = z.infer<typeof SandboxLevel>;

/** Whether the agent may write scripts that call its tools (`codeact`). */
export const ExecutionMode = z.enum(['standard', 'codeact']);
export type ExecutionMode = z.infer<typeof ExecutionMode>;

export const NetworkPolicy = z.enum(['offline', 'allowlist', 'open']);
export type NetworkPolicy = z.infer<typeof NetworkPolicy>;

/** Who answers approval questions: the user (`ask`), or nobody: `never` denies all, `all` approves all. */
export const ApprovalPolicy = z.enum(['ask', 'never', 'all']);
export type ApprovalPolicy = z.infer<typeof ApprovalPolicy>;

/**
 * Which calls the app asks about, as the user chose: everything that has an effect or reaches another computer, or
 * only what leaves the sandbox. `unattended` asks about the same calls as `ask_on_exit`, but no user is there, so a
 * question parks its run. Where nobody has chosen, high risk asks.
 */
export const PolicyLevel = z.enum(['ask_every_time', 'ask_on_exit', 'unattended']);
export type PolicyLevel = z.infer<typeof PolicyLevel>;

/** What a user's rule decides for a call. If several rules match, deny wins over ask, and ask over approve. */
export const RuleDecision = z.enum(['approve', 'deny', 'ask']);
export type RuleDecision = z.infer<typeof RuleDecision>;

/**
 * What a rule matches on: the canonical arguments as text (`*` matches any characters), paths by glob,
 * hosts (`*.` covers subdomains), or the first words of a plain command.
 */
export const RuleMatch = z.enum(['arguments', 'path', 'host', 'argv']);
export type RuleMatch = z.infer<typeof RuleMatch>;

/** How a sandboxed command ended. Anything but `completed` was ended by a limit, the user or a fault. */
export const ExecutionOutcome = z.enum([
  'completed',
  'timed_out',
  'out_of_memory',
  'out_of_disk',
  'cancelled',
  'sandbox_lost',
]);
export type ExecutionOutcome = z.infer<typeof ExecutionOutcome>;

export const InterruptKind = z.enum(['approval', 'decision', 'input', 'confirm', 'checkpoint']);
export type InterruptKind = z.infer<typeof InterruptKind>;

/** Strong, balanced, fast. The user may assign a model to each tier. */
export const ModelTier = z.enum(['max', 'pro', 'flash']);
export type ModelTier = z.infer<typeof ModelTier>;

/** How thorough research is: rounds of search, pages read. */
export const ResearchDepth = z.enum(['fast', 'standard', 'deep']);
export type ResearchDepth = z.infer<typeof ResearchDepth>;

/** The kind of sources and report that suits a question. */
export const ResearchScenario = z.enum(['academic', 'market', 'technical', 'news']);
export type ResearchScenario = z.infer<typeof ResearchScenario>;

/** Export formats of a report. */
export const ReportFormat = z.enum(['md', 'html', 'pdf']);
export type ReportFormat = z.infer<typeof ReportFormat>;

/**
 * Where the orchestrator sends a task. `uncertain`: the words do not say; the executor starts, and may make a plan
 * or hand over to research with its first call.
 */
export const Route = z.enum(['simple', 'complex', 'research', 'uncertain']);
export type Route = z.infer<typeof Route>;

/** Placeholder provider that requests the model of a tier; a run stores the resolved model. */
export const TIER_PROVIDER = 'tier';

/**
 * How a model makes tool calls: natively through the server, as text that is parsed, in an answer
 * constrained to a schema, or by a protocol that the prompt explains.
 */
export const ToolCallMeans = z.enum(['native', 'text', 'constrained', 'protocol']);
export type ToolCallMeans = z.infer<typeof ToolCallMeans>;
