import type { Clause, Scope, Voice } from './clause.ts';
import type { Figure } from './figures.ts';
import type { Token } from './tokens.ts';
import { ADMISSIONS, DENIALS, FUNCTION_WORDS, OPINIONS, REPORTS } from './word-lists.ts';

/** “…, researchers said”: the clauses from `from` on, before the last, are theirs. */
export function applyTrailingVoice(clauses: Clause[], from: number): void {
  const last = clauses.at(-1);
  const index = clauses.length - 1;
  const voice = last?.saying ?? null;
  if (last === undefined || voice === null) return;
  for (let at = from; at < index; at += 1) {
    const clause = clauses[at];
    if (clause === undefined) continue;
    const changed = <Item extends Scope>(one: Item): Item =>
      one.voice === 'own' ? { ...one, voice } : one;
    clauses[at] = {
      ...clause,
      terms: clause.terms.map(changed),
      figures: clause.figures.map(changed),
      speakers: last.subject,
    };
  }
}

/** All clauses of a sentence hold under its condition only. */
export function applyCondition(clauses: Clause[], from: number): void {
  for (let at = from; at < clauses.length; at += 1) {
    const clause = clauses[at];
    if (clause !== undefined) clauses[at] = { ...clause, isConditional: true };
  }
}

/** “Voyager 2”, “Apollo 11”: the number tells one from the other. */
export function isNumberOfName(
  { dimension, written, unit, end, start }: Figure,
  [name, number]: readonly Token[],
): boolean {
  const isPlain =
    dimension === 'count' && unit === '' && Number.isInteger(written) && written < 1_000;
  const areBoth = /^\p{Lu}\p{Ll}/u.test(name?.text ?? '') && /^\d/.test(number?.text ?? '');
  return isPlain && areBoth && end === start + 1 && !FUNCTION_WORDS.has(name?.lower ?? '');
}

const ROMAN = /^(?=[IVX])(X{0,3})(IX|IV|V?I{0,3})$/;
const ROMAN_UNITS = ['', 'I', 'II', 'III', 'IV', 'V', 'VI', 'VII', 'VIII', 'IX'];
/** Kinds whose members have a letter: “Vitamin C”, “Model S”. */
const LETTERED =
  /^(?:vitamin|hepatitis|influenza|model|type|class|group|grade|plan|phase|series|category|schedule|zone|block|team)$/;

/** “World War II”, “Henry VIII”, “Vitamin C”: what tells one from the other; a roman number in figures. */
export function markOfName([name, mark]: readonly (Token | undefined)[]): string | null {
  if (name?.kind !== 'word' || mark?.kind !== 'word' || !mark.spaced) return null;
  if (/^\p{Lu}$/u.test(mark.text) && LETTERED.test(name.lower)) return mark.lower;
  const [, tens = '', units = ''] = ROMAN.exec(mark.text) ?? [];
  const number = tens.length * 10 + ROMAN_UNITS.indexOf(units);
  return number > 0 && /^\p{Lu}\p{Ll}/u.test(name.text) && !FUNCTION_WORDS.has(name.lower)
    ? String(number)
    : null;
}

/** The name without what tells it from others of its kind; null for any other concept. */
export function kindOfName(concept: string): string | null {
  return /^(.+) (?:\d+|\p{L})$/u.exec(concept)?.[1] ?? null;
}

export function isContentWord(word: string): boolean {
  if (FUNCTION_WORDS.has(word) || !/[\p{L}]/u.test(word)) return false;
  return word.length > 1 || /\p{Script=Han}/u.test(word);
}

export function isSaying(word: string): boolean {
  return voiceOf(word) !== null && word !== 'according';
}

export function voiceOf(word: string): Exclude<Voice, 'own'> | null {
  if (DENIALS.has(word)) return 'denial';
  if (ADMISSIONS.has(word)) return 'admission';
  if (OPINIONS.has(word)) return 'opinion';
  return REPORTS.has(word) ? 'report' : null;
}
