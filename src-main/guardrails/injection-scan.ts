import { decodedPieces } from './decode.ts';
import {
  INJECTION_RULES,
  JAILBREAK_RULES,
  type PatternRule,
  SPELLED_OUT,
} from './injection-patterns.ts';
import { disguises, hiddenInTags, plain, spelledOut } from './normalise.ts';
import { createMatcher } from './pattern.ts';
import type { Finding, FindingWeight, Scanner } from './scanner.ts';

/** Fewer tag characters than this can occur by accident, as in a truncated flag. */
const FEW_TAGS = 6;

const BOTH: readonly PatternRule[] = [...INJECTION_RULES, ...JAILBREAK_RULES];
const match = createMatcher(BOTH);
/** Every sign has one of these brackets in it. */
const mayHoldSigns = (text: string): boolean => text.includes('<') || text.includes('[');
const bySigns = (text: string): PatternRule[] =>
  mayHoldSigns(text) ? BOTH.filter(({ signs = [] }) => signs.some((sign) => sign.test(text))) : [];

/**
 * What the user typed. Only a plain order to act without rules, and invisible text, are certain; the user
 * may write anything else that reads like an injection.
 */
export const scanInput: Scanner = (text) =>
  scan(text, ({ rule }) => (rule === 'jailbreak' ? 'certain' : 'signal'));

/**
 * What others wrote. A page may discuss injections, so words are only signals; invisible text has no
 * honest reason.
 */
export const scanResult: Scanner = (text) => scan(text, () => 'signal');

/** A text in every form that patterns are matched against: plain, without disguises, decoded. */
export function formsOf(text: string): string[] {
  const hidden = hiddenInTags(text);
  return [
    ...disguises(plain(text)),
    ...decodedPieces(text).flatMap((piece) => disguises(plain(piece))),
    ...(hidden === '' ? [] : [plain(hidden)]),
  ];
}

function scan(text: string, weigh: (rule: PatternRule) => FindingWeight): Finding[] {
  const forms = formsOf(text);
  const hidden = hiddenInTags(text);
  const found = new Set(forms.flatMap((form) => [...match(form), ...bySigns(form)]));
  const findings: Finding[] = [...found].map((rule) => ({
    rule: rule.rule,
    message: rule.message,
    weight: weigh(rule),
  }));
  if (forms.some((form) => spelledOut(form).some((piece) => SPELLED_OUT.test(piece)))) {
    const message = 'Spells out an order to the model letter by letter.';
    findings.push({ rule: 'spelled_out', message, weight: 'signal' });
  }
  if (hidden.length >= FEW_TAGS) {
    const message = 'Contains text in invisible characters.';
    findings.push({ rule: 'hidden_text', message, weight: 'certain' });
  }
  return findings;
}
