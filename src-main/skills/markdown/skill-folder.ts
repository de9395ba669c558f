import { createHash } from 'node:crypto';
import {
  closeSync,
  constants,
  fstatSync,
  openSync,
  readdirSync,
  readlinkSync,
  readSync,
} from 'node:fs';
import path from 'node:path/posix';
import type { SkillFinding } from '#contract/skills.ts';
import { FolderHandle } from '../../sandbox/workspace/confined-path.ts';
import { finding } from './finding.ts';
import { HEAD_BYTES, MOST_BYTES, MOST_FILES, SKILL_FILE } from './limits.ts';

const DEEPEST = 10;
const FIRST_BYTES = 4_096;
/** Bookkeeping of other tools; not part of a skill, and never handed out. */
const NOT_PART: ReadonlySet<string> = new Set(['.git', '.DS_Store', 'Thumbs.db']);
/** Windows has neither these flags nor such files. */
const FLAGS = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

export interface SkillFile {
  /** Relative to the folder, with `/`. */
  readonly path: string;
  readonly bytes: Buffer;
  readonly sha256: string;
}

/** A folder as it was read, once: these bytes are what is hashed, shown, approved and given to a model. */
export interface SkillFolder {
  /** By path. */
  readonly files: readonly SkillFile[];
  /** Errors: links, odd names, too many or too large files. */
  readonly findings: readonly SkillFinding[];
  /** Hash of all paths and the hashes of their files. */
  readonly sha256: string;
}

/** All files of a folder. Follows no link, anywhere in the path. Throws the file system's error for the folder. */
export function readSkillFolder(dir: string): SkillFolder {
  const files: SkillFile[] = [];
  let left = MOST_BYTES;
  const problems = visitFiles(dir, (folder, { name, path: file }) => {
    const bytes = readBytes(folder.at(name), left);
    if (bytes === null) return false;
    left -= bytes.length;
    files.push({ path: file, bytes, sha256: sha256Of(bytes) });
    return true;
  });
  files.sort(byPath);
  const hash = createHash('sha256');
  for (const file of files) hash.update(`${file.path}\0${file.sha256}\n`);
  // Adding or removing a link counts as a change too.
  for (const { rule, file } of problems) hash.update(`${file}\0${rule}\n`);
  return { files, findings: problems, sha256: hash.digest('hex') };
}

/**
 * A fingerprint that changes with any file of the folder, without reading them: sizes, times and inodes. Good
 * enough for a list; loading hashes the content. Throws the file system's error for the folder.
 */
export function fingerprintOf(dir: string): string {
  const facts: string[] = [];
  const problems = visitFiles(dir, (folder, { name, path: file }) => {
    const descriptor = openSync(folder.at(name), FLAGS);
    try {
      const { size, mtimeMs, ctimeMs, ino } = fstatSync(descriptor);
      facts.push(`${file} ${size} ${mtimeMs} ${ctimeMs} ${ino}`);
    } finally {
      closeSync(descriptor);
    }
    return true;
  });
  return [...facts.sort(), ...problems.map(({ rule, file }) => `${file} ${rule}`)].join('\n');
}

/** The beginning of SKILL.md, as far as its front matter goes; null where there is no such file. */
export function readHead(dir: string): string | null {
  using folder = openFolder(dir);
  const head = (bytes: number): string | null =>
    readBytes(folder.at(SKILL_FILE), bytes, { mayCut: true })?.toString('utf8') ?? null;
  try {
    // Most front matter is short: more is read only where its end is not in the first bytes.
    const first = head(FIRST_BYTES);
    return first === null || /\n---[ \t]*\r?\n/.test(first) ? first : head(HEAD_BYTES);
  } catch (error) {
    if (isGone(error) || codeOf(error) === 'ELOOP') return null;
    throw error;
  }
}

type OpenFolder = Disposable & Pick<FolderHandle, 'at'>;

/** Kept open while it is read. Folders in the packed app's archive cannot be opened, but nobody can swap them either. */
function openFolder(dir: string): OpenFolder {
  try {
    return new FolderHandle(dir);
  } catch (error) {
    if (!/\.asar[\\/]/.test(dir)) throw error;
    return {
      at: (name = '') => (name === '' ? dir : path.join(dir, name)),
      [Symbol.dispose]: () => undefined,
    };
  }
}

