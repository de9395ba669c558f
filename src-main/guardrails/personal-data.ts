/** May be repeated if the conversation holds it already; everything else is always redacted. */
export type ContactKind = 'email address' | 'phone number';

export type PersonalKind = 'credit card' | 'IBAN' | 'national id' | ContactKind;

interface PersonalRule {
  readonly kind: PersonalKind;
  readonly pattern: RegExp;
  /** Checksums and the like, which rule out most lookalikes. */
  readonly holds?: (match: string) => boolean;
}

const RULES: readonly PersonalRule[] = [
  {
    kind: 'IBAN',
    pattern: /(?<![A-Za-z0-9])[A-Z]{2}\d{2}(?:[ \u00a0]?[A-Z0-9]){11,30}(?![A-Za-z0-9])/g,
    holds: isIban,
  },
  {
    kind: 'credit card',
    pattern:
      /(?<![\d.+-])(?:\d{13,19}|\d{4}([ \u00a0-])\d{4}\1\d{4}\1\d{1,7}|\d{4}([ \u00a0-])\d{6}\2\d{4,5})(?![\d-]|\.\d)/g,
    holds: isCard,
  },
  {
    kind: 'national id',
    pattern: /(?<![\dA-Za-z])\d{17}[\dXx](?![\dA-Za-z])/g,
    holds: isChineseId,
  },
  {
    kind: 'national id',
    pattern: /(?<![\d-])(?!000|666|9)\d{3}-(?!00)\d{2}-(?!0000)\d{4}(?![\d-])/g,
  },
  {
    kind: 'email address',
    pattern:
      /(?<![A-Za-z0-9._%+-])[A-Za-z0-9][A-Za-z0-9._%+-]{0,63}@(?:[A-Za-z0-9-]{1,63}\.){1,6}[A-Za-z]{2,24}(?![A-Za-z0-9-])/g,
    // Git remotes, and addresses reserved for examples, belong to nobody.
    holds: (match) =>
      !match.startsWith('git@') &&
      !/@(?:[\w-]+\.)*(?:example(?:\.\w+)?|test|invalid|local)$/i.test(match),
  },
  {
    kind: 'phone number',
    pattern:
      /(?<![\w+])\+[1-9]\d{0,2}(?:[ \u00a0.\-()]{0,3}\d){7,12}(?!\d)|(?<![\w-])(?:\(\d{3}\) ?|\d{3}[-.])\d{3}[-.]\d{4}(?![\d-])|(?<![\w.+-])1[3-9]\d{9}(?![\w-])/g,
  },
];

export interface PersonalMatch {
  readonly kind: PersonalKind;
  readonly start: number;
  readonly end: number;
}

/** Pieces without a match hold nothing of the kind; this rules out most text. */
const CANDIDATE = /@|(?:\d[^\d]{0,3}){7}|[A-Z0-9]{15}/;

export function mayHoldPersonalData(piece: string): boolean {
  return piece.length >= 6 && CANDIDATE.test(piece);
}

/** The matches in a piece, in order and without overlaps; the longest of those that start at one place. */
export function findPersonalData(piece: string): PersonalMatch[] {
  const all = RULES.flatMap(({ kind, pattern, holds }) =>
    [...piece.matchAll(pattern)].flatMap((match): PersonalMatch[] => {
      const [text] = match;
      const length = holds === undefined || holds(text) ? text.length : ibanLength(kind, text);
      return length === 0 ? [] : [{ kind, start: match.index, end: match.index + length }];
    }),
  );
  all.sort((a, b) => a.start - b.start || b.end - a.end);
  const kept: PersonalMatch[] = [];
  for (const match of all) {
    if (match.start >= (kept.at(-1)?.end ?? 0)) kept.push(match);
  }
  return kept;
}

/** Length of the IBAN at the start of a match that also took in following words; 0 if there is none. */
function ibanLength(kind: PersonalKind, text: string): number {
  if (kind !== 'IBAN') return 0;
  for (let end = text.lastIndexOf(' '); end >= 15; end = text.lastIndexOf(' ', end - 1)) {
    if (isIban(text.slice(0, end))) return end;
  }
  return 0;
}

/** Luhn's sum, the issuer's first digits, and a length that this issuer has. */
function isCard(text: string): boolean {
  const digits = text.replace(/\D/g, '');
  const known =
    /^(?:4(?:\d{12}|\d{15}|\d{18})|5[1-5]\d{14}|2[2-7]\d{14}|3[47]\d{13}|3(?:0[0-5]|[68]\d)\d{11}|6(?:011|5\d\d|4[4-9]\d)\d{12}|35\d{14}|62\d{14,17})$/;
  if (!known.test(digits)) return false;
  let sum = 0;
  for (let i = 0; i < digits.length; i += 1) {
    const digit = Number(digits.at(-1 - i));
    const doubled = i % 2 === 1 ? digit * 2 : digit;
    sum += doubled > 9 ? doubled - 9 : doubled;
  }
  return sum % 10 === 0;
}

/** ISO 13616: the remainder by 97 is 1. */
function isIban(text: string): boolean {
  const compact = text.replace(/[ \u00a0]/g, '');
  if (compact.length < 15 || compact.length > 34) return false;
  let remainder = 0;
  for (const letter of compact.slice(4) + compact.slice(0, 4)) {
    const value = Number.parseInt(letter, 36);
    remainder = (remainder * (value > 9 ? 100 : 10) + value) % 97;
  }
  return remainder === 1;
}

const CHINESE_WEIGHTS = [7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2];

/** GB 11643: a date of birth in the middle, and the check character. */
function isChineseId(text: string): boolean {
  if (!/^[1-8]\d{5}(?:19|20)\d\d(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])/.test(text)) return false;
  const sum = CHINESE_WEIGHTS.reduce((total, weight, i) => total + weight * Number(text[i]), 0);
  return '10X98765432'[sum % 11] === text.at(-1)?.toUpperCase();
}
