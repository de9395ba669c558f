import path from 'node:path/posix';
import type { SkillFinding, SkillStep } from '#contract/skills.ts';
import { MOST_PATH_CHARS } from '../../base/path-glob.ts';
import { finding } from './finding.ts';
import { SKILL_FILE } from './limits.ts';

/** A checkpoint of every skill: the user agrees to leave it unfinished. */
export const LEAVE_CHECKPOINT = 'leave_skill';
const MOST_STEPS = 50;
const TITLE_CHARS = 120;
/** Characters of a line that are searched for its title. */
const TITLE_LINE_CHARS = 1_000;

export interface ParsedSteps {
  readonly steps: readonly SkillStep[];
  readonly findings: readonly SkillFinding[];
}

type StepMark = NonNullable<SkillStep['marks']>[number];

interface Item {
  readonly line: number;
  readonly lines: string[];
}

/**
 * The steps of a skill: the numbered list under the heading `## Steps` or `## Workflow`. A skill without
 * that heading has none. `files` are those of its folder; lines are counted from `firstLine` on.
 */
export function parseSteps(
  body: string,
  { files, firstLine = 1 }: { readonly files: readonly string[]; readonly firstLine?: number },
): ParsedSteps {
  const findings: SkillFinding[] = [];
  const report: Report = (severity, rule, { line, message }) => {
    findings.push(finding(severity, rule, { file: SKILL_FILE, line, message }));
  };
  const section = findSection(body.split(/\r?\n/), firstLine);
  if (section === null) return { steps: [], findings };
  const items = splitItems(section.lines, section.line + 1);
  if (items.length === 0) {
    const message = 'There is no numbered list ("1. ...") under this heading: no step is enforced.';
    report('warning', 'steps_empty', { line: section.line, message });
  }
  if (items.length > MOST_STEPS) {
    report('error', 'steps_too_many', {
      line: section.line,
      message: `There are more than ${MOST_STEPS} steps.`,
    });
  }
  const steps = items
    .slice(0, MOST_STEPS)
    .map((item, i) => readStep(item, i + 1, { files, report }));
  reportRepeatedCheckpoints(steps, { items, report });
  return { steps, findings };
}

type Report = (
  severity: SkillFinding['severity'],
  rule: string,
  at: { readonly line: number; readonly message: string },
) => void;

