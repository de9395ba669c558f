import { parseOutsideJson } from '../../../base/outside-json.ts';
import { type CodeBlock, readFenced } from '../../fenced-code.ts';
import { languageName, type TestKit } from './languages.ts';

/** A program as the model answered it. */
export interface CodeAnswer {
  readonly code: string;
  /** Empty where the model gave none. */
  readonly explanation: string;
  /** Null where the model gave none. */
  readonly tests: string | null;
}

/** Characters; no model writes a longer program in one answer. */
const LONGEST_ANSWER = 400_000;

/** Blocks that accompany a program: commands to type, and their output. */
const BESIDE: ReadonlySet<string> = new Set([
  'text',
  'txt',
  'console',
  'output',
  'plaintext',
  'json',
  'bash',
  '',
]);

/**
 * The program in an answer: in a fence, as a field of JSON, or the whole text; null where there is
 * none, as in a refusal.
 */
export function readCode(answer: string, language: string): CodeAnswer | null {
  if (answer.length > LONGEST_ANSWER) return null;
  const fromJson = readJsonAnswer(answer);
  if (fromJson !== null) return fromJson;
  const { blocks, text } = readFenced(answer);
  const block = programOf(blocks, language);
  if (block !== null) return { code: block.code, explanation: text, tests: null };
  if (blocks.length > 0 || !looksLikeCode(answer)) return null;
  return { code: answer.trim(), explanation: '', tests: null };
}

/** Program and tests in an answer that may hold one, the other or both; null for what it does not hold. */
export function readRepaired(
  answer: string,
  kit: TestKit,
): { readonly code: string | null; readonly tests: string | null } {
  if (answer.length > LONGEST_ANSWER) return { code: null, tests: null };
  const fromJson = readJsonAnswer(answer);
  if (fromJson !== null) return { code: fromJson.code, tests: fromJson.tests };
  const blocks = readFenced(answer).blocks.filter(({ info }) => isOf(info, kit.language));
  const tests = longest(blocks.filter((block) => isTests(block, kit)));
  const code = longest(blocks.filter((block) => !isTests(block, kit)));
  return { code: code?.code ?? null, tests: tests?.code ?? null };
}

function readJsonAnswer(answer: string): CodeAnswer | null {
  const fenced = /^\s*```(?:json)?\s*(\{[\s\S]*\})\s*```\s*$/i.exec(answer)?.[1];
  const value = parsed(fenced ?? answer.trim());
  if (typeof value !== 'object' || value === null) return null;
  const { code, explanation, tests } = value as Readonly<Record<string, unknown>>;
  if (typeof code !== 'string' || code.trim() === '') return null;
  const text = (given: unknown): string => (typeof given === 'string' ? given.trim() : '');
  // Fences within the fields, too.
  const bare = (given: string): string => readFenced(given).blocks[0]?.code ?? given.trim();
  return {
    code: bare(code),
    explanation: text(explanation),
    tests: text(tests) === '' ? null : bare(text(tests)),
  };
}

function parsed(text: string): unknown {
  if (!text.startsWith('{')) return null;
  try {
    return parseOutsideJson(text);
  } catch {
    // Not JSON: the caller reads it as plain text.
    return null;
  }
}

function programOf(blocks: readonly CodeBlock[], language: string): CodeBlock | null {
  const named = blocks.filter(({ info }) => isOf(info, language));
  const others = blocks.filter(({ info }) => !BESIDE.has(languageName(wordOf(info))));
  return longest(named) ?? longest(others) ?? null;
}

function isOf(info: string, language: string): boolean {
  const word = wordOf(info);
  return word === '' || languageName(word) === language || /\.\w+$/.test(word);
}

function wordOf(info: string): string {
  return /^[^\s{:]+/.exec(info)?.[0]?.toLowerCase() ?? '';
}

function isTests(
  { info, lead, code }: CodeBlock,
  { testFile, solutionFile, mark }: TestKit,
): boolean {
  const [firstLine = ''] = code.split('\n', 1);
  for (const place of [info.toLowerCase(), firstLine, lead]) {
    if (place.includes(testFile)) return true;
    if (place.includes(solutionFile) && place !== lead) return false;
  }
  return mark.test(code);
}

function longest(blocks: readonly CodeBlock[]): CodeBlock | null {
  return blocks.reduce<CodeBlock | null>(
    (best, block) => (best === null || block.code.length > best.code.length ? block : best),
    null,
  );
}

const CODE_LINE =
  /[;{}()[\],:=]\s*$|^\s*(?:def|class|import|from|return|if|for|while|function|const|let|var|export|async|fn|func|package|use|pub|fi|done|echo|print)\b|^#(?:!|include)|^\s{2,}\S/;

/** Whether a text without any fence is a program. */
function looksLikeCode(text: string): boolean {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const code = lines.filter((line) => CODE_LINE.test(line)).length;
  if (lines.length === 1) return /^[\w.$]+\(.*\);?$|^[\w.$]+ = \S/.test(text.trim());
  return code >= 2 && code / lines.length >= 0.6;
}
