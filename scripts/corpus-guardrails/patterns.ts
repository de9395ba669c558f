import { HARMFUL_RULES } from '../../src-main/guardrails/harmful-scan.ts';
import { INJECTION_RULES, JAILBREAK_RULES } from '../../src-main/guardrails/injection-patterns.ts';
import { formsOf } from '../../src-main/guardrails/injection-scan.ts';
import { createMatcher, type Pattern } from '../../src-main/guardrails/pattern.ts';
import type { GuardCase } from '../../test/fakes/guard-cases.ts';

interface Unit {
  readonly rule: string;
  readonly name: string;
  readonly isIn: (text: string) => boolean;
}

export interface PatternCount {
  readonly rule: string;
  readonly pattern: string;
  /** Attacks and harmless twins that match, for each set. */
  readonly hits: readonly { readonly attacks: number; readonly twins: number }[];
}

/** What each word pattern finds on its own in each set. One that finds only its own example can be removed. */
export function countPatterns(sets: readonly (readonly GuardCase[])[]): PatternCount[] {
  const lists = [
    { units: injectionUnits(), places: ['input', 'results'] },
    { units: harmfulUnits(), places: ['output'] },
  ];
  return lists.flatMap(({ units, places }) =>
    units.map(({ rule, name, isIn }) => ({
      rule,
      pattern: name,
      hits: sets.map((cases) => {
        const own = cases.filter(({ place }) => places.includes(place));
        return {
          attacks: own.filter(({ attack }) => isIn(attack)).length,
          twins: own.filter(({ twin }) => isIn(twin)).length,
        };
      }),
    })),
  );
}

function injectionUnits(): Unit[] {
  return [...INJECTION_RULES, ...JAILBREAK_RULES].flatMap(({ rule, patterns, signs = [] }) => [
    ...signs.map((sign) => ({
      rule,
      name: String(sign),
      isIn: (text: string) => formsOf(text).some((form) => sign.test(form)),
    })),
    ...patterns.map((pattern) => unitOf(rule, pattern)),
  ]);
}

function harmfulUnits(): Unit[] {
  return HARMFUL_RULES.flatMap(({ rule, patterns }) =>
    patterns.map((pattern) => unitOf(rule, pattern)),
  );
}

function unitOf(rule: string, pattern: Pattern): Unit {
  const match = createMatcher([{ patterns: [pattern] }]);
  return {
    rule,
    name: pattern.short,
    isIn: (text) => formsOf(text).some((form) => match(form).length > 0),
  };
}
