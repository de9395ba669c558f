import { parseOutsideJson } from '../base/outside-json.ts';

/** A whole file as a model writes it, beside what it takes the place of. */
export interface FileWrite {
  readonly path: string;
  /** Null for a new file. */
  readonly before: string | null;
  readonly after: string;
}

export interface WriteProblem {
  readonly kind:
    | 'placeholder'
    | 'lost_half'
    | 'broken_package_json'
    | 'dropped_dev_script'
    | 'broken_json';
  /** Counts from 1; null where it is the whole file. */
  readonly line: number | null;
  /** What happened and what to do, for the model. */
  readonly message: string;
}

/** Shorter files are rewritten whole often enough. */
const COMPARED_LINES = 30;
/** A comment that stands for code is short. */
const COMMENT_CHARS = 160;

/**
 * What local models get wrong when they write a whole file: parts that a comment stands for, most of the file gone, a
 * `package.json` that is broken or without its script `dev`. Null where nothing is found; a rare wording is missed
 * sooner than good code is refused.
 */
export function checkWrite({ path, before, after }: FileWrite): WriteProblem | null {
  const name = path.split('/').at(-1) ?? '';
  if (name === 'package.json') return checkManifest(before, after);
  if (name.endsWith('.json') && !/^(?:ts|js)config\b/.test(name)) return checkJson(after);
  return placeholderIn(name, after) ?? lostHalf(before, after);
}

function checkManifest(before: string | null, after: string): WriteProblem | null {
  const kind = 'broken_package_json';
  const parsed = parse(after);
  if (!parsed.ok) return { kind, ...brokenJson('package.json', parsed.reason, after) };
  const manifest = parsed.value;
  if (!isObject(manifest)) {
    return { kind, line: null, message: 'package.json must be a JSON object. Write it again.' };
  }
  for (const field of ['scripts', 'dependencies', 'devDependencies']) {
    const value = manifest[field];
    const isFine =
      value === undefined ||
      (isObject(value) && Object.values(value).every((one) => typeof one === 'string'));
    if (isFine) continue;
    const message = `"${field}" of package.json must be an object of texts. Write it again.`;
    return { kind, line: null, message };
  }
  const known = before === null ? null : parse(before);
  const hadDev = known?.ok === true && hasDev(known.value);
  if (!hadDev || hasDev(manifest)) return null;
  return {
    kind: 'dropped_dev_script',
    line: null,
    message:
      'package.json had a script "dev", which starts the server, and has none now. Write it with that script.',
  };
}

function hasDev(manifest: unknown): boolean {
  return (
    isObject(manifest) && isObject(manifest.scripts) && typeof manifest.scripts.dev === 'string'
  );
}

function checkJson(after: string): WriteProblem | null {
  const parsed = parse(after);
  return parsed.ok
    ? null
    : { kind: 'broken_json', ...brokenJson('The file', parsed.reason, after) };
}

function brokenJson(
  what: string,
  reason: string,
  text: string,
): Pick<WriteProblem, 'line' | 'message'> {
  const at = /position (\d+)/.exec(reason)?.[1];
  const line = at === undefined ? null : text.slice(0, Number(at)).split('\n').length;
  const where = line === null ? '' : ` (line ${line})`;
  return { line, message: `${what} is not JSON${where}: ${reason}. Write it again.` };
}

