import { z } from 'zod';
import { ConnectorName } from './connectors.ts';
import { safeParse } from './safe-parse.ts';
import { RiskLevel } from './vocabulary.ts';

/** Skills: metadata, parameters, outputs and executions. Times are ms since the epoch. */

export const SkillCategory = z.enum(['research', 'data', 'creative', 'automation', 'code']);
export type SkillCategory = z.infer<typeof SkillCategory>;

/** Where a skill comes from: the app, a source in the database, or a folder with a SKILL.md. */
export const SkillSource = z.enum(['builtin', 'dynamic', 'markdown']);
export type SkillSource = z.infer<typeof SkillSource>;

/** What a skill may use of the app. A dynamic skill gets only what it requests and the user granted. */
export const SkillCapability = z.enum(['llm', 'search', 'fetch', 'sandbox', 'invokeSkill', 'emit']);
export type SkillCapability = z.infer<typeof SkillCapability>;

export const SkillLanguage = z.enum(['typescript', 'javascript']);
export type SkillLanguage = z.infer<typeof SkillLanguage>;

/** Used by models and on the command line. */
export const SkillId = z
  .string()
  .regex(/^[a-z][a-z0-9]*(?:[_-][a-z0-9]+)*$/, {
    error: 'use lowercase letters, digits, _ and -, starting with a letter',
  })
  .max(64);

export const SkillParameter = z.strictObject({
  name: z
    .string()
    .regex(/^[a-z][a-z0-9_]*$/i)
    .max(64),
  type: z.enum(['string', 'number', 'boolean', 'object', 'array']),
  description: z.string().max(1_000),
  required: z.boolean().default(true),
  default: z.json().optional(),
  /** The only allowed values. */
  options: z.array(z.string().max(200)).max(50).optional(),
});
export type SkillParameter = z.infer<typeof SkillParameter>;

/** How skills name the tools of connectors. */
const CONNECTOR_TOOL = 'mcp:';

/**
 * The tool in `mcp:server/tool`: the name of its connector, and its own name at its server, which may contain `/`. Null
 * for any other text.
 */
export function parseConnectorTool(
  name: string,
): { readonly connector: string; readonly tool: string } | null {
  const slash = name.indexOf('/');
  if (!name.startsWith(CONNECTOR_TOOL) || slash < 0) return null;
  const connector = name.slice(CONNECTOR_TOOL.length, slash);
  const tool = name.slice(slash + 1);
  return safeParse(ConnectorName, connector).success && tool !== '' ? { connector, tool } : null;
}

/** A tool of the app by its name, or `mcp:server/tool`. */
const RequiredTool = z
  .string()
  .max(100)
  .refine((name) => !name.startsWith(CONNECTOR_TOOL) || parseConnectorTool(name) !== null, {
    error:
      'write a tool of a connector as mcp:server/tool: the name of the connector, then the name of the tool at its server, as in mcp:notes/add',
  });

/** The metadata of every skill; the fields of the seeds. */
export const SkillMetadata = z.strictObject({
  id: SkillId,
  name: z.string().min(1).max(100),
  version: z
    .string()
    .regex(/^\d+\.\d+\.\d+$/, { error: 'use three numbers, as in 1.0.0' })
    .default('1.0.0'),
  description: z.string().min(1).max(1_024),
  category: SkillCategory,
  parameters: z.array(SkillParameter).max(30).default([]),
  /** A JSON Schema of an object. */
  outputSchema: z.record(z.string(), z.json()).default({}),
  /** Tools that its model gets or that it calls itself. All must be available before it runs. */
  requiredTools: z.array(RequiredTool).max(50).default([]),
  /** What it uses of the app. */
  capabilities: z.array(SkillCapability).default([]),
  /** Null: derived from what it may do. */
  riskLevel: RiskLevel.nullable().default(null),
  /** Limit of its own work; time spent waiting for the user does not count. */
  maxExecutionTimeSeconds: z.int().min(1).max(86_400).default(300),
  /**
   * Maximum steps: of its graph, and model requests of a loop in it. For a dynamic skill that states it: calls that
   * do work (models, searches, pages, programs, other skills).
   */
  maxIterations: z.int().min(1).max(1_000).default(10),
  author: z.string().max(100).default('hyperagent'),
  tags: z.array(z.string().max(50)).max(30).default([]),
  enabled: z.boolean().default(true),
});
export type SkillMetadata = z.infer<typeof SkillMetadata>;

