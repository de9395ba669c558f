import { HAN_NUMBER } from './number-words.ts';
import { FUNCTION_WORDS, NEGATORS } from './word-lists.ts';

/** A word, number or mark of a text. */
export interface Token {
  readonly text: string;
  readonly lower: string;
  readonly kind: 'word' | 'han' | 'number' | 'mark';
  /** Whether white space, or the start of the text, comes before it. */
  readonly spaced: boolean;
  /** Written with a capital in the middle of a sentence: part of a name. */
  readonly isName: boolean;
}

const PIECES = new RegExp(
  [
    String.raw`\d{1,2}:\d{2}(?!\d)`,
    String.raw`\d+(?:[.,]\d+)*`,
    String.raw`\p{Script=Han}+`,
    String.raw`°\s?[CFcf](?![\p{L}])`,
    '(?:US)?[$€£¥₹]',
    String.raw`(?:km|m|k?W|mi)\/(?:h|s)(?![\p{L}])`,
    String.raw`[\p{L}\p{M}][\p{L}\p{M}\d]*(?:['’][\p{L}]+)?`,
    String.raw`[^\s\p{L}\p{M}\d]`,
  ].join('|'),
  'gu',
);
const HAN_FIGURE = new RegExp(
  `百分之[${HAN_NUMBER}点]+|[${HAN_NUMBER}]+分之[${HAN_NUMBER}]+|[${HAN_NUMBER}]+`,
  'gu',
);
const ABBREVIATION =
  /^(?:[a-z]|dr|mr|mrs|ms|st|vs|no|approx|ca|e\.g|i\.e|inc|ltd|co|prof|gen|fig)$/i;

let segmenter: Intl.Segmenter | undefined;

/** The sentences of a text as tokens, in order, without empty ones. */
export function sentencesOf(text: string): Token[][] {
  const plain = text
    // A space that does not break separates groups of digits.
    .replace(/(\d)[\u00a0\u202f\u2009](?=\d{3}(?!\d))/g, '$1')
    .replace(/([a-z])([²³])/gi, (_all, unit, power) => `${unit}${power === '²' ? '2' : '3'}`)
    .normalize('NFKC');
  const sentences: Token[][] = [];
  let tokens: Token[] = [];
  let end = 0;
  const close = (): void => {
    if (tokens.some(({ kind }) => kind !== 'mark')) sentences.push(withFirstName(tokens));
    tokens = [];
  };
  for (const found of plain.matchAll(PIECES)) {
    const [piece] = found;
    const gap = plain.slice(end, found.index);
    end = found.index + piece.length;
    if (/\n/.test(gap) && !/^[a-z]/.test(piece)) close();
    const spaced = gap !== '' || found.index === 0;
    if (/^\p{Script=Han}/u.test(piece)) tokens.push(...hanTokens(piece, spaced));
    else tokens.push(...plainTokens(piece, { spaced, isFirst: tokens.length === 0 }));
    const isStop = /^[.!?。！？]$/.test(piece);
    if (isStop && endsSentence(piece, tokens.at(-2), plain.slice(end, end + 3))) close();
  }
  close();
  return sentences;
}

/** A capital at the start of a sentence says nothing, unless another follows: “Pierre Curie”. */
function withFirstName(tokens: readonly Token[]): Token[] {
  const [first, second, ...rest] = tokens;
  if (first === undefined || second === undefined) return [...tokens];
  const isName =
    second.isName &&
    /^\p{Lu}/u.test(first.text) &&
    !/^(?:The|A|An|In|On|At|By|For|Of|To|From|With|Since|Until|After|Before|When|While|If|As|But|And|Only|Both|Justice|President|Mr|Mrs|Dr)$/.test(
      first.text,
    );
  return [{ ...first, isName: first.isName || isName }, second, ...rest];
}

function endsSentence(mark: string, before: Token | undefined, after: string): boolean {
  if (mark !== '.') return true;
  if (before !== undefined && ABBREVIATION.test(before.text) && before.text.length < 5)
    return false;
  return after === '' || /^\s*["”’')\]]?\s*(?:[\p{Lu}\p{Lo}\d"“‘'([]|$)/u.test(after);
}

function plainTokens(
  piece: string,
  { spaced, isFirst }: { readonly spaced: boolean; readonly isFirst: boolean },
): Token[] {
  if (/^\d/.test(piece)) return [token(piece, 'number', { spaced })];
  if (!/^[\p{L}\p{M}]/u.test(piece)) return [token(piece, 'mark', { spaced })];
  if (/^(?:km|m|k?W|mi)\//.test(piece)) return [token(piece, 'word', { spaced })];
  const isName = /^\p{Lu}/u.test(piece) && !isFirst;
  const lower = piece.toLowerCase().replace('’', "'");
  const negated = /^(.+?)n't$/.exec(lower)?.[1] ?? (lower === 'cannot' ? 'can' : undefined);
  if (negated !== undefined) {
    const verb = { wo: 'will', ca: 'can', sha: 'shall' }[negated] ?? negated;
    return [token(verb, 'word', { spaced }), token('not', 'word', { spaced: true })];
  }
  return [token(piece.replace(/['’](?:s|re|ve|ll|d|m)$/i, ''), 'word', { spaced, isName })];
}

/** Words of Chinese, numbers apart. */
function hanTokens(run: string, spaced: boolean): Token[] {
  const tokens: Token[] = [];
  let end = 0;
  const words = (text: string): void => {
    segmenter ??= new Intl.Segmenter('zh', { granularity: 'word' });
    if (text === '') return;
    let rest = '';
    for (const { segment } of segmenter.segment(text)) {
      // Names that the dictionary lacks come as single characters.
      const isPart =
        [...segment].length === 1 && !FUNCTION_WORDS.has(segment) && !NEGATORS.has(segment);
      if (isPart && [...rest].length < 4) rest += segment;
      else {
        if (rest !== '') tokens.push(token(rest, 'han', { spaced: false }));
        rest = isPart ? segment : '';
        if (!isPart) tokens.push(token(segment, 'han', { spaced: spaced && tokens.length === 0 }));
      }
    }
    if (rest !== '') tokens.push(token(rest, 'han', { spaced: false }));
  };
  for (const found of run.matchAll(HAN_FIGURE)) {
    const [figure] = found;
    const after = run.slice(found.index + figure.length);
    if (!isHanFigure(figure, run[found.index - 1] ?? '', after)) continue;
    words(run.slice(end, found.index));
    tokens.push(token(figure, 'number', { spaced: false }));
    end = found.index + figure.length;
  }
  words(run.slice(end));
  return tokens;
}

const MEASURED =
  /^(?:个|名|人|座|次|年|月|日|天|倍|米|公|千米|克|吨|元|条|位|家|种|项|成|岁|度|亿|万|小时|分钟|秒|周|世纪|所|台|辆|艘|架|所|支|只|篇|部|届|层|国)/;

function isHanFigure(figure: string, before: string, after: string): boolean {
  if (figure.includes('分之')) return true;
  if (/[万亿千百]$/.test(figure) && [...figure].length === 1) return false;
  if (figure === '一') return before === '第' || /^(?:成|倍|半)/.test(after);
  if (figure === '十' && after.startsWith('分')) return false;
  return [...figure].length > 1 || before === '第' || MEASURED.test(after);
}

function token(
  text: string,
  kind: Token['kind'],
  { spaced, isName = false }: { readonly spaced: boolean; readonly isName?: boolean },
): Token {
  return { text, lower: text.toLowerCase(), kind, spaced, isName };
}
