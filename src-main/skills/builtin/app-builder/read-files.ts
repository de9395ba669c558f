import path from 'node:path/posix';
import { type CodeBlock, readFenced } from '../../fenced-code.ts';

/** Whose files these are, to tell which block is which. */
export interface FileNames {
  /** The folder of the app in the workspace. */
  readonly folder: string;
  /** Files that are there or planned, in the workspace. */
  readonly known: readonly string[];
  /** What a block without a name is; null where it is nothing. */
  readonly unnamed: string | null;
  /** The configuration of a template is right, and stays. */
  readonly fromTemplate: boolean;
}

const PATH =
  /(?:^|[\s`*"'(:=])(\/?(?:[\w@.-]+\/)*[\w@.-]+\.(?:[cm]?[jt]sx?|css|html?|vue|json|svg|md|txt|py))(?=$|[\s`*"'):,;])/g;
/** A comment of a first line that says nothing but the name of the file. */
const NAMED_LINE = /^\s*(?:\/\/|\/\*+|<!--|#)\s*(?:file(?:name)?:\s*)?(\S+?)\s*(?:\*\/|-->)?\s*$/i;
const LEAD_CHARS = 160;
const PATH_CHARS = 200;
const CONFIGURATION = /^(?:package\.json|tsconfig(?:\.\w+)?\.json|vite\.config\.\w+)$/;
const NOT_WRITTEN = /^(?:node_modules|\.git|\.hyperagent|package-lock\.json)$/;
/** How a file begins that an answer holds without any fence. */
const BARE_FILE =
  /^\s*(?:<(?!think)|import\b|export\b|const\b|let\b|function\b|'use |"use |\{\s*"|\/[/*]|:root|@\w|[.#*\w-]+\s*\{)/;

/** The files in an answer, by their path in the workspace: in fences that name them, or the one that was asked for. */
export function readFiles(answer: string, names: FileNames): ReadonlyMap<string, string> {
  const { blocks } = readFenced(answer);
  const files = new Map<string, string>();
  const unnamed: CodeBlock[] = [];
  for (const block of blocks) {
    const [said, code] = nameOf(block);
    if (said === null) unnamed.push(block);
    else {
      const file = placeOf(said, names);
      if (file !== null) files.set(file, withEnd(code));
    }
  }
  const { unnamed: wanted } = names;
  if (wanted === null || files.has(wanted)) return files;
  const best = bestBlock(unnamed, wanted);
  if (best !== null) files.set(wanted, withEnd(best.code));
  else if (blocks.length === 0 && BARE_FILE.test(answer)) files.set(wanted, withEnd(answer.trim()));
  return files;
}

/** The name that a block is given, and its code without the line that gives it. */
function nameOf({ info, lead, code }: CodeBlock): readonly [string | null, string] {
  const ofInfo = onlyPath(info);
  const [firstLine = '', ...rest] = code.split('\n');
  const ofLine = onlyPath(NAMED_LINE.exec(firstLine)?.[1] ?? '');
  const body = ofLine === null ? code : rest.join('\n').replace(/^\n+/, '');
  const ofLead = lead.length <= LEAD_CHARS ? onlyPath(lead) : null;
  return [ofInfo ?? ofLine ?? ofLead, body];
}

function onlyPath(text: string): string | null {
  const found = [...text.matchAll(PATH)].map(([, name = '']) => name);
  return found.length === 1 ? (found[0] ?? null) : null;
}

/** The file of the app that a name means; null for one that is not to be written. */
export function placeOf(said: string, names: Omit<FileNames, 'unnamed'>): string | null {
  const { folder, known, fromTemplate } = names;
  const inside = said.replace(/^(?:\.?\/)+/, '').replace(/^workspace\//, '');
  const relative = path.normalize(
    folder !== '' && inside.startsWith(`${folder}/`) ? inside.slice(folder.length + 1) : inside,
  );
  const parts = relative.split('/');
  if (parts.includes('..') || parts.some((part) => NOT_WRITTEN.test(part))) return null;
  if (relative.length > PATH_CHARS || relative === '.') return null;
  if (fromTemplate && CONFIGURATION.test(relative)) return null;
  const whole = path.join(folder, relative);
  const same = known.find((file) => file.toLowerCase() === whole.toLowerCase());
  if (same !== undefined) return same;
  // By its name alone, where just one has it.
  const ending = known.filter((file) => file.endsWith(`/${relative}`));
  return parts.length === 1 && ending.length === 1 ? (ending[0] ?? null) : whole;
}

const LANGUAGES: Readonly<Record<string, readonly string[]>> = {
  ...{ ts: ['ts', 'typescript'], tsx: ['tsx', 'typescript', 'jsx', 'ts'], vue: ['vue', 'html'] },
  ...{ js: ['js', 'javascript'], jsx: ['jsx', 'javascript', 'js'], css: ['css'], py: ['python'] },
  ...{ html: ['html'], json: ['json'], svg: ['svg', 'xml'] },
};

/** The longest block in the language of the file, or without one. */
function bestBlock(blocks: readonly CodeBlock[], file: string): CodeBlock | null {
  const ending = path.extname(file).slice(1);
  const words = LANGUAGES[ending] ?? [ending];
  const fitting = blocks.filter(({ info }) => {
    const [word = ''] = info.toLowerCase().split(/[\s{:]/, 1);
    return word === '' || words.includes(word);
  });
  return fitting.reduce<CodeBlock | null>(
    (best, block) => (best === null || block.code.length > best.code.length ? block : best),
    null,
  );
}

function withEnd(code: string): string {
  return `${code.trimEnd()}\n`;
}
