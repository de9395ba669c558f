import { REDACTED } from '../base/redactor.ts';

/**
 * The end of a name whose value is a secret, as in `DB_PASSWORD`, `accessToken` and `x-api-key`: the words of
 * `Redactor.isSecretField` and a few more. `tokens` and `maxTokens` are counts. `compass` is no `pass`.
 */
const LABEL =
  /(?:(?<![a-z])(?:pass|pw|pin|otp)|pass(?:words?|wort|phrase|wd)|kennwort|pwd|secrets?|credentials?|authorization|cookies?|(?:api|access|private|secret|account|auth|encryption|signing)[-_ ]?key(?:[-_]?id)?|(?<=[\p{L}\p{N}][_-])key|session[-_]?id|token|bearer|(?<![a-z])_?auth)(?![\p{L}\p{N}_-])/giu;

/** What is between a label and its value: `=`, `: `, `":"`, `\": \"`, ` is: `, `>` in XML, `","` in a list of pairs. */
const SEPARATOR =
  /\\{0,8}["'`]?(?:(?:[^\S\n]{1,4}(?:is|was))?[^\S\n]{0,8}(?::=|=>|[:=])[^\S\n]{0,8}|>(?=\S)|(?<=["']),[^\S\n]{0,4}(?=\\{0,8}["']))/y;
const SPACES = /[^\S\n]{1,8}/y;
const OPENING_QUOTE = /(\\{0,8})(["'`])/y;
/** Of yaml: the value is on the next line. */
const NEXT_LINE = /[^\S\n]{0,8}[|>]?-?\n[^\S\n]{1,16}/y;
const WORD = /[^\s;]+/y;
const LINE = /[^\n]+/y;
const START = /[^\n]{1,20}/y;
/** Values with spaces in them. */
const WHOLE_LINE = /^(?:authorization|cookies?|passphrase|credentials?)$/i;
/** What a masked key, a flag with user and password, and a token in a header look like. */
const SHAPES: readonly (readonly [RegExp, string])[] = [
  [/[\w-]{0,40}\*{4,}\w*/g, REDACTED],
  [/\b(?:AKIA|ASIA)[A-Z0-9]{12,}|AGE-SECRET-KEY-1\w*/g, REDACTED],
  [
    /((?<!\S)(?:-[uU]|--(?:proxy-)?user)(?:=|[^\S\n]{0,4})["']?)[^\s:"']{1,80}:[^\s"']+/g,
    `$1${REDACTED}`,
  ],
  [
    /(\bbearer[^\S\n]{1,4})(?!(?:token|auth\w*|is|was)\b|\[redacted)[^\s"'`,;)}\]]+/gi,
    `$1${REDACTED}`,
  ],
  [
    /(\b(?:sshpass[^\S\n]{1,4}-p|pragma[^\S\n]{1,4}(?:re)?key[^\S\n]{0,4}=)[^\S\n]{0,4})(?:"[^"\n]*"?|'[^'\n]*'?|\S+)/gi,
    `$1${REDACTED}`,
  ],
  [
    /(\blogin[^\S\n]{1,4}[^\s]{1,80}[^\S\n]{1,4}password[^\S\n]{1,4})(?!\[redacted)\S+/gi,
    `$1${REDACTED}`,
  ],
];

/** `text` without values that have the name of a secret before them. The names stay. In one pass over the text. */
export function withoutLabelledSecrets(text: string): string {
  let shown = '';
  let at = 0;
  LABEL.lastIndex = 0;
  for (let label = LABEL.exec(text); label !== null; label = LABEL.exec(text)) {
    const value = valueAfter(text, label);
    if (value === null) continue;
    const { start, end, isPair } = value;
    // A label inside a value that was removed.
    if (start >= at) shown += text.slice(at, start) + REDACTED;
    at = Math.max(at, end);
    // What looks like the next of a list may be the name of the next value.
    if (!isPair) LABEL.lastIndex = Math.max(LABEL.lastIndex, end);
  }
  shown += text.slice(at);
  for (const [shape, replacement] of SHAPES) shown = shown.replace(shape, replacement);
  return shown;
}

interface FoundValue {
  readonly start: number;
  readonly end: number;
  /** It is behind a comma, as in a list of names and values. */
  readonly isPair: boolean;
}

/** Where the value of this label starts and ends, or null where it has none. */
function valueAfter(text: string, label: RegExpExecArray): FoundValue | null {
  const [name] = label;
  const end = label.index + name.length;
  const separator = match(SEPARATOR, text, end);
  const isNamed = separator !== '';
  const isPair = separator.includes(',');
  let start = end + separator.length;
  if (!isNamed) start += match(SPACES, text, end).length;
  if (start === end) return null;
  if (isNamed) start += match(NEXT_LINE, text, start).length;
  if (text.startsWith('[redacted', start)) return null;
  const quote = match(OPENING_QUOTE, text, start);
  if (quote !== '') {
    const from = start + quote.length;
    if (text.startsWith('[redacted', from)) return null;
    const to = endOfQuoted(text, from, quote);
    // A parser names the one character that it did not expect: "Unexpected token '<'".
    const isNothing = to === from || (!isNamed && to - from < 2);
    return isNothing ? null : { start: from, end: to, isPair };
  }
  const isLine = isNamed && (WHOLE_LINE.test(name) || /[[{]/.test(text[start] ?? ''));
  const value = match(isLine ? LINE : WORD, text, start);
  if (value === '' || /^[[{(]+$/.test(match(START, text, start).trim())) return null;
  // Of several secrets, how many there are.
  if (/s$/i.test(name) && /^\d+\W*$/.test(value)) return null;
  // `password is wrong` says nothing, `password hunter2` does; of a flag, the next word is its value.
  const isSaid = isNamed || isFlag(text, label.index) || /^(?=\S*\d)\S*\p{L}\S*$/u.test(value);
  return isSaid ? { start, end: start + value.length, isPair } : null;
}

/** Up to the same quote, escaped as often; else to the end of the line. */
function endOfQuoted(text: string, from: number, quote: string): number {
  let at = from;
  while (at < text.length && text[at] !== '\n') {
    if (text.startsWith(quote, at) && (at === from || text[at - 1] !== '\\')) return at;
    at += 1;
  }
  return at;
}

/** Whether the name that ends with this label begins with `-` or `--`. */
function isFlag(text: string, labelStart: number): boolean {
  return /(?:^|\s)--?[\w-]{0,40}$/.test(text.slice(Math.max(0, labelStart - 44), labelStart));
}

function match(pattern: RegExp, text: string, at: number): string {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0] ?? '';
}
