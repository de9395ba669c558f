import { setImmediate as nextTurn } from 'node:timers/promises';
import type { MarkedToken, Token } from 'marked';
import { Watchdog, WatchdogTimeout } from '../guardrails/watchdog.ts';

/** Time limit for parsing and for `make`, in which nothing else runs; 200 kB take half of it at most. */
const PARSE_MS = 50;
/** At its first use, code is compiled, which on a slow computer takes the time of several attempts. */
const ATTEMPTS = 5;
/** Limits for tokens, and for lines of plain text: each becomes a part of the file that is written. */
const MAX_TOKENS = 10_000;
const MAX_LINES = 1_000;

/**
 * What `make` builds of the tokens of a Markdown text (GitHub's dialect). A text that takes too long, is
 * nested too deeply or has more tokens than any real document is passed on line by line, each as code.
 * `make` may run more than once.
 */
export async function fromMarkdown<Made>(
  markdown: string,
  make: (tokens: readonly Token[]) => Made,
): Promise<Made> {
  const { marked } = await import('marked');
  for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
    try {
      return new Watchdog().run(PARSE_MS, () => {
        const tokens = marked.lexer(markdown, { gfm: true });
        let tokenCount = 0;
        marked.walkTokens(tokens, () => {
          tokenCount += 1;
          if (tokenCount > MAX_TOKENS)
            throw new RangeError('more tokens than any real document has');
        });
        return make(tokens);
      });
    } catch (error) {
      await nextTurn();
      if (error instanceof RangeError) break;
      if (!(error instanceof WatchdogTimeout)) throw error;
    }
  }
  return make(linesOf(markdown));
}

function linesOf(text: string): Token[] {
  const lines = text.split('\n');
  const rest = lines.splice(MAX_LINES).join(' ');
  return [...lines, rest].map((line) => ({ type: 'code', raw: line, text: line }));
}

/** The text of tokens of one line, without their form. HTML is text; a picture is its alternative text. */
export function plainText(tokens: readonly Token[]): string {
  return tokens.map((token) => plainToken(token as MarkedToken)).join('');
}

function plainToken(token: MarkedToken): string {
  if (token.type === 'br') return '\n';
  if (token.type === 'checkbox') return token.checked ? '☑ ' : '☐ ';
  if (token.type !== 'image' && 'tokens' in token && token.tokens !== undefined) {
    return plainText(token.tokens);
  }
  if (!('text' in token)) return '';
  return token.type === 'codespan' || token.type === 'html' ? token.text : decoded(token.text);
}

const NAMED: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: '\u00a0',
};

/** The text of a token with its character references resolved. */
export function decoded(text: string): string {
  return text.replace(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|(\w+));/gi, (whole, decimal, hex, name) => {
    if (name !== undefined) return NAMED[String(name).toLowerCase()] ?? whole;
    const code = decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal);
    return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : whole;
  });
}
