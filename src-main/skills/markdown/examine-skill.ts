import { setImmediate as nextTurn } from 'node:timers/promises';
import type { SkillFinding, SkillStep } from '#contract/skills.ts';
import { findHiddenText } from '../hidden-text.ts';
import { mapAllowedTools } from './allowed-tools.ts';
import { finding } from './finding.ts';
import { type FrontMatter, readFrontMatter } from './front-matter.ts';
import { HEAD_BYTES, READ_BYTES, SKILL_FILE } from './limits.ts';
import { parseSteps } from './parse-steps.ts';
import type { SkillFile, SkillFolder } from './skill-folder.ts';
import { isScript, textOf } from './skill-text.ts';
import { findSuspiciousText } from './suspicious-text.ts';
import type { ToolGrant } from './tool-grant.ts';

/** Lines of SKILL.md past which a small model loses its way. */
const LONG_LINES = 500;
/** Of all texts of a folder, what is looked through for suspicious words: that takes a while. */
const LOOKED_THROUGH_BYTES = 1024 * 1024;

/** A skill as its files say it is. */
export interface ExaminedSkill {
  /** Null where an error stands in the way. */
  readonly matter: FrontMatter | null;
  /** Of SKILL.md, without its front matter. */
  readonly instructions: string;
  readonly steps: readonly SkillStep[];
  /** What its model may call; null where nothing is narrowed. */
  readonly grants: readonly ToolGrant[] | null;
  readonly scripts: readonly string[];
  /** Errors first. */
  readonly findings: readonly SkillFinding[];
}

/**
 * Looks at all that is in a folder that has this name, and looks through its texts, each in a turn of the loop of
 * its own: a folder may hold a megabyte of them. Runs nothing, and reads nothing more.
 */
export async function examineSkill(folder: SkillFolder, name: string): Promise<ExaminedSkill> {
  const skill = readSkill(folder, name);
  const findings = [...skill.findings, ...(await aboutFiles(folder.files))];
  return { ...skill, findings: findings.sort(byWeight) };
}

/** The same without looking through the texts: for a folder of which every byte was looked through before. */
export function readSkill(folder: SkillFolder, name: string): ExaminedSkill {
  const findings: SkillFinding[] = [...folder.findings];
  const main = folder.files.find(({ path }) => path === SKILL_FILE);
  const text = main === undefined ? null : textOf(main.bytes);
  if (main === undefined || text === null) {
    const [rule, message] =
      main === undefined
        ? ['skill_file_missing', `There is no ${SKILL_FILE} in the folder.`]
        : ['skill_file_no_text', `${SKILL_FILE} is no text in UTF-8.`];
    findings.push(finding('error', rule, { file: SKILL_FILE, message }));
    return { ...NOTHING, findings: findings.sort(byWeight) };
  }
  if (main.bytes.length > READ_BYTES) {
    const message = `It has ${main.bytes.length} bytes; ${READ_BYTES} are the most.`;
    findings.push(finding('error', 'too_long', { file: SKILL_FILE, message }));
    return { ...NOTHING, findings: findings.sort(byWeight) };
  }
  const { matter, body, bodyLine, findings: own } = readFrontMatter(text, name);
  const files = folder.files.map(({ path }) => path);
  const { steps, findings: ofSteps } = parseSteps(body, { files, firstLine: bodyLine });
  const { grants, findings: ofTools } = mapAllowedTools(matter?.allowedTools ?? null);
  findings.push(...own, ...ofTools, ...ofSteps, ...aboutLength(main, { body, bodyLine }));
  return {
    ...{ matter, instructions: body, steps, grants },
    scripts: folder.files.filter(isScript).map(({ path }) => path),
    findings: findings.sort(byWeight),
  };
}

const NOTHING: Omit<ExaminedSkill, 'findings'> = {
  ...{ matter: null, instructions: '', steps: [], grants: null, scripts: [] },
};

function aboutLength(
  { bytes }: SkillFile,
  { body, bodyLine }: { readonly body: string; readonly bodyLine: number },
): SkillFinding[] {
  const at = (severity: 'error' | 'warning', rule: string, message: string): SkillFinding =>
    finding(severity, rule, { file: SKILL_FILE, message });
  const found: SkillFinding[] = [];
  if (body.trim() === '') found.push(at('error', 'body_missing', 'There are no instructions.'));
  if (bytes.length - Buffer.byteLength(body) > HEAD_BYTES) {
    const message = `The front matter must end within the first ${HEAD_BYTES} bytes.`;
    found.push(at('error', 'front_matter_too_long', message));
  }
  const lines = bodyLine + body.split('\n').length - 1;
  if (lines > LONG_LINES) {
    const message = `It has ${lines} lines; with more than ${LONG_LINES}, move parts into files that are read when they are needed.`;
    found.push(at('warning', 'long', message));
  }
  return found;
}

/** Files that a model reads first; what is too much to be looked through is said. */
async function aboutFiles(files: readonly SkillFile[]): Promise<SkillFinding[]> {
  let left = LOOKED_THROUGH_BYTES;
  const unseen: string[] = [];
  const isMarkdown = ({ path }: SkillFile): boolean => path.toLowerCase().endsWith('.md');
  const inOrder = [...files].sort(
    (one, other) => Number(isMarkdown(other)) - Number(isMarkdown(one)),
  );
  const findings: SkillFinding[] = [];
  for (const file of inOrder) {
    await nextTurn();
    const text = textOf(file.bytes);
    const isSeen = file.bytes.length <= Math.min(left, READ_BYTES);
    if (text !== null && isSeen) left -= file.bytes.length;
    if (text !== null && !isSeen) unseen.push(file.path);
    if (text !== null) findings.push(...aboutText(text, file, isSeen));
    if (!isScript(file)) continue;
    const message =
      'A script: it runs only in the sandbox of a task, and is asked about like any other.';
    findings.push(finding('note', 'script', { file: file.path, message }));
  }
  if (unseen.length === 0) return findings;
  const names = unseen.slice(0, 5).join(', ');
  const more = unseen.length > 5 ? ` and ${unseen.length - 5} more` : '';
  const message = `Too much text to look through for orders to the model: ${names}${more}.`;
  return [...findings, finding('warning', 'not_looked_through', { message })];
}

function aboutText(text: string, { path, bytes }: SkillFile, isSeen: boolean): SkillFinding[] {
  const found = [...findHiddenText(text, path), ...(isSeen ? findSuspiciousText(text, path) : [])];
  if (path === SKILL_FILE || bytes.length <= READ_BYTES || !path.endsWith('.md')) return found;
  const message = `It has ${bytes.length} bytes; a model is given no file over ${READ_BYTES}.`;
  return [...found, finding('warning', 'too_long', { file: path, message })];
}

const WEIGHTS: readonly SkillFinding['severity'][] = ['error', 'warning', 'note'];

function byWeight(one: SkillFinding, other: SkillFinding): number {
  return WEIGHTS.indexOf(one.severity) - WEIGHTS.indexOf(other.severity);
}