function parse(
  text: string,
):
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly reason: string } {
  try {
    return { ok: true, value: parseOutsideJson(text) };
  } catch (error) {
    return { ok: false, reason: error instanceof Error ? error.message : String(error) };
  }
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

// Placeholders

/** How a comment begins in the files that apps are made of. */
const COMMENTS: Readonly<Record<string, RegExp>> = {
  slashes: /^\s*(?:\/\/|\/\*+|\{\s*\/\*+|\*(?!\/))/,
  markup: /^\s*(?:<!--|\/\/|\/\*+|\{\s*\/\*+|\*(?!\/))/,
  hashes: /^\s*#(?!!)/,
};
const COMMENT_OF: Readonly<Record<string, keyof typeof COMMENTS>> = {
  ...{ js: 'slashes', mjs: 'slashes', cjs: 'slashes', jsx: 'slashes', ts: 'slashes' },
  ...{ tsx: 'slashes', mts: 'slashes', cts: 'slashes', css: 'slashes', scss: 'slashes' },
  ...{ html: 'markup', htm: 'markup', vue: 'markup', svelte: 'markup', svg: 'markup' },
  ...{ py: 'hashes', sh: 'hashes', yml: 'hashes', yaml: 'hashes', toml: 'hashes' },
};

/** What was there, in the words in which models leave it out. */
const THE_REST =
  '(?:rest|remainder|remaining|other|existing|previous|original|same|unchanged|above|earlier|old)';
const CODE_WORDS =
  '(?:code|content|contents|file|component|components|function|functions|method|methods|logic|styles?|css|markup|html|jsx|imports?|routes?|handlers?|script|implementation|properties|fields|items|part|parts|lines?|section|sections|everything)';

/** Linear: no group repeats inside another, and a comment is at most `COMMENT_CHARS` long. */
const PHRASES: readonly RegExp[] = [
  // "... rest of the code", "… existing code …", "... other components": an ellipsis and what it stands for.
  new RegExp(String.raw`(?:\.{3}|…)\s{0,3}(?:the |your |all |my |and )?${THE_REST}\b`, 'i'),
  new RegExp(
    String.raw`\b${THE_REST}\b[\w ,'-]{0,40}${CODE_WORDS}\s{0,3}(?:\.{3}|…)\s*(?:\*\/\}?|-->)?\s*$`,
    'i',
  ),
  // "rest of the code remains unchanged", "the form stays the same", "same as before", "(unchanged)".
  /\b(?:remains?|stays?|is|are|left|kept|keep|keeps)\b[\w ,'-]{0,24}\b(?:unchanged|the same|as (?:it|they) (?:is|are|was|were)|as before|as is)\b/i,
  /^\W*(?:\w+ ){0,4}same as (?:before|above|previous(?:ly)?|earlier|in the (?:previous|original))\b/i,
  /\((?:code )?(?:unchanged|omitted|truncated|same as before|existing code)\)/i,
  /\b(?:omitted|truncated|skipped|abbreviated|elided) (?:for brevity|for clarity|here)\b/i,
  // "existing code here", "your code goes here", "previous code", alone in a comment.
  new RegExp(
    String.raw`^\W*(?:the |your |all )?(?:existing|previous|original|remaining|rest of(?: the| your)?|other)\s+(?:\w+ ){0,3}${CODE_WORDS}(?: (?:goes|go|here|unchanged|stays?|remains?|follows?|below|as before))*\W*$`,
    'i',
  ),
  /^\W*(?:add|put|insert|keep|paste) (?:the |your )?(?:rest|existing|remaining)\b/i,
  /^\W*your (?:\w+ )?code (?:goes )?here\b/i,
  // Chinese, German, French, Spanish.
  /(?:其余|其他|剩余|原有|之前|现有|省略).{0,12}(?:代码|内容|部分|不变|保持|同上|省略)|(?:保持不变|代码不变|同上|此处省略)/,
  /\b(?:Rest|restlicher|bestehender|vorheriger)\b.{0,30}\b(?:unverändert|bleibt|wie vorher|wie zuvor)\b/i,
  /\b(?:le reste du code|reste inchangé|code existant|inchangée?s?)\b|\b(?:el resto del código|sin cambios|código existente)\b/i,
];

/** A line of dots alone, where code should be. */
const DOTS = /^\s*(?:\.{3,}|…+)\s*$/;

function placeholderIn(name: string, text: string): WriteProblem | null {
  const comment = COMMENT_OF[name.split('.').at(-1)?.toLowerCase() ?? ''];
  if (comment === undefined) return null;
  const begins = COMMENTS[comment] as RegExp;
  const lines = text.split('\n');
  const at = lines.findIndex((line) => {
    if (DOTS.test(line) && comment !== 'hashes') return true;
    if (line.length > COMMENT_CHARS || !begins.test(line)) return false;
    return PHRASES.some((phrase) => phrase.test(wordsOf(line)));
  });
  if (at < 0) return null;
  return {
    kind: 'placeholder',
    line: at + 1,
    message: `Line ${at + 1} stands for code that was left out. Write the whole file, with every line that belongs in it.`,
  };
}

/** What a comment says, without the signs around it. */
function wordsOf(line: string): string {
  return line
    .trim()
    .replace(/^(?:\{\s*\/\*+|\/\*+|\/\/+|<!--|#+|\*)\s*/, '')
    .replace(/\s*(?:\*\/\s*\}?|-->)\s*$/, '');
}

/** Most lines are gone, and those that stand there are not the old ones. */
function lostHalf(before: string | null, after: string): WriteProblem | null {
  const old = linesOf(before ?? '');
  if (old.length < COMPARED_LINES) return null;
  const now = new Set(linesOf(after));
  const kept = old.filter((line) => now.has(line)).length;
  if (linesOf(after).length * 2 >= old.length || kept * 2 >= old.length) return null;
  return {
    kind: 'lost_half',
    line: null,
    message: `The file had ${old.length} lines, and most of them are gone. Write the whole file; if that is meant, write the same again.`,
  };
}

function linesOf(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
}
