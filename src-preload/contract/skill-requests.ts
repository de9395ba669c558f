import { z } from 'zod';
import {
  SKILL_SOURCE_CHARS,
  SkillCapability,
  SkillCategory,
  SkillCheck,
  SkillDetail,
  SkillExecution,
  SkillLanguage,
  SkillReview,
  SkillSummary,
  SkillTemplate,
  SkillVersion,
} from './skills.ts';

const skill = z.strictObject({ skillId: z.string().min(1).max(100) });
const nothing = z.strictObject({});
const source = z.string().min(1).max(SKILL_SOURCE_CHARS);

/** Requests about skills; a part of `REQUESTS`. Unknown ids fail with `NOT_FOUND`. */
export const SKILL_REQUESTS = {
  /** By name; `search` looks in ids, names, descriptions and tags. */
  'skills.list': {
    effect: 'read',
    input: z.strictObject({
      category: SkillCategory.optional(),
      search: z.string().max(200).optional(),
    }),
    output: z.strictObject({ skills: z.array(SkillSummary) }),
  },
  'skills.get': { effect: 'read', input: skill, output: z.strictObject({ skill: SkillDetail }) },
  'skills.setEnabled': {
    effect: 'once',
    input: skill.extend({ enabled: z.boolean() }),
    output: z.strictObject({ skill: SkillSummary }),
  },
  /** Newest first: of one skill, or of all; or the one with this id. */
  'skills.executions': {
    effect: 'read',
    input: z.strictObject({
      executionId: z.string().min(1).max(500).optional(),
      skillId: z.string().max(100).optional(),
      limit: z.int().min(1).max(200).optional(),
    }),
    output: z.strictObject({ executions: z.array(SkillExecution) }),
  },
  /** Metadata and findings of a source. Stores nothing and runs nothing. */
  'skills.check': {
    effect: 'read',
    input: z.strictObject({ language: SkillLanguage, source }),
    output: SkillCheck,
  },
  /**
   * Stores a source as the newest version of the skill it names; that version runs once the user has
   * approved it. `SKILL_CODE_INVALID` if it cannot be stored. `CONFLICT` if the id belongs to a skill of
   * another kind, or if the newest source is not `base`; then `details.newest` is its hash.
   */
  'skills.save': {
    effect: 'once',
    input: z.strictObject({
      language: SkillLanguage,
      source,
      /** The hash of the source that was edited; null for a new skill. If absent, any version is replaced. */
      base: z.string().length(64).nullable().optional(),
    }),
    output: z.strictObject({ skill: SkillDetail }),
  },
  'skills.versions': {
    effect: 'read',
    input: skill,
    output: z.strictObject({ versions: z.array(SkillVersion) }),
  },
  /** What an approval would trust, compared with the last approval. */
  'skills.review': {
    effect: 'read',
    input: skill,
    output: z.strictObject({ review: SkillReview }),
  },
  /** Approves exactly the bytes of `sha256`, with these capabilities; `CONFLICT` if they changed since. */
  'skills.approve': {
    effect: 'once',
    input: skill.extend({
      sha256: z.string().length(64),
      capabilities: z.array(SkillCapability),
    }),
    output: z.strictObject({ skill: SkillDetail }),
  },
  /** Removes a dynamic skill with its versions. */
  'skills.remove': { effect: 'once', input: skill, output: nothing },
  /** A dynamic skill as one file, JSON. */
  'skills.export': {
    effect: 'read',
    input: skill,
    output: z.strictObject({ fileName: z.string(), text: z.string() }),
  },
  /**
   * Imports such a file or the text of a SKILL.md as `text`, or a folder with a SKILL.md as `files`; the skill then
   * needs a review. `SKILL_CODE_INVALID` names what is wrong with it, `CONFLICT` a skill that has its id.
   */
  'skills.import': {
    effect: 'once',
    input: z.strictObject({
      text: z
        .string()
        .max(SKILL_SOURCE_CHARS * 8)
        .optional(),
      files: z
        .array(
          z.strictObject({
            /** Relative to the folder, with `/`. */
            path: z.string().min(1).max(1_000),
            data: z.base64().max(16_000_000),
          }),
        )
        .min(1)
        .max(500)
        .optional(),
    }),
    output: z.strictObject({ skill: SkillDetail }),
  },
  'skills.templates': {
    effect: 'read',
    input: nothing,
    output: z.strictObject({
      templates: z.array(SkillTemplate),
      /** TypeScript declarations of the skill API, for the editor. */
      types: z.string(),
    }),
  },
  /** Scans the folders of Markdown skills again. */
  'skills.refresh': { effect: 'once', input: nothing, output: nothing },
} as const;