/** The lines under the heading, up to the next one that is not below it. */
function findSection(
  lines: readonly string[],
  firstLine: number,
): { readonly line: number; readonly lines: readonly string[] } | null {
  const shown = withoutFences(lines);
  const at = shown.findIndex((line) => /^##[ \t]+(?:steps|workflow)[ \t]*#*[ \t]*$/i.test(line));
  if (at < 0) return null;
  const rest = shown.slice(at + 1);
  const end = rest.findIndex((line) => /^#{1,2}[ \t]/.test(line));
  return { line: firstLine + at, lines: end < 0 ? rest : rest.slice(0, end) };
}

/** Fenced code holds examples, not steps. */
function withoutFences(lines: readonly string[]): string[] {
  let fence: string | null = null;
  return lines.map((line) => {
    const mark = /^[ \t]*(```+|~~~+)/.exec(line)?.[1];
    if (fence === null) {
      fence = mark ?? null;
      return mark === undefined ? line : '';
    }
    if (mark?.startsWith(fence)) fence = null;
    return '';
  });
}

/** A numbered line that is indented as far as the text of the item above belongs to a nested list. */
function splitItems(lines: readonly string[], firstLine: number): Item[] {
  const items: Item[] = [];
  let within = 4;
  for (const [i, line] of lines.entries()) {
    const begun = /^( {0,3})(\d{1,3}[.)][ \t]+)(.*)$/.exec(line);
    const [, indent = '', mark = '', text = ''] = begun ?? [];
    if (begun === null || indent.length >= within) {
      items.at(-1)?.lines.push(line);
      continue;
    }
    items.push({ line: firstLine + i, lines: [text] });
    within = Math.min(4, indent.length + mark.length);
  }
  return items;
}

function readStep(
  { line, lines }: Item,
  number: number,
  { files, report }: { readonly files: readonly string[]; readonly report: Report },
): SkillStep {
  const subskills = new Set<string>();
  const checkpoints = new Set<string>();
  const marks = new Set<StepMark>();
  for (const [i, text] of lines.entries()) {
    for (const { name, by } of namedFiles(text)) {
      const file = resolveFile(name, files, by === 'link');
      if (file !== null) subskills.add(file);
      else {
        const message = `Step ${number} names ${JSON.stringify(name)}, but there is no such file in the folder.`;
        // "Read README.md" may mean a file of the user's.
        report(by === 'word' ? 'warning' : 'error', 'step_file_missing', {
          line: line + i,
          message,
        });
      }
    }
    for (const [, id = ''] of text.matchAll(/\bcheckpoint:[ \t]*`?([A-Za-z0-9][\w-]{0,63})/gi)) {
      checkpoints.add(id);
      if (sameCheckpoint(id, LEAVE_CHECKPOINT)) {
        const message = `${LEAVE_CHECKPOINT} belongs to every skill, and cannot be a checkpoint of a step.`;
        report('error', 'checkpoint_reserved', { line: line + i, message });
      }
    }
    // A mark further down belongs to a part of the step, not to the step.
    const marked = i === 0 ? text.matchAll(/\((optional|repeat|waits|review)\)/gi) : [];
    for (const [, mark = ''] of marked) {
      marks.add(mark.toLowerCase() as StepMark);
    }
  }
  const title = titleOf(lines[0] ?? '') || `Step ${number}`;
  return {
    number,
    title,
    subskills: [...subskills],
    checkpoints: [...checkpoints],
    ...(marks.size === 0 ? {} : { marks: [...marks] }),
  };
}

interface NamedFile {
  readonly name: string;
  readonly by: 'link' | 'call' | 'word';
}

/** Files that a line names, by a link, by `call →`, or in words. */
function namedFiles(text: string): NamedFile[] {
  const links = [...text.matchAll(/\]\(<?([^()<>\s]+)>?(?:[ \t]+"[^"]*")?\)/g)]
    .map(([, target = '']) => target.replace(/#.*$/, ''))
    .filter((target) => /\.md$/i.test(target) && !/^[a-z][a-z0-9+.-]*:/i.test(target));
  const words = text.replace(/\]\([^()]*\)/g, ']');
  const called = words.matchAll(/\bcall[ \t]*(?:→|->)[ \t]*[`"']?([\w][\w./-]*\w)/gi);
  const read = words.matchAll(/\bread[ \t]+[`"']?([\w][\w./-]*\.md)\b/gi);
  return [
    ...links.map((name) => ({ name, by: 'link' as const })),
    ...[...called].map(([, name = '']) => ({ name, by: 'call' as const })),
    ...[...read].map(([, name = '']) => ({ name, by: 'word' as const })),
  ];
}

/** The file of the folder that a name means: its path, or its last part where only one file has that. */
function resolveFile(name: string, files: readonly string[], isLink: boolean): string | null {
  if (name.length > MOST_PATH_CHARS) return null;
  const plain = path.normalize(name);
  const named = files.find((file) => file === plain || (!isLink && file === `${plain}.md`));
  if (named !== undefined) return named;
  if (isLink || plain.startsWith('..')) return null;
  const ending = /\.md$/i.test(plain) ? plain : `${plain}.md`;
  const found = files.filter((file) => file.endsWith(`/${ending}`));
  return found.length === 1 ? (found[0] ?? null) : null;
}

/** The first bold text, or the first sentence. */
function titleOf(text: string): string {
  // A line can have any length; a title cannot.
  const plain = text
    .slice(0, TITLE_LINE_CHARS)
    .replace(/\((?:optional|repeat|waits|review)\)/gi, '')
    .replace(/!?\[([^\]]*)\]\([^()]*\)/g, '$1');
  const bold = /\*\*(.+?)\*\*|__(.+?)__/.exec(plain);
  const title = bold?.[1] ?? bold?.[2] ?? /^.*?[.!?:](?=\s|$)/.exec(plain)?.[0] ?? plain;
  return title
    .replace(/[`*_]{1,2}(?=\S)|(?<=\S)[`*]{1,2}/g, '')
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/[.:]$/, '')
    .slice(0, TITLE_CHARS);
}

function reportRepeatedCheckpoints(
  steps: readonly SkillStep[],
  { items, report }: { readonly items: readonly Item[]; readonly report: Report },
): void {
  const first = new Map<string, number>();
  for (const { number, checkpoints } of steps) {
    for (const id of checkpoints) {
      const known = first.get(foldCheckpoint(id));
      first.set(foldCheckpoint(id), known ?? number);
      if (known === undefined) continue;
      const message = `Step ${known} already has the checkpoint ${id}; give this one another name.`;
      report('error', 'checkpoint_repeated', { line: items[number - 1]?.line ?? 1, message });
    }
  }
}

/** Compares names loosely: models write checkpoints with spaces, hyphens and capitals. */
export function sameCheckpoint(one: string, other: string): boolean {
  return foldCheckpoint(one) === foldCheckpoint(other);
}

function foldCheckpoint(id: string): string {
  return id
    .trim()
    .toLowerCase()
    .replace(/[\s_-]+/g, '_');
}
