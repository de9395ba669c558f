import { expect, it } from 'vitest';
import { isRefusal, overridesIn } from '#main/hitl/checkpoint-text.ts';

const PARAMS = {
  question_count: 10,
  types: ['choice', 'fill_blank', 'short_answer'],
  difficulty: 'adaptive',
  timed: true,
  note: null,
};

it.each([
  ['make it 15 questions, no essays', {}],
  ['question_count = 15', { question_count: 15 }],
  [
    'question_count: 15, difficulty: hard; timed = false',
    { ...{ question_count: 15, difficulty: 'hard' }, timed: false },
  ],
  [
    'types = ["choice","fill_blank"], question_count=3',
    { types: ['choice', 'fill_blank'], question_count: 3 },
  ],
  ['{"question_count": 5, "types": ["choice"]}', { question_count: 5, types: ['choice'] }],
  ['question_count：15，difficulty：简单', { question_count: 15, difficulty: '简单' }],
  ['note = anything', { note: 'anything' }],
  // Of another kind than the parameter, or no parameter at all: the model reads the words.
  ['question_count = many', {}],
  ['types = choice', {}],
  ['{"question_count": "15", "admin": true}', {}],
  ['__proto__ = 1, constructor: 2, toString = 3', {}],
  ['{"__proto__": {"question_count": 1}}', {}],
  ['see https://example.org: it says 12:30', {}],
])('reads from %j only what states a parameter', (text, overrides) => {
  expect(overridesIn(text, PARAMS)).toEqual(overrides);
});

it('takes a bare refusal for one, and nothing that says more', () => {
  const refusals = [
    'No, please don’t do that.',
    "No. Don't run it!",
    'please stop',
    'Not now, thanks',
    'I do not want this',
    'Rejected',
    '不，取消吧',
    '请停止',
    'no',
    'No!',
    ' stop here. ',
    'Cancel it',
    "don't",
    'don’t do this',
    '不要。',
    '停',
  ];
  const others = ['no essays', 'stop after ten questions', 'not too hard', '不要太难', 'north', ''];
  expect([...refusals, ...others].map(isRefusal)).toEqual([
    ...refusals.map(() => true),
    ...others.map(() => false),
  ]);
});

it('reads a hostile text in no time that grows with its square', () => {
  const cpu = process.cpuUsage();
  for (const text of [
    'a='.repeat(50_000),
    ','.repeat(100_000),
    '['.repeat(100_000),
    'a: [,'.repeat(20_000),
  ]) {
    expect(overridesIn(text, PARAMS)).toEqual({});
    expect(isRefusal(`${text}!${' '.repeat(50_000)}x`)).toBe(false);
  }
  expect(process.cpuUsage(cpu).user / 1000).toBeLessThan(2_000);
});