/** `needs_review`: new or changed since the last review. `broken`: it cannot run; `problem` says why. */
export const SkillState = z.enum(['ready', 'disabled', 'needs_review', 'broken']);
export type SkillState = z.infer<typeof SkillState>;

/** A skill as lists show it. */
export const SkillSummary = z.strictObject({
  id: z.string(),
  name: z.string(),
  version: z.string(),
  description: z.string(),
  /** Null for a Markdown skill that declares none. */
  category: SkillCategory.nullable(),
  source: SkillSource,
  /** For a Markdown skill: its folder. */
  folder: z.string().nullable(),
  /** A Markdown skill that is shipped with the app. */
  isShipped: z.literal(true).exactOptional(),
  author: z.string(),
  tags: z.array(z.string()),
  risk: RiskLevel,
  state: SkillState,
  problem: z.string().nullable(),
  invocationCount: z.int().nonnegative(),
  lastInvokedAt: z.int().nullable(),
});
export type SkillSummary = z.infer<typeof SkillSummary>;

/** Something in a skill that the user should see before approving it. */
export const SkillFinding = z.strictObject({
  severity: z.enum(['error', 'warning', 'note']),
  /** Snake case, stable. */
  rule: z.string(),
  /** Relative to the skill's folder; null for the skill as a whole. */
  file: z.string().nullable(),
  line: z.int().positive().nullable(),
  message: z.string(),
});
export type SkillFinding = z.infer<typeof SkillFinding>;

/** A step that a Markdown skill declares, as the app enforces it. */
export const SkillStep = z.strictObject({
  /** Counted from 1. */
  number: z.int().positive(),
  title: z.string(),
  /** Files of the skill that must be read in this step. */
  subskills: z.array(z.string()),
  /** Checkpoints that the user must answer in this step. */
  checkpoints: z.array(z.string()),
  /**
   * `optional` may be skipped, `repeat` may be done several times, `waits` needs a reply of the user. The checkpoint
   * of a step is about what it will do, so its effects wait for the answer; with `review`, about what it has done.
   */
  marks: z.array(z.enum(['optional', 'repeat', 'waits', 'review'])).exactOptional(),
});
export type SkillStep = z.infer<typeof SkillStep>;

export const SkillDetail = z.strictObject({
  summary: SkillSummary,
  /** Null for a Markdown skill. */
  metadata: SkillMetadata.nullable(),
  /** Capabilities that the user granted to a dynamic skill. */
  granted: z.array(SkillCapability),
  /** The newest source of a dynamic skill; null for others. */
  code: z
    .strictObject({
      language: SkillLanguage,
      source: z.string(),
      version: z.int().positive(),
      sha256: z.string(),
    })
    .nullable(),
  /** The content of a Markdown skill; null for others. */
  markdown: z
    .strictObject({
      /** The text of SKILL.md, without its front matter. */
      instructions: z.string(),
      files: z.array(z.strictObject({ path: z.string(), size: z.int().nonnegative() })),
      steps: z.array(SkillStep),
      /** Tool calls that its model may make, such as `shell_command(git:*)`; null for no restriction. */
      allowedTools: z.array(z.string()).nullable(),
    })
    .nullable(),
  findings: z.array(SkillFinding),
});
export type SkillDetail = z.infer<typeof SkillDetail>;

export const SkillExecutionStatus = z.enum(['running', 'completed', 'failed', 'cancelled']);
export type SkillExecutionStatus = z.infer<typeof SkillExecutionStatus>;

/** A stage of an execution, as reported. */
export const SkillExecutionEvent = z.strictObject({
  at: z.int(),
  name: z.string(),
  status: z.enum(['running', 'completed', 'failed']),
  description: z.string(),
});
export type SkillExecutionEvent = z.infer<typeof SkillExecutionEvent>;

