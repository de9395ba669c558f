import { z } from 'zod';
import { RiskLevel } from './vocabulary.ts';

/** Skills: what they are, what they take and give, and how they went. Times are ms since the epoch. */

export const SkillCategory = z.enum(['research', 'data', 'creative', 'automation', 'code']);
export type SkillCategory = z.infer<typeof SkillCategory>;

/** Where a skill is from: it comes with the app, its source is in the database, or it is a folder with a SKILL.md. */
export const SkillSource = z.enum(['builtin', 'dynamic', 'markdown']);
export type SkillSource = z.infer<typeof SkillSource>;

/** What a skill may be given of the app; a dynamic one gets what it asks for and the person granted, no more. */
export const SkillCapability = z.enum(['llm', 'search', 'fetch', 'sandbox', 'invokeSkill', 'emit']);
export type SkillCapability = z.infer<typeof SkillCapability>;

export const SkillLanguage = z.enum(['typescript', 'javascript']);
export type SkillLanguage = z.infer<typeof SkillLanguage>;

/** Names that the model and the terminal say. */
export const SkillId = z
  .string()
  .regex(/^[a-z][a-z0-9]*(?:[_-][a-z0-9]+)*$/, {
    error: 'lower-case letters, digits, _ and -, beginning with a letter',
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
  /** The only values that it may have. */
  options: z.array(z.string().max(200)).max(50).optional(),
});
export type SkillParameter = z.infer<typeof SkillParameter>;

/** What every skill says of itself; the fields of the seeds. */
export const SkillMetadata = z.strictObject({
  id: SkillId,
  name: z.string().min(1).max(100),
  version: z
    .string()
    .regex(/^\d+\.\d+\.\d+$/, { error: 'three numbers, as in 1.0.0' })
    .default('1.0.0'),
  description: z.string().min(1).max(1_024),
  category: SkillCategory,
  parameters: z.array(SkillParameter).max(30).default([]),
  /** A JSON Schema of an object. */
  outputSchema: z.record(z.string(), z.json()).default({}),
  /** Tools that its model is given, or that it calls by itself: all must be there before it runs. */
  requiredTools: z.array(z.string().max(100)).max(50).default([]),
  /** What it uses of the app. */
  capabilities: z.array(SkillCapability).default([]),
  /** Null: by what it may really do. */
  riskLevel: RiskLevel.nullable().default(null),
  /** Of its own work; time in which a person is waited for does not count. */
  maxExecutionTimeSeconds: z.int().min(1).max(86_400).default(300),
  /** Steps of its graph, and requests of a loop within. */
  maxIterations: z.int().min(1).max(1_000).default(10),
  author: z.string().max(100).default('hyperagent'),
  tags: z.array(z.string().max(50)).max(30).default([]),
  enabled: z.boolean().default(true),
});
export type SkillMetadata = z.infer<typeof SkillMetadata>;

/** `needs_review`: new or changed since the person looked at it; `broken`: it cannot be run, `problem` says why. */
export const SkillState = z.enum(['ready', 'disabled', 'needs_review', 'broken']);
export type SkillState = z.infer<typeof SkillState>;

