import { z } from 'zod';

/**
 * Words that the model, the database or the wire sees. They are snake_case, and
 * pinned by `test/boundary/contract.test.ts`: to change one is to break stored runs.
 */

/** What a task is about; dedicated modes go straight to their skill. */
export const RunMode = z.enum(['task', 'research', 'data', 'app', 'image', 'slide']);
export type RunMode = z.infer<typeof RunMode>;

/** `waiting` is parked on a person, `paused` was stopped by one for a while; `completed`, `unverified`, `failed` and `cancelled` are final. */
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
  'skill',
  'hitl',
  'handoff',
]);
export type ToolCategory = z.infer<typeof ToolCategory>;

export const RiskLevel = z.enum(['low', 'medium', 'high']);
export type RiskLevel = z.infer<typeof RiskLevel>;

/** What a crash between intent and result means for a tool: read or made again, looked for, or asked about. */
export const ToolEffect = z.enum(['read', 'idempotent', 'probeable', 'opaque']);
export type ToolEffect = z.infer<typeof ToolEffect>;

export const CodeLanguage = z.enum(['python', 'javascript', 'typescript', 'bash']);
export type CodeLanguage = z.infer<typeof CodeLanguage>;

/** Who builds the wall: Docker, this system, or a computer at e2b.dev that is used only when named. */
export const SandboxKind = z.enum(['docker', 'os', 'e2b']);
export type SandboxKind = z.infer<typeof SandboxKind>;

/** What the person may ask for; `auto` takes the strongest one here that is ready, never a cloud. */
export const SandboxChoice = z.enum(['auto', ...SandboxKind.options]);
export type SandboxChoice = z.infer<typeof SandboxChoice>;

/** The wall a result was produced behind; stamped on every tool result that ran code. */
export const SandboxLevel = z.enum(['docker', 'bubblewrap', 'seatbelt', 'e2b']);
export type SandboxLevel = z.infer<typeof SandboxLevel>;

/** Whether the agent may write scripts that call its tools (`codeact`). */
export const ExecutionMode = z.enum(['standard', 'codeact']);
export type ExecutionMode = z.infer<typeof ExecutionMode>;

export const NetworkPolicy = z.enum(['offline', 'allowlist', 'open']);
export type NetworkPolicy = z.infer<typeof NetworkPolicy>;

/** Who answers what needs a person: the person, nobody (deny), or a standing yes. */
export const ApprovalPolicy = z.enum(['ask', 'never', 'all']);
export type ApprovalPolicy = z.infer<typeof ApprovalPolicy>;

/**
 * What the app asks about: what is risky (medium and high), or what is of high risk. `unattended` asks
 * about the same as `ask_high`, but nobody is there: what needs a person parks its run.
 */
export const PolicyLevel = z.enum(['ask_risky', 'ask_high', 'unattended']);
export type PolicyLevel = z.infer<typeof PolicyLevel>;

/** What a rule of the person says of a call; where several cover it, deny wins over ask over approve. */
export const RuleDecision = z.enum(['approve', 'deny', 'ask']);
export type RuleDecision = z.infer<typeof RuleDecision>;

/**
 * What a rule looks at: the canonical arguments as text (`*` stands for any run of characters), paths
 * by glob, hosts (`*.` covers subdomains), or the words that a plain command begins with.
 */
export const RuleMatch = z.enum(['arguments', 'path', 'host', 'argv']);
export type RuleMatch = z.infer<typeof RuleMatch>;

/** How a sandboxed command ended. Everything but `completed` was ended by a limit, a person or a fault. */
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

/** Strong, balanced, fast: each tier has a model of its own where the person wants one. */
export const ModelTier = z.enum(['max', 'pro', 'flash']);
export type ModelTier = z.infer<typeof ModelTier>;

/** How far research goes: rounds of search, pages read. */
export const ResearchDepth = z.enum(['fast', 'standard', 'deep']);
export type ResearchDepth = z.infer<typeof ResearchDepth>;

/** What kind of sources and report a question wants. */
export const ResearchScenario = z.enum(['academic', 'market', 'technical', 'news']);
export type ResearchScenario = z.infer<typeof ResearchScenario>;

/** What a report can be had as. */
export const ReportFormat = z.enum(['md', 'html', 'pdf']);
export type ReportFormat = z.infer<typeof ReportFormat>;

/** Who finds sources; `library` is the person's own folders and needs no network. */
export const SearchProviderName = z.enum([
  'searxng',
  'brave',
  'tavily',
  'serper',
  'ollama',
  'duckduckgo',
  'library',
]);
export type SearchProviderName = z.infer<typeof SearchProviderName>;

/** Where the orchestrator sends a task. */
export const Route = z.enum(['simple', 'complex', 'research']);
export type Route = z.infer<typeof Route>;

/** Stands for a provider in a wish for the model of a tier; runs are given the model itself. */
export const TIER_PROVIDER = 'tier';

/**
 * How a model gets its tool calls across: by the server's own calls, as text that is recovered, by
 * an answer constrained to a schema, or by a protocol that was explained to it in the prompt.
 */
export const ToolCallMeans = z.enum(['native', 'text', 'constrained', 'protocol']);
export type ToolCallMeans = z.infer<typeof ToolCallMeans>;
