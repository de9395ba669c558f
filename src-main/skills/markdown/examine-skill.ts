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

/** Lines of SKILL.md beyond which a small model loses track. */
const LONG_LINES = 500;
/** Bytes of a folder's texts that are scanned for suspicious words: scanning takes a while. */
const SCANNED_BYTES = 1024 * 1024;

/** A skill as read from its files. */
export interface ExaminedSkill {
  /** Null where it has an error. */
  readonly matter: FrontMatter | null;
  /** SKILL.md without its front matter. */
  readonly instructions: string;
  readonly steps: readonly SkillStep[];
  /** What its model may call; null where nothing is restricted. */
  readonly grants: readonly ToolGrant[] | null;
  readonly scripts: readonly string[];
  /** Errors first. */
  readonly findings: readonly SkillFinding[];
}

/**
 * Examines a folder with this name and scans its texts, each in its own turn of the event loop: a folder may
 * hold a megabyte of them. Runs nothing, and reads nothing more.
 */
export async function examineSkill(folder: SkillFolder, name: string): Promise<ExaminedSkill> {
  const skill = readSkill(folder, name);
  const findings = [...skill.findings, ...(await aboutFiles(folder.files))];
  return { ...skill, findings: findings.sort(byWeight) };
}

/** The same without scanning the texts: for a folder whose every byte was scanned before. */
export function readSkill(folder: SkillFolder, name: string): ExaminedSkill {
  const findings: SkillFinding[] = [...folder.findings];
  const main = folder.files.find(({ path }) => path === SKILL_FILE);
  const text = main === undefined ? null : textOf(main.bytes);
  if (main === undefined || text === null) {
    const [rule, message] =
      main === undefined
        ? ['skill_file_missing', `There is no ${SKILL_FILE} in the folder.`]
        : ['skill_file_no_text', `${SKILL_FILE} is not UTF-8 text.`];
    findings.push(finding('error', rule, { file: SKILL_FILE, message }));
    return { ...NOTHING, findings: findings.sort(byWeight) };
  }
  if (main.bytes.length > READ_BYTES) {
    const message = `It has ${main.bytes.length} bytes; the limit is ${READ_BYTES}.`;
    findings.push(finding('error', 'too_long', { file: SKILL_FILE, message }));
    return { ...NOTHING, findings: findings.sort(byWeight) };
  }
  const { matter, body, bodyLine, findings: own } = readFrontMatter(text, name);
  const files = folder.files.map(({ path }) => path);
  const { steps, findings: ofSteps } = parseSteps(body, { files, firstLine: bodyLine });
  const { grants, findings: ofTools } = mapAllowedTools(matter?.allowedTools ?? null);
  findings.push(...own, ...ofTools, ...ofSteps, ...aboutLength(main, { body, bodyLine }));
  return {
    matter,
    instructions: body,
    steps,
    grants,
    scripts: folder.files.filter(isScript).map(({ path }) => path),
    findings: findings.sort(byWeight),
  };
}

const NOTHING: Omit<ExaminedSkill, 'findings'> = {
  matter: null,
  instructions: '',
  steps: [],
  grants: null,
  scripts: [],
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
    const message = `It has ${lines} lines. Above ${LONG_LINES}, move parts into files that are read when needed.`;
    found.push(at('warning', 'long', message));
  }
  return found;
}

/** Findings of the files; Markdown, which a model reads, is scanned first, and files beyond the limit are named. */
async function aboutFiles(files: readonly SkillFile[]): Promise<SkillFinding[]> {
  let left = SCANNED_BYTES;
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
      'A script: it runs only in the sandbox of a task, and needs approval like any other program.';
    findings.push(finding('note', 'script', { file: file.path, message }));
  }
  if (unseen.length === 0) return findings;
  const names = unseen.slice(0, 5).join(', ');
  const more = unseen.length > 5 ? ` and ${unseen.length - 5} more` : '';
  const message = `Too much text to scan for instructions to the model: ${names}${more}.`;
  return [...findings, finding('warning', 'not_looked_through', { message })];
}

function aboutText(text: string, { path, bytes }: SkillFile, isSeen: boolean): SkillFinding[] {
  const found = [...findHiddenText(text, path), ...(isSeen ? findSuspiciousText(text, path) : [])];
  if (path === SKILL_FILE || bytes.length <= READ_BYTES || !path.endsWith('.md')) return found;
  const message = `It has ${bytes.length} bytes; a model cannot read a file over ${READ_BYTES}.`;
  return [...found, finding('warning', 'too_long', { file: path, message })];
}

const WEIGHTS: readonly SkillFinding['severity'][] = ['error', 'warning', 'note'];

function byWeight(one: SkillFinding, other: SkillFinding): number {
  return WEIGHTS.indexOf(one.severity) - WEIGHTS.indexOf(other.severity);
}
