import { expect, it } from 'vitest';
import { AppError } from '#contract/errors.ts';
import { SkillMetadata } from '#contract/skills.ts';
import { BuiltinCatalogue } from '#main/skills/builtin-catalogue.ts';
import { describeOutput } from '#main/skills/describe-output.ts';
import { SkillRegistry } from '#main/skills/skill-registry.ts';
import { checkRunSkill, skillCall } from '#main/skills/start-skill.ts';
import type { SkillDefinition, SkillStore } from '#main/storage/skill-types.ts';

const metadata = SkillMetadata.parse({
  ...{ id: 'count_words', name: 'Count words', description: 'Counts.', category: 'data' },
  parameters: [
    { name: 'text', type: 'string', description: 'what to count' },
    { name: 'times', type: 'number', description: 'how often', required: false, default: 1 },
    {
      ...{ name: 'unit', type: 'string', description: 'of what', required: false },
      options: ['words', 'lines'],
    },
  ],
});

function registryOf(disabled: readonly string[] = []): SkillRegistry {
  const definitions = disabled.map((id) => ({ id, enabled: false }) as SkillDefinition);
  const store = { definitions: () => definitions } as unknown as SkillStore;
  const catalogue = new BuiltinCatalogue([
    { metadata, createGraph: () => Promise.reject() as never },
  ]);
  return new SkillRegistry({ store, catalogues: [catalogue], toolRisk: () => 'high' });
}

const refusal = (work: () => unknown): unknown => {
  try {
    return work();
  } catch (error) {
    if (error instanceof AppError) return [error.code, error.message];
    throw error;
  }
};

it('takes what terminals write for what it stands for, and fills in defaults', () => {
  expect(
    checkRunSkill(registryOf(), { id: 'count-words', params: { text: 'a b', times: '3' } }),
  ).toEqual({ id: 'count_words', params: { text: 'a b', times: 3 } });
  expect(checkRunSkill(registryOf(), { id: 'count_words', params: { text: 'a' } })).toEqual({
    ...{ id: 'count_words', params: { text: 'a', times: 1 } },
  });
});

it('says all that is wrong before there is a run', () => {
  const check = (id: string, params: Record<string, never>, disabled: readonly string[] = []) =>
    refusal(() => checkRunSkill(registryOf(disabled), { id, params }));
  expect(check('count_words', { times: 'many', unit: 'sheep', colour: 'red' } as never)).toEqual([
    'SKILL_INPUT_INVALID',
    'The parameters do not fit count_words: colour: count_words has no such parameter; text: is missing; it is a string; times: must be a number, not string; unit: must be one of words, lines.',
  ]);
  expect(check('count_word', {})).toEqual([
    'SKILL_UNKNOWN',
    'There is no skill "count_word". Did you mean count_words? list_skills names them all.',
  ]);
  expect(check('count_words', { text: 'a' } as never, ['count_words'])).toEqual([
    ...[
      'SKILL_DISABLED',
      'The skill count_words is switched off. Switch it on again on the Skills page.',
    ],
  ]);
});

it('makes a call of a task in words, where the skill takes no more than that', () => {
  expect(skillCall(registryOf(), 'count_words', 'Count this.')).toEqual({
    ...{
      name: 'invoke_skill',
      arguments: { skill_id: 'count_words', params: { text: 'Count this.' } },
    },
  });
  expect(skillCall(registryOf(), 'absent', 'Count this.')).toBeNull();
  expect(skillCall(registryOf(['count_words']), 'count_words', 'Count this.')).toBeNull();
});

it('shows what a skill gave as Markdown: words first, code fenced, objects as a table', () => {
  const code = 'print("```")';
  expect(
    describeOutput({
      ...{ language: 'python', code, explanation: 'Prints.', tests: null, tests_passed: true },
      ...{ tags: ['a', 'b'], rows: [{ name: 'x|y', count: 2 }, { name: 'z' }] },
    }),
  ).toBe(
    [
      'Prints.',
      '**Language**: python',
      `### Code\n\n\`\`\`\`python\n${code}\n\`\`\`\``,
      '**Tests passed**: true',
      '### Tags\n\n- a\n- b',
      '### Rows\n\n| name | count |\n| --- | --- |\n| x\\|y | 2 |\n| z |  |',
    ].join('\n\n'),
  );
});