interface Place {
  readonly name: string;
  readonly path: string;
}

/** Visits each file of a folder, recursively; returns findings for what must not be there, by path. */
function visitFiles(
  dir: string,
  take: (folder: OpenFolder, place: Place) => boolean,
): SkillFinding[] {
  const findings: SkillFinding[] = [];
  const seen = new Set<string>();
  let count = 0;
  const report = (rule: string, file: string, message: string): void => {
    findings.push(finding('error', rule, { file, message }));
  };
  const enter = (folder: OpenFolder, below: string, depth: number): void => {
    for (const entry of readdirSync(folder.at(), { withFileTypes: true })) {
      const { name } = entry;
      if (NOT_PART.has(name)) continue;
      const file = path.join(below, name);
      if (count > MOST_FILES) return;
      if (isOdd(name))
        report('file_name', visible(file), 'Its name contains hidden or misleading characters.');
      else if (seen.has(file.toLowerCase())) {
        report('names_collide', file, 'Another name differs only in upper and lower case.');
      }
      seen.add(file.toLowerCase());
      if (entry.isSymbolicLink()) {
        report('link', file, `It is a link to ${targetOf(folder, name)}; links are not followed.`);
      } else if (entry.isDirectory()) {
        if (depth >= DEEPEST) {
          report('too_deep', file, `Folders are nested more than ${DEEPEST} deep.`);
          continue;
        }
        using inner = openFolder(folder.at(name));
        enter(inner, file, depth + 1);
      } else if (entry.isFile()) {
        count += 1;
        if (count > MOST_FILES) {
          findings.push(tooMany());
          return;
        }
        if (!take(folder, { name, path: file })) report('too_big', file, TOO_BIG);
      } else report('no_file', file, 'It is not a regular file.');
    }
  };
  using root = openFolder(dir);
  enter(root, '', 1);
  return findings.sort((one, other) =>
    byPath({ path: one.file ?? '' }, { path: other.file ?? '' }),
  );
}

const TOO_BIG = `The files of a skill may have at most ${MOST_BYTES / 1024 / 1024} MB together.`;

function tooMany(): SkillFinding {
  const message = `A skill may have at most ${MOST_FILES} files.`;
  return finding('error', 'too_many_files', { message });
}

/** The bytes of a regular file; null for one of more than `most` bytes, unless it may be cut. */
function readBytes(place: string, most: number, { mayCut = false } = {}): Buffer | null {
  const descriptor = openSync(place, FLAGS);
  try {
    const facts = fstatSync(descriptor);
    if (!facts.isFile()) throw Object.assign(new Error('Not a regular file'), { code: 'ELOOP' });
    if (facts.size > most && !mayCut) return null;
    // The file may be growing: never read more than the size that was checked.
    const bytes = Buffer.alloc(Math.min(facts.size, most));
    let read = 0;
    while (read < bytes.length) {
      const more = readSync(descriptor, bytes, read, bytes.length - read, read);
      if (more === 0) break;
      read += more;
    }
    return bytes.subarray(0, read);
  } finally {
    closeSync(descriptor);
  }
}

function targetOf(folder: OpenFolder, name: string): string {
  try {
    return JSON.stringify(readlinkSync(folder.at(name)).slice(0, 200));
  } catch {
    // It was removed meanwhile; it is enough to know that it was a link.
    return 'somewhere';
  }
}

/** Whether a name is not in composed form, or has invisible characters. */
function isOdd(name: string): boolean {
  return name.normalize('NFC') !== name || /[\p{C}\\\uFFFD]/u.test(name);
}

function visible(text: string): string {
  return text.replace(/[\p{C}\uFFFD]/gu, (letter) => {
    return `\\u{${(letter.codePointAt(0) ?? 0).toString(16)}}`;
  });
}

function sha256Of(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex');
}

function byPath({ path: one }: { path: string }, { path: other }: { path: string }): number {
  return one < other ? -1 : Number(one > other);
}

export function codeOf(error: unknown): string | null {
  return error instanceof Error && 'code' in error ? String(error.code) : null;
}

export function isGone(error: unknown): boolean {
  return ['ENOENT', 'ENOTDIR', 'EACCES', 'EPERM'].includes(codeOf(error) ?? '');
}
