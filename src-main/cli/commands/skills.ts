import { realpathSync, statSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { AppError } from '#contract/errors.ts';
import { safeParse } from '#contract/safe-parse.ts';
import { SKILL_SOURCE_CHARS, SkillCategory } from '#contract/skills.ts';
import type { App } from '../../compose/app.ts';
import { readSkillFolder } from '../../skills/markdown/skill-folder.ts';
import type { CliEnvironment } from '../environment.ts';
import { EXIT, UsageError } from '../exit-codes.ts';
import { openApp } from '../open-app.ts';
import { jsonLine, print } from '../output.ts';
import { describeSkill, describeSkillLine } from '../skill-text.ts';
import { readFailure, readUserFile } from '../user-file.ts';
import type { ReadFlags } from './runs.ts';

export interface SkillListFlags extends ReadFlags {
  readonly category?: string;
  readonly search?: string;
}

const writeJson = (value: unknown): void => print(jsonLine(value));

const open = ({ dataDir }: ReadFlags, environment: CliEnvironment, readOnly: boolean) =>
  openApp(environment, { dataDir, attended: false, readOnly });

/** `hyperagent skills list` */
export async function listSkills(
  flags: SkillListFlags,
  environment: CliEnvironment,
): Promise<number> {
  const { search } = flags;
  const category = flags.category === undefined ? undefined : categoryOf(flags.category);
  await using app: App = await open(flags, environment, true);
  const { skills: found } = app.api['skills.list']({ category, search });
  if (flags.json) writeJson(found);
  else if (found.length === 0) print('No skills found.\n');
  else for (const skill of found) print(describeSkillLine(skill));
  return EXIT.complete;
}

function categoryOf(text: string): SkillCategory {
  const category = safeParse(SkillCategory, text);
  if (category.success) return category.data;
  throw new UsageError(`--category ${text}: must be one of ${SkillCategory.options.join(', ')}.`);
}

/** `hyperagent skills show` */
export async function showSkill(
  id: string,
  flags: ReadFlags,
  environment: CliEnvironment,
): Promise<number> {
  await using app: App = await open(flags, environment, true);
  const { skill } = await app.api['skills.get']({ skillId: id });
  if (flags.json) writeJson(skill);
  else print(describeSkill(skill));
  return EXIT.complete;
}

/** `hyperagent skills enable` and `disable` */
export async function switchSkill(
  { id, enabled }: { readonly id: string; readonly enabled: boolean },
  flags: ReadFlags,
  environment: CliEnvironment,
): Promise<number> {
  await using app: App = await open(flags, environment, false);
  const { skill } = app.api['skills.setEnabled']({ skillId: id, enabled });
  if (flags.json) {
    writeJson(skill);
    return EXIT.complete;
  }
  const review =
    skill.state === 'needs_review'
      ? ` It needs your review: hyperagent skills review ${skill.id}`
      : '';
  print(`${skill.id} is ${enabled ? 'enabled' : 'disabled'}.${review}\n`);
  return EXIT.complete;
}

/** `hyperagent skills import`: an exported skill, a SKILL.md, or its folder. It runs only after a review. */
export async function importSkill(
  file: string,
  flags: ReadFlags,
  environment: CliEnvironment,
): Promise<number> {
  const isFolder = statSync(file, { throwIfNoEntry: false })?.isDirectory() === true;
  const given = isFolder ? { files: readFolder(file) } : { text: await readSkillFile(file) };
  await using app: App = await open(flags, environment, false);
  const { skill } = await app.api['skills.import'](given);
  const { id, version } = skill.summary;
  if (flags.json) writeJson(skill);
  else print(`Imported ${id} ${version}. Review it with: hyperagent skills review ${id}\n`);
  return EXIT.complete;
}

/** The files of a folder; links and other things that are no files are not left out, but refused. */
function readFolder(dir: string): { path: string; data: string }[] {
  const { files, findings } = readSkillFolder(realpathSync(dir));
  const [first] = findings;
  if (first !== undefined) {
    const where = first.file === null ? '' : `${first.file}: `;
    throw new AppError('SKILL_CODE_INVALID', `${dir} cannot be imported. ${where}${first.message}`);
  }
  return files.map(({ path, bytes }) => ({ path, data: bytes.toString('base64') }));
}

async function readSkillFile(file: string): Promise<string> {
  let text: string;
  try {
    text = (await readUserFile(file, SKILL_SOURCE_CHARS * 32)).toString('utf8');
  } catch (cause) {
    throw new UsageError(`The file ${file} cannot be read: ${readFailure(cause)}.`);
  }
  if (text.length <= SKILL_SOURCE_CHARS * 8) return text;
  throw new UsageError(`${file} is too large to be a skill: ${text.length} characters.`);
}

/** `hyperagent skills export` */
export async function exportSkill(
  id: string,
  flags: ReadFlags & { readonly output?: string },
  environment: CliEnvironment,
): Promise<number> {
  await using app: App = await open(flags, environment, true);
  const { fileName, text } = app.api['skills.export']({ skillId: id });
  const file = flags.output ?? fileName;
  try {
    await writeFile(file, text);
  } catch (cause) {
    const why = (cause as NodeJS.ErrnoException).code ?? 'unknown';
    throw new AppError(
      'BAD_REQUEST',
      `The skill could not be written to ${file} (${why}). Use -o FILE with a file in an existing, writable folder.`,
      { cause },
    );
  }
  const bytes = Buffer.byteLength(text);
  if (flags.json) writeJson({ skillId: id, file, bytes });
  else print(`Saved the skill to ${file} (${bytes} bytes).\n`);
  return EXIT.complete;
}