export const SkillExecution = z.strictObject({
  id: z.string(),
  skillId: z.string(),
  runId: z.string(),
  threadId: z.string(),
  /** The execution that called it; null if an agent or the user did. */
  parentId: z.string().nullable(),
  depth: z.int().positive(),
  status: SkillExecutionStatus,
  input: z.record(z.string(), z.json()),
  output: z.record(z.string(), z.json()).nullable(),
  error: z.strictObject({ code: z.string(), message: z.string() }).nullable(),
  startedAt: z.int(),
  endedAt: z.int().nullable(),
  events: z.array(SkillExecutionEvent),
});
export type SkillExecution = z.infer<typeof SkillExecution>;

/** What the user reviews: everything that an approval would trust. */
export const SkillReview = z.strictObject({
  skillId: z.string(),
  name: z.string(),
  source: SkillSource,
  /** The hash of everything shown; an approval covers exactly these bytes. */
  sha256: z.string(),
  /** Files that differ from the last approval; `before` is null for a new file, `after` for a deleted one. */
  files: z.array(
    z.strictObject({
      path: z.string(),
      before: z.string().nullable(),
      after: z.string().nullable(),
      /** Not text; only the fact that it changed is shown. */
      isBinary: z.boolean(),
    }),
  ),
  capabilities: z.strictObject({
    before: z.array(SkillCapability),
    after: z.array(SkillCapability),
  }),
  requiredTools: z.array(z.string()),
  findings: z.array(SkillFinding),
  /** False if an error prevents approval. */
  mayApprove: z.boolean(),
});
export type SkillReview = z.infer<typeof SkillReview>;

/** What the editor shows about a source before it is saved. */
export const SkillCheck = z.strictObject({
  metadata: SkillMetadata.nullable(),
  findings: z.array(SkillFinding),
});
export type SkillCheck = z.infer<typeof SkillCheck>;

export const SkillVersion = z.strictObject({
  version: z.int().positive(),
  language: SkillLanguage,
  source: z.string(),
  sha256: z.string(),
  createdAt: z.int(),
  approvedAt: z.int().nullable(),
});
export type SkillVersion = z.infer<typeof SkillVersion>;

export const SkillTemplate = z.strictObject({
  id: z.string(),
  name: z.string(),
  description: z.string(),
  language: SkillLanguage,
  source: z.string(),
});
export type SkillTemplate = z.infer<typeof SkillTemplate>;

/** The skill that a run consists of, with its parameters. */
export const RunSkill = z.strictObject({
  id: SkillId,
  params: z.record(z.string(), z.json()),
});
export type RunSkill = z.infer<typeof RunSkill>;

/** Maximum characters of a dynamic skill's source. */
export const SKILL_SOURCE_CHARS = 200_000;
/** Maximum depth of skills that call skills. */
export const SKILL_DEPTH = 3;

/** A task's progress in a Markdown skill; kept with the task across turns and restarts. */
export const SkillProgress = z.strictObject({
  skill: z.string(),
  /** Hash of the skill's files when it was loaded. */
  sha256: z.string(),
  status: z.enum(['active', 'completed', 'cancelled']),
  steps: z.array(
    SkillStep.extend({
      status: z.enum(['pending', 'done']),
      /** Those of `subskills` that were read in this step. */
      read: z.array(z.string()),
      /** Those of `checkpoints` that the user answered. */
      answered: z.array(z.string()),
      /** For a step that waits: the user has replied since it started. */
      heard: z.literal(true).exactOptional(),
    }),
  ),
  /** From the skill's `allowed-tools`; null or absent for no restriction. */
  allowedTools: z.array(z.string()).nullable().exactOptional(),
  /** Cancelled by a denied checkpoint: the turn ends there. */
  isStopped: z.literal(true).exactOptional(),
  /** Refused attempts, newest last: what was tried, and why it was refused. */
  refusals: z.array(z.strictObject({ what: z.string(), why: z.string() })),
});
export type SkillProgress = z.infer<typeof SkillProgress>;
