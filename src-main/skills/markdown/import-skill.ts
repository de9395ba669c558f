import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { AppError } from '#contract/errors.ts';
import type { SkillFinding } from '#contract/skills.ts';
import type { ImportedFile } from '../catalogue-types.ts';
import { examineSkill } from './examine-skill.ts';
import { readFrontMatter } from './front-matter.ts';
import { MOST_BYTES, MOST_FILES, SKILL_FILE } from './limits.ts';
import { codeOf, readSkillFolder } from './skill-folder.ts';
import { textOf } from './skill-text.ts';

export interface ImportPlace {
  /** The user's folder of Markdown skills. */
  readonly dir: string;
  /** Whether a skill has this id, or a name that means it. */
  readonly isTaken: (id: string) => boolean;
}

const PATH_CHARS = 1_000;
const DEEPEST = 10;
/** Names that mean a device on Windows, where the folder may be copied to. */
const DEVICES = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i;

/**
 * Writes the files as a new skill, named by its front matter, and returns that name. Everything is written and
 * examined beside the folder first: a skill with an error never appears in it. Links cannot be imported, and
 * permissions are the app's own.
 */
export async function importSkillFiles(
  given: readonly ImportedFile[],
  { dir, isTaken }: ImportPlace,
): Promise<string> {
  const files = checkedFiles(withoutTopFolder(given));
  const name = nameOf(files);
  if (isTaken(name)) throw taken(name);
  mkdirSync(dir, { recursive: true, mode: 0o700 });
  const staging = mkdtempSync(path.join(path.dirname(dir), '.skill-import-'));
  try {
    const folder = path.join(staging, name);
    mkdirSync(folder, { mode: 0o700 });
    for (const file of files) writeInto(folder, file);
    const { findings } = await examineSkill(readSkillFolder(folder), name);
    const errors = findings.filter(({ severity }) => severity === 'error');
    if (errors.length > 0) throw invalid(errors);
    moveInto(folder, path.join(dir, name));
    return name;
  } finally {
    rmSync(staging, { recursive: true, force: true });
  }
}

function writeInto(folder: string, { path: file, bytes }: ImportedFile): void {
  const target = path.join(folder, ...file.split('/'));
  try {
    mkdirSync(path.dirname(target), { recursive: true, mode: 0o700 });
    // Fails where it exists: names may meet on this file system that differ elsewhere.
    writeFileSync(target, bytes, { flag: 'wx', mode: 0o600 });
  } catch (error) {
    if (!['EEXIST', 'ENOTDIR', 'EISDIR', 'ENAMETOOLONG'].includes(codeOf(error) ?? '')) throw error;
    throw refused([`${JSON.stringify(file.slice(0, 200))} meets another name, or is too long.`]);
  }
}

/** Throws `CONFLICT` where something is at the target already. */
function moveInto(folder: string, target: string): void {
  try {
    // An empty folder would be replaced without a word.
    if (existsSync(target)) throw taken(path.basename(target));
    renameSync(folder, target);
  } catch (error) {
    const isThere = ['ENOTEMPTY', 'EEXIST', 'EPERM'].includes(codeOf(error) ?? '');
    throw isThere ? taken(path.basename(target)) : error;
  }
}

/** Folders are picked with their own name: `tea/SKILL.md` is `SKILL.md` of the folder `tea`. */
function withoutTopFolder(files: readonly ImportedFile[]): readonly ImportedFile[] {
  if (files.some(({ path: file }) => file === SKILL_FILE)) return files;
  const tops = new Set(files.map(({ path: file }) => file.split('/', 1)[0] ?? ''));
  const [top = ''] = tops;
  if (tops.size !== 1 || !files.some(({ path: file }) => file === `${top}/${SKILL_FILE}`)) {
    throw refused([`There is no ${SKILL_FILE} in the folder.`]);
  }
  return files.map(({ path: file, bytes }) => ({ path: file.slice(top.length + 1), bytes }));
}

function checkedFiles(files: readonly ImportedFile[]): readonly ImportedFile[] {
  const bytes = files.reduce((sum, file) => sum + file.bytes.length, 0);
  if (files.length > MOST_FILES) throw refused([`A skill may have at most ${MOST_FILES} files.`]);
  if (bytes > MOST_BYTES) {
    throw refused([
      `The files of a skill may have at most ${MOST_BYTES / 1024 / 1024} MB together.`,
    ]);
  }
  const seen = new Set<string>();
  const problems = files.flatMap(({ path: file }) => {
    const folded = file.normalize('NFC').toLowerCase();
    const isTwice = seen.has(folded);
    seen.add(folded);
    const shown = JSON.stringify(file.slice(0, 200));
    if (isTwice) return [`${shown} is there twice, or differs only in upper and lower case.`];
    return isPlainPath(file) ? [] : [`${shown} is not a plain path within the folder.`];
  });
  if (problems.length > 0) throw refused(problems);
  return files;
}

function isPlainPath(file: string): boolean {
  const parts = file.split('/');
  return (
    file.length <= PATH_CHARS &&
    parts.length <= DEEPEST &&
    !/[\p{C}\\:*?"<>|\uFFFD]/u.test(file) &&
    parts.every(
      (part) => !['', '.', '..'].includes(part) && !/[. ]$/.test(part) && !DEVICES.test(part),
    )
  );
}

/** The name in the front matter, which becomes that of the folder. */
function nameOf(files: readonly ImportedFile[]): string {
  const main = files.find(({ path: file }) => file === SKILL_FILE);
  const text = main === undefined ? null : textOf(main.bytes);
  if (text === null) throw refused([`${SKILL_FILE} is not UTF-8 text.`]);
  const given = /^name:[ \t]*["']?([a-z0-9]+(?:-[a-z0-9]+)*)["']?[ \t]*\r?$/m.exec(text)?.[1] ?? '';
  const { matter, findings } = readFrontMatter(text, given);
  if (matter === null) throw invalid(findings.filter(({ severity }) => severity === 'error'));
  if (DEVICES.test(matter.name)) throw refused([`${matter.name} cannot be the name of a folder.`]);
  return matter.name;
}

function taken(name: string): AppError {
  return new AppError(
    'CONFLICT',
    `There is a skill ${name} already. Remove it or its folder first, or give this one another name.`,
    { details: { skill: name } },
  );
}

function invalid(errors: readonly SkillFinding[]): AppError {
  return refused(
    errors.map(({ file, line, message }) =>
      file === null ? message : `${file}${line === null ? '' : `:${line}`}: ${message}`,
    ),
  );
}

function refused(problems: readonly string[]): AppError {
  const shown = problems.slice(0, 5).join(' ');
  return new AppError('SKILL_CODE_INVALID', `This skill cannot be imported. ${shown}`, {
    details: { problems: problems.slice(0, 20) },
  });
}
