import { expect, it } from 'vitest';
import { INJECTION_RULES, JAILBREAK_RULES } from '#main/guardrails/injection-patterns.ts';
import { plain } from '#main/guardrails/normalise.ts';
import { createMatcher, pattern } from '#main/guardrails/pattern.ts';
import { readGuardCases } from '../../fakes/guard-cases.ts';

it('finds in one pass what each pattern would find alone', () => {
  const texts = ['tuned', 'held-out']
    .flatMap((name) => readGuardCases(`test/fixtures/guardrails/${name}.jsonl`))
    .flatMap(({ attack, twin }) => [plain(attack), plain(twin)]);
  const rules = [...INJECTION_RULES, ...JAILBREAK_RULES];
  const match = createMatcher(rules);
  for (const text of texts) {
    const alone = rules.filter(({ patterns }) =>
      patterns.some(({ regex }) => new RegExp(regex.source).test(text)),
    );
    expect({ text, rules: match(text).map(({ rule }) => rule) }).toEqual({
      text,
      rules: alone.map(({ rule }) => rule),
    });
  }
});

it('knows what a pattern begins with', () => {
  expect(
    ['‹(?:repeat|re?ad|(?:a|bé)c)~2x', '(?<=^ )(?:tell me|忽略)', 'a+b|cd', 'e-?mail'].map(
      (short) => pattern(short).starts,
    ),
  ).toEqual([['repe', 'r', 'a', 'be'], ['tell', '忽略'], ['a', 'cd'], ['e']]);
  expect(() => pattern('[a-z]x').starts).toThrow('must begin with letters');
});
