import { z } from 'zod';
import { PACKAGE_HOSTS } from './egress.ts';
import { ModelRef } from './entities.ts';
import { IMAGE_SERVER_ADDRESSES, ImageServerKind, type LocalImageServer } from './images.ts';
import {
  FONT_SIZE,
  INSTRUCTIONS_LIMIT_CHARS,
  PROMPT_LIMIT_COUNT,
  PROMPT_NAME_CHARS,
  PROMPT_TEXT_CHARS,
} from './limits.ts';
import { SearchProviderName } from './search.ts';
import {
  ApprovalPolicy,
  ExecutionMode,
  type ModelTier,
  NetworkPolicy,
  PolicyLevel,
  ResearchDepth,
  SandboxChoice,
} from './vocabulary.ts';

/** Whether an address contains nothing that must not be stored in plain text. */
function holdsNoSecret(address: string): boolean {
  // Checked on the text, so that an address that does not parse can still be stored and corrected.
  return !/[@?#]/.test(address);
}
const HOLDS_SECRET =
  'leave out user names, passwords and query strings; enter keys separately, so that they are stored encrypted';

/** An OpenAI-compatible server that the user added. Its key is in the secret store, under the server's name. */
export const ConfiguredServer = z.strictObject({
  name: z.string().regex(/^[a-z0-9][a-z0-9-]*$/, 'use lowercase letters, digits and hyphens'),
  baseUrl: z
    .url({ protocol: /^https?$/, error: 'use an address like http://127.0.0.1:8080/v1' })
    .refine(holdsNoSecret, { error: HOLDS_SECRET }),
  /** Its model for each tier; a tier without one uses the model of the task. */
  models: z
    .strictObject({ max: z.string().min(1), pro: z.string().min(1), flash: z.string().min(1) })
    .partial()
    .default({}),
  /** Whether to request thinking; null leaves it to the model. */
  thinking: z.boolean().nullable().default(null),
});
export type ConfiguredServer = z.infer<typeof ConfiguredServer>;

/** A text that the user keeps to begin messages with. */
export const SavedPrompt = z.strictObject({
  name: z
    .string()
    .regex(/\S/, 'a prompt needs a name')
    .max(PROMPT_NAME_CHARS, `a name can have up to ${PROMPT_NAME_CHARS} characters`),
  text: z
    .string()
    .regex(/\S/, 'a prompt needs a text')
    .max(PROMPT_TEXT_CHARS, `a prompt can have up to ${PROMPT_TEXT_CHARS} characters`),
});
export type SavedPrompt = z.infer<typeof SavedPrompt>;

/** A host with or without a port, as in allowlists: `example.com`, `*.example.com`, `nas.local:8080`, `[::1]:*`. */
export const HostPatternText = z
  .string()
  .max(300)
  .regex(
    /^(\*\.)?([^\s/?#@\\:*[\]]+|\[[0-9a-fA-F:.]+\])(:(\*|\d{1,5}))?$/,
    'use a host such as example.com, *.example.com or 192.168.1.5:8080',
  );

const ImageServerAddress = z
  .url({ protocol: /^https?$/, error: 'use an address like http://127.0.0.1:8188' })
  .refine(holdsNoSecret, { error: HOLDS_SECRET });

/** Settings of the app. Every field has a default, so a stored object may omit any field. */
export const Settings = z.strictObject({
  /** The default model for new tasks; null until the user chooses one. */
  model: ModelRef.nullable().default(null),
  /** Address of Ollama. */
  ollamaUrl: z
    .string()
    .refine(holdsNoSecret, { error: HOLDS_SECRET })
    .default('http://127.0.0.1:11434'),
  /** OpenAI-compatible servers with unique names. */
  servers: z
    .array(ConfiguredServer)
    .refine((servers) => new Set(servers.map(({ name }) => name)).size === servers.length, {
      error: 'two servers have the same name',
    })
    .default([]),
  /** The model of each tier; a tier without one uses the model of the task. */
  tiers: z
    .strictObject({
      max: ModelRef.nullable(),
      pro: ModelRef.nullable(),
      flash: ModelRef.nullable(),
    } satisfies Record<ModelTier, unknown>)
    .default({ max: null, pro: null, flash: null }),
  /** The model that looks at pictures for others; null looks for one. */
  visionModel: ModelRef.nullable().default(null),
  /** Models, as `provider:name`, that the user allows the local server to forward to a cloud. */
  cloudConsents: z.array(z.string().min(1)).default([]),
  /** Models, as `provider:name`, that are asked to think, or not to; for all others it is left to the model. */
  modelThinking: z.record(z.string().min(1), z.boolean()).default({}),
  /** Absolute paths of `.gguf` files for the embedded runtime. */
  embeddedModels: z.array(z.string().min(1)).default([]),
  /** Their names, by path; a file without one has its own. */
  embeddedNames: z.record(z.string().min(1), z.string().min(1)).default({}),
  /** Tokens; null lets the app choose from the model. */
  contextWindow: z.int().min(2048).nullable().default(null),
  /** Whether older messages of a long conversation are summarised; otherwise it ends at the context window. */
  compression: z.boolean().default(true),
  /** Tokens of a request above which they are, even if the window could hold more. */
  compressionThreshold: z.int().min(1_000).max(10_000_000).default(60_000),
  /** The newest messages, which stay whole if the window can hold them. */
  compressionKeep: z.int().min(2).max(200).default(10),
  /** What the user wants every task to know or do; part of the system prompt of runs that begin from then on. */
  customInstructions: z
    .string()
    .max(INSTRUCTIONS_LIMIT_CHARS, `use at most ${INSTRUCTIONS_LIMIT_CHARS} characters`)
    .default(''),
  sandbox: SandboxChoice.default('auto'),
  sandboxMemoryMb: z.int().min(256).default(2048),
  sandboxCpus: z.number().min(0.5).default(2),
  sandboxPids: z.int().min(32).default(256),
  /** Disk space that one command may use. */
  sandboxDiskMb: z.int().min(64).default(8192),
  commandTimeoutSeconds: z.int().min(1).default(600),
  /** Maximum megabytes of files in one snapshot; the snapshot lists what it skipped. */
  snapshotLimitMb: z.int().min(1).default(100),
  /** How long snapshots are kept; 0 takes none and removes existing ones. */
  snapshotHours: z
    .number()
    .min(0)
    .max(24 * 365)
    .default(24),
  executionMode: ExecutionMode.default('standard'),
  /** What runs may reach by default. */
  network: NetworkPolicy.default('allowlist'),
  /** App-wide network limit; `offline` is the switch in the title bar. */
  egress: NetworkPolicy.default('open'),
  /** What turning the switch off restores. */
  egressWhenOn: z.enum(['allowlist', 'open']).default('open'),
  /** Hosts that runs and the app may reach under `allowlist`. */
  egressHosts: z
    .array(HostPatternText)
    .max(1000)
    .default([...PACKAGE_HOSTS]),
  /** Hosts that may be reached although their address is private. */
  egressPrivateHosts: z.array(HostPatternText).max(1000).default([]),
  approve: ApprovalPolicy.default('ask'),
  /** For tasks without a level of their own; null until the user chooses one: then high risk asks. */
  policyLevel: PolicyLevel.nullable().default(null),
  /** What happens to a question that is not answered in time: the run stays parked, or the call is denied. */
  attentionTimeout: z.enum(['park', 'deny']).default('park'),
  /** Whether runs that the app's end interrupted resume at the next start, or wait for a click. */
  resumeRuns: z.enum(['auto', 'ask']).default('auto'),
  /** Whether to notify about questions and ended runs while no window has the focus. */
  notifications: z.boolean().default(true),
  /** Maximum model requests of one task, or of one step of a plan. */
  maxRounds: z.int().min(1).max(1000).default(60),
  /** Whether a plan waits for the user's approval before its first step. */
  planReview: z.enum(['auto', 'ask']).default('auto'),
  /** How often a run may replan after a failed step. */
  maxReplans: z.int().min(0).max(5).default(2),
  /** Maximum steps of a plan that run in parallel. */
  parallelSteps: z.int().min(1).max(5).default(2),
  /** Identical batches of calls in a row after which the model gets a hint to try something else. */
  repeatsBeforeHint: z.int().min(2).max(20).default(3),
  /** Rounds in a row with only failed calls after which the step fails and the run replans. */
  errorsBeforeReplan: z.int().min(2).max(50).default(5),
  /** Percent of a model's context window that tool schemas of connectors may take; above it, models search for tools. */
  connectorSharePercent: z.number().min(0).max(100).default(5),
  /** How often one run may hand off to the research agent. */
  maxHandoffs: z.int().min(0).max(10).default(3),
  researchDepth: ResearchDepth.default('standard'),
  /** How long research waits for a page before it reads another one. */
  researchPageSeconds: z.number().min(1).max(600).default(25),
  /** Search provider; `auto` uses what is set up, or the library if the network is off. */
  searchProvider: z.enum(['auto', ...SearchProviderName.options]).default('auto'),
  /** Address of a SearXNG server; empty for none. */
  searxngUrl: z
    .union([
      z.literal(''),
      z.url({ protocol: /^https?$/ }).refine(holdsNoSecret, { error: HOLDS_SECRET }),
    ])
    .default(''),
  /** What makes pictures; `auto` takes the first server of the user's that answers, never a service. */
  imageProvider: z.enum(['auto', ...ImageServerKind.options]).default('auto'),
  /** Its model; empty leaves it to the provider. */
  imageModel: z.string().max(300).default(''),
  /** Where the user's own image servers are. */
  imageServers: z
    .strictObject({
      'sd-server': ImageServerAddress,
      webui: ImageServerAddress,
      comfyui: ImageServerAddress,
    } satisfies Record<LocalImageServer, unknown>)
    .default({ ...IMAGE_SERVER_ADDRESSES }),
  /** Absolute path of a workflow of the user's for ComfyUI, in its API format; empty uses the app's own. */
  comfyuiWorkflow: z.string().max(4096).default(''),
  /** Absolute paths of folders that research may search. */
  libraryFolders: z.array(z.string().min(1).max(4096)).max(100).default([]),
  /** Absolute paths of additional folders of Markdown skills, besides the app's folder and the user's. */
  skillFolders: z.array(z.string().min(1).max(4096)).max(50).default([]),
  /** The user's own prompts, in the order in which they are offered. */
  prompts: z
    .array(SavedPrompt)
    .max(PROMPT_LIMIT_COUNT, `you can save up to ${PROMPT_LIMIT_COUNT} prompts`)
    .refine((prompts) => new Set(prompts.map(({ name }) => name)).size === prompts.length, {
      error: 'two prompts have the same name',
    })
    .default([]),
  /** The embedding model for the library; null searches by words only. */
  embeddingModel: ModelRef.nullable().default(null),
  appearance: z.enum(['system', 'light', 'dark']).default('system'),
  /** The language of the window; `system` takes the first of the system's languages that the window has. */
  language: z.enum(['system', 'en', 'zh-Hans']).default('system'),
  /** Size of the window's plain text in pixels, at the browser's usual size of text; all else scales with it. */
  fontSize: z.int().min(FONT_SIZE.min).max(FONT_SIZE.max).default(FONT_SIZE.usual),
  /** How close rows, controls and lines are to each other. */
  density: z.enum(['comfortable', 'compact']).default('comfortable'),
  checkupSeen: z.boolean().default(false),
  /** Scanners of input, output, and the arguments and results of tools. */
  guardrails: z.boolean().default(true),
  guardrailsInput: z.boolean().default(true),
  guardrailsOutput: z.boolean().default(true),
  guardrailsTool: z.boolean().default(true),
  /** What happens on a finding: `block` stops certain findings and warns about the rest, `log` only logs. */
  guardrailsAction: z.enum(['block', 'warn', 'log']).default('block'),
  /** A scan that takes longer counts as a finding of the highest severity. */
  guardrailsTimeoutMs: z.int().min(50).max(10_000).default(500),
  /** Whether the flash tier, if set, is asked for the route of a task whose words leave it open. */
  routeByModel: z.boolean().default(false),
  /** Whether the flash tier, if set, checks outgoing calls of tasks that contain untrusted text. */
  secondOpinion: z.boolean().default(true),
  /** Whether the flash tier, if set, checks answers for abuse, hate and threats. */
  answerCheck: z.boolean().default(false),
});
export type Settings = z.infer<typeof Settings>;
