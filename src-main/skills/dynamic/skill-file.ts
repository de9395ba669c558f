import { z } from 'zod';
import { AppError } from '#contract/errors.ts';
import { safeParse } from '#contract/safe-parse.ts';
import { SKILL_SOURCE_CHARS, SkillLanguage } from '#contract/skills.ts';
import { parseOutsideJson } from '../../base/outside-json.ts';
import { sourceHash } from './source-hash.ts';

/** A dynamic skill as one file, without its approvals and counters. */
const SkillFile = z.strictObject({
  format: z.literal('hyperagent-skill'),
  version: z.literal(1),
  language: SkillLanguage,
  source: z.string().min(1).max(SKILL_SOURCE_CHARS),
  sha256: z.string().length(64),
});

export interface SkillSourceText {
  readonly language: SkillLanguage;
  readonly source: string;
}

export function writeSkillFile({ language, source }: SkillSourceText): string {
  const file: z.infer<typeof SkillFile> = {
    format: 'hyperagent-skill',
    version: 1,
    language,
    source,
    sha256: sourceHash(language, source),
  };
  return `${JSON.stringify(file, null, 2)}\n`;
}

/** Throws `SKILL_CODE_INVALID` for anything but a complete file. */
export function readSkillFile(text: string): SkillSourceText {
  const invalid = (problem: string): AppError =>
    new AppError('SKILL_CODE_INVALID', `This is not a skill file: ${problem}`);
  let value: unknown;
  try {
    value = parseOutsideJson(text);
  } catch (error) {
    throw invalid(error instanceof Error ? error.message : 'it is not JSON.');
  }
  const parsed = safeParse(SkillFile, value);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    throw invalid(`${issue?.path.join('.') || 'the file'}: ${issue?.message ?? 'wrong'}.`);
  }
  const { language, source, sha256 } = parsed.data;
  if (sha256 === sourceHash(language, source)) return { language, source };
  throw invalid('its source does not match its sha256: the file was changed or is damaged.');
}
