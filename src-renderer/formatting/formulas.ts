import type { Nodes, Root } from 'mdast';
import { mathFromMarkdown } from 'mdast-util-math';
import { math } from 'micromark-extension-llm-math';
import { markdownLineEnding, markdownSpace } from 'micromark-util-character';
import type { Construct, Effects, Extension, State, Tokenizer } from 'micromark-util-types';
import type { Processor } from 'unified';

const BACKSLASH = 92;
/** `]` */
const CLOSING = 93;

/** Money in a long text takes this many rounds at most; formulas that remain are shown as they are written. */
const MOST_ROUNDS = 4;

/** Formulas between dollar signs, and as models write them: `\(…\)` and `\[…\]`. */
export function remarkFormulas(this: Processor): void {
  const data = this.data();
  data.micromarkExtensions ??= [];
  data.fromMarkdownExtensions ??= [];
  data.micromarkExtensions.push(syntax());
  data.fromMarkdownExtensions.push(mathFromMarkdown());
}

/** That of the library, but `\[` at the start of a line is a block only where nothing follows its `\]`. */
function syntax(): Extension {
  const extension = math();
  const block = extension.flow?.[BACKSLASH];
  if (block === undefined || Array.isArray(block)) return extension;
  const checked: Construct = {
    ...block,
    tokenize(effects, ok, nok) {
      // Asked whether the line ends a paragraph, the library stops within it.
      if (this.interrupt === true) return tokenizeBlockLine.call(this, effects, ok, nok);
      // Whether a line goes on lazily is a question at its start only; the library asks within the first one.
      let isFirst = true;
      const attempt: Effects['attempt'] = (construct, yes, no) => (code) => {
        const isWithinLine = isFirst && code !== null && !markdownLineEnding(code);
        isFirst = false;
        return isWithinLine ? yes(code) : effects.attempt(construct, yes, no)(code);
      };
      const begin = block.tokenize.call(this, { ...effects, attempt }, ok, nok);
      return effects.check({ tokenize: tokenizeBlockLine, partial: true }, begin, nok);
    },
  };
  return { ...extension, flow: { ...extension.flow, [BACKSLASH]: checked } };
}

/** Accepts a line in which nothing but white space follows the first `\]`. */
const tokenizeBlockLine: Tokenizer = (effects, ok, nok) => {
  const inLine: State = (code) => {
    if (code === null || markdownLineEnding(code)) return accept(code);
    effects.consume(code);
    return code === BACKSLASH ? afterBackslash : inLine;
  };
  const afterBackslash: State = (code) => {
    if (code !== CLOSING) return inLine(code);
    effects.consume(code);
    return behind;
  };
  const behind: State = (code) => {
    if (code === null || markdownLineEnding(code)) return accept(code);
    if (!markdownSpace(code)) return nok(code);
    effects.consume(code);
    return behind;
  };
  const accept: State = (code) => {
    effects.exit('data');
    return ok(code);
  };
  return (code) => {
    effects.enter('data');
    return inLine(code);
  };
};

/**
 * Parses Markdown with formulas. A dollar sign begins one by Pandoc's rule alone: no space behind it, none
 * before the closing one, no digit after that. Others are escaped and the text is parsed again, so that
 * "$5 and $10" stays money.
 */
export function parseWithFormulas(source: string, parse: (text: string) => Root): Root {
  let text = source;
  for (let round = 0; ; round++) {
    const tree = parse(text);
    const money = text.includes('$') ? moneyIn(tree, text) : [];
    if (money.length === 0 || round === MOST_ROUNDS) return tree;
    let escaped = '';
    let from = 0;
    for (const at of money) {
      escaped += `${text.slice(from, at)}\\`;
      from = at;
    }
    text = escaped + text.slice(from);
  }
}

/** Where single dollar signs open what is no formula, in order. */
function moneyIn(tree: Root, text: string): number[] {
  const found: number[] = [];
  let level: readonly Nodes[] = [tree];
  while (level.length > 0) {
    const next: Nodes[] = [];
    for (const node of level) {
      if (node.type === 'inlineMath' && isMoney(node, text)) found.push(startOf(node));
      if ('children' in node) for (const child of node.children) next.push(child);
    }
    level = next;
  }
  return found.sort((a, b) => a - b);
}

function isMoney(node: Nodes, text: string): boolean {
  const start = startOf(node);
  const end = node.position?.end.offset ?? 0;
  if (text[start] !== '$' || text[start + 1] === '$') return false;
  return (
    /\s/.test(text[start + 1] ?? ' ') ||
    /[\s\\]/.test(text[end - 2] ?? ' ') ||
    /\d/.test(text[end] ?? '')
  );
}

function startOf(node: Nodes): number {
  return node.position?.start.offset ?? 0;
}
