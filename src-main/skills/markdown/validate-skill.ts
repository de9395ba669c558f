import { realpathSync, statSync } from 'node:fs';
import path from 'node:path';
import { AppError } from '#contract/errors.ts';
import type { SkillFinding } from '#contract/skills.ts';
import { examineSkill } from './examine-skill.ts';
import { readSkillFolder } from './skill-folder.ts';

/**
 * Validates the skill in a folder by the rules of the open format and of this app; `name` comes from its
 * front matter, and is null where that cannot be read. Throws `NOT_FOUND` where there is no such folder.
 */
export async function validateSkillFolder(
  dir: string,
): Promise<{ readonly name: string | null; readonly findings: readonly SkillFinding[] }> {
  if (statSync(dir, { throwIfNoEntry: false })?.isDirectory() !== true) {
    throw new AppError('NOT_FOUND', `There is no folder ${path.resolve(dir)}.`);
  }
  const folder = realpathSync(dir);
  const { matter, findings } = await examineSkill(readSkillFolder(folder), path.basename(folder));
  return { name: matter?.name ?? null, findings };
}