/** A skill as lists show it. */
export const SkillSummary = z.strictObject({
  id: z.string(),
  name: z.string(),
  version: z.string(),
  description: z.string(),
  /** Null for a Markdown skill that says none. */
  category: SkillCategory.nullable(),
  source: SkillSource,
  /** For a Markdown skill: the folder that it lies in. */
  folder: z.string().nullable(),
  /** A Markdown skill that comes with the app. */
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

/** Something in a skill that the person should see before they say yes to it. */
export const SkillFinding = z.strictObject({
  severity: z.enum(['error', 'warning', 'note']),
  /** Snake case, stable. */
  rule: z.string(),
  /** From the skill's folder on; null for the skill as a whole. */
  file: z.string().nullable(),
  line: z.int().positive().nullable(),
  message: z.string(),
});
export type SkillFinding = z.infer<typeof SkillFinding>;

/** A step that a Markdown skill says it has, as it is enforced. */
export const SkillStep = z.strictObject({
  /** Counted from 1. */
  number: z.int().positive(),
  title: z.string(),
  /** Files of the skill that must be read in this step. */
  subskills: z.array(z.string()),
  /** Checkpoints that the person must answer in this step. */
  checkpoints: z.array(z.string()),
  /** `optional` may be left out, `repeat` is done again and again, `waits` is done when the person has said something in it. */
  marks: z.array(z.enum(['optional', 'repeat', 'waits'])).exactOptional(),
});
export type SkillStep = z.infer<typeof SkillStep>;

export const SkillDetail = z.strictObject({
  summary: SkillSummary,
  /** Null for a Markdown skill. */
  metadata: SkillMetadata.nullable(),
  /** Whose work needs which: capabilities that the person granted to a dynamic skill. */
  granted: z.array(SkillCapability),
  /** Null unless it is dynamic: the newest source. */
  code: z
    .strictObject({
      language: SkillLanguage,
      source: z.string(),
      version: z.int().positive(),
      sha256: z.string(),
    })
    .nullable(),
  /** Null unless it is a Markdown skill. */
  markdown: z
    .strictObject({
      /** Of SKILL.md, without its front matter. */
      instructions: z.string(),
      files: z.array(z.strictObject({ path: z.string(), size: z.int().nonnegative() })),
      steps: z.array(SkillStep),
      /** What of which tools its model may call, as `shell_command(git:*)`; null where it narrows nothing. */
      allowedTools: z.array(z.string()).nullable(),
    })
    .nullable(),
  findings: z.array(SkillFinding),
});
export type SkillDetail = z.infer<typeof SkillDetail>;

export const SkillExecutionStatus = z.enum(['running', 'completed', 'failed', 'cancelled']);
export type SkillExecutionStatus = z.infer<typeof SkillExecutionStatus>;

/** A stage of an execution, as it was told. */
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
  /** The execution that called it; null where an agent or the person did. */
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

/** What the person is asked to look at: everything that would be trusted with a yes. */
export const SkillReview = z.strictObject({
  skillId: z.string(),
  name: z.string(),
  source: SkillSource,
  /** Of all that is shown; a yes is to exactly these bytes. */
  sha256: z.string(),
  /** Files that differ from what was approved last; `before` is null for a new one, `after` for one that is gone. */
  files: z.array(
    z.strictObject({
      path: z.string(),
      before: z.string().nullable(),
      after: z.string().nullable(),
      /** Not text: only that it changed is shown. */
      isBinary: z.boolean(),
    }),
  ),
  capabilities: z.strictObject({
    before: z.array(SkillCapability),
    after: z.array(SkillCapability),
  }),
  requiredTools: z.array(z.string()),
  findings: z.array(SkillFinding),
  /** False where an error stands in the way of a yes. */
  mayApprove: z.boolean(),
});
export type SkillReview = z.infer<typeof SkillReview>;

/** What the editor is told of a source before it is saved. */
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

/** A skill that a run was started to do, with its parameters. */
export const RunSkill = z.strictObject({
  id: SkillId,
  params: z.record(z.string(), z.json()),
});
export type RunSkill = z.infer<typeof RunSkill>;

/** Characters of a dynamic skill's source. */
export const SKILL_SOURCE_CHARS = 200_000;
/** How deep skills may call skills. */
export const SKILL_DEPTH = 3;

/** How far a task is in a Markdown skill; lives with the task, over turns and restarts. */
export const SkillProgress = z.strictObject({
  skill: z.string(),
  /** Of the skill's files when it was loaded. */
  sha256: z.string(),
  status: z.enum(['active', 'completed', 'cancelled']),
  steps: z.array(
    SkillStep.extend({
      status: z.enum(['pending', 'done']),
      /** Of `subskills`, those that were read in this step. */
      read: z.array(z.string()),
      /** Of `checkpoints`, those that the person answered. */
      answered: z.array(z.string()),
      /** For a step that waits: the person has said something since it began. */
      heard: z.literal(true).exactOptional(),
    }),
  ),
  /** As its `allowed-tools` names them; null or absent where nothing is narrowed. */
  allowedTools: z.array(z.string()).nullable().exactOptional(),
  /** It was cancelled by a no at a checkpoint: nothing more is done in that turn. */
  isStopped: z.literal(true).exactOptional(),
  /** What was refused on the way, newest last: what was tried, and why not. */
  refusals: z.array(z.strictObject({ what: z.string(), why: z.string() })),
});
export type SkillProgress = z.infer<typeof SkillProgress>;
