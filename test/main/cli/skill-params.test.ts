import { expect, it } from 'vitest';
import { UsageError } from '#main/cli/exit-codes.ts';
import { expectedParams, readParams, skillPrompt } from '#main/cli/skill-params.ts';
import { SAMPLE_SKILLS } from '../../fakes/skills/builtin-samples.ts';

const { parameters } = SAMPLE_SKILLS[1]?.metadata ?? { parameters: [] };
const read = (param: readonly string[], paramsJson?: string) =>
  readParams({ param, ...(paramsJson === undefined ? {} : { paramsJson }) }, parameters);

it('parses values as JSON except strings, and keeps other text', () => {
  expect(
    read(['topic=5', 'max_sources=5', 'only=["a", "b"]', 'more={"a": null}', 'kind=news']),
  ).toEqual({ topic: '5', max_sources: 5, only: ['a', 'b'], more: { a: null }, kind: 'news' });
  expect(read(['max_sources=many', 'only=a,b', 'new=true', 'topic=a=b=c'])).toEqual({
    ...{ max_sources: 'many', only: 'a,b', new: 'true', topic: 'a=b=c' },
  });
  expect(read(['topic='])).toEqual({ topic: '' });
});

it('lets --param override --params-json', () => {
  expect(read(['topic=b'], '{"topic": "a", "max_sources": 2}')).toEqual({
    ...{ topic: 'b', max_sources: 2 },
  });
  expect(Object.keys(read([], '{"__proto__": 1, "topic": "a"}'))).toEqual(['__proto__', 'topic']);
});

it.each([
  [['topic'], undefined, '--param topic is not of the form NAME=VALUE.'],
  [['=a'], undefined, '--param =a is not of the form NAME=VALUE.'],
  [['topic=a', 'topic=b'], undefined, '--param topic is given twice.'],
  [[], '[1]', '--params-json must be a JSON object, such as {"topic": "bees"}.'],
  [[], 'null', '--params-json must be a JSON object, such as {"topic": "bees"}.'],
  [[], '{"topic": ', '--params-json must be a JSON object, such as {"topic": "bees"}.'],
])('refuses %j %s', (param, paramsJson, message) => {
  expect(() => read(param, paramsJson)).toThrow(new UsageError(message));
});

it('describes a run: the name and the first value in the first line', () => {
  expect(skillPrompt('Web Research', { topic: 'bees', more: { a: 1 } })).toBe(
    'Web Research, topic: bees\nmore: {"a":1}',
  );
  expect(skillPrompt('Web Research', {})).toBe('Web Research');
  expect(skillPrompt('Review', { code: 'x'.repeat(1_001), strict: true })).toBe(
    `Review, code: ${'x'.repeat(1_000)}…\nstrict: true`,
  );
  expect(expectedParams({ id: 'nothing', parameters: [] })).toBe('nothing takes no parameters.');
});
