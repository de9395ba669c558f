import { expect, test } from 'vitest';
import { SKILL_SOURCE_CHARS } from '#contract/skills.ts';
import { openDynamicBench } from '../../../fakes/dynamic-skill-bench.ts';
import { skillSource } from '../../../fakes/dynamic-skill-source.ts';

const META = `{ id: 'a', name: 'A', description: 'A.', category: 'code' }`;
const HEAD = "import { defineSkill } from 'hyperagent';\n";

test.each([
  ['what does not parse as TypeScript', 'const a: number = ;', 'does_not_parse', 1, /column 19/],
  ['what does not parse as a module', `${HEAD}\nlet let = 1;`, 'does_not_parse', 3, /column/],
  ['what types cannot be taken off', `${HEAD}enum A { B }`, 'does_not_parse', 2, /enum/],
  ['an enum, with what to do instead', `${HEAD}enum A { B }`, 'does_not_parse', 2, /plain Java/],
  ['a decorator', `${HEAD}\n@sealed class A {}`, 'does_not_parse', 3, /column 1: Decorators/],
  [
    'a type that is imported as a value',
    `import {\n  defineSkill,\n  SkillApp,\n} from 'hyperagent';`,
    'import_refused',
    3,
    /no SkillApp.*"type SkillApp"/,
  ],
  ['another module', `import fs from 'node:fs';\n${HEAD}`, 'import_refused', 1, /node:fs/],
  ['a computed import', `${HEAD}const a = import('x' + 1);`, 'import_refused', 2, /computed/],
  [
    'a module that exports no skill',
    `${HEAD}export const a = 1;`,
    'metadata_unreadable',
    null,
    /default export/,
  ],
  [
    'a skill without run',
    `${HEAD}export default defineSkill({ metadata: ${META} });`,
    'metadata_unreadable',
    null,
    /run/,
  ],
  [
    'a module that waits',
    `${HEAD}await new Promise(() => {});`,
    'metadata_unreadable',
    null,
    /never resolves/,
  ],
  [
    'a module that throws',
    `${HEAD}\nthrow new Error('at once');`,
    'metadata_unreadable',
    3,
    /at once/,
  ],
] as const)('%s', async (_what, source, rule, line, says) => {
  const { catalogue } = openDynamicBench();
  const { metadata, findings } = await catalogue.check('typescript', source);
  expect(metadata).toBeNull();
  expect(findings).toMatchObject([
    { severity: 'error', rule, line, file: 'skill.ts', message: expect.stringMatching(says) },
  ]);
  await expect(catalogue.save('typescript', source)).rejects.toMatchObject({
    code: 'SKILL_CODE_INVALID',
  });
});

test('every wrong field of the metadata is named', async () => {
  const { catalogue } = openDynamicBench();
  const source = skillSource('return {};', {
    id: 'Not An Id',
    metadata: {
      category: 'cooking',
      version: '1',
      maxIterations: 0,
      unknown: true,
      name: undefined,
    },
  });
  const { metadata, findings } = await catalogue.check('typescript', source);
  expect(metadata).toBeNull();
  const text = findings.map(({ message }) => message).join('\n');
  for (const name of ['metadata.id', 'category', 'version', 'maxIterations', 'unknown', 'name']) {
    expect(text).toContain(name);
  }
});

test('a source that is too long is not even read', async () => {
  const { catalogue, threads } = openDynamicBench();
  const source = skillSource(`return { a: '${'x'.repeat(SKILL_SOURCE_CHARS)}' };`);
  const { findings } = await catalogue.check('javascript', source);
  expect(findings).toMatchObject([{ severity: 'error', rule: 'too_long', file: 'skill.js' }]);
  expect(threads.size).toBe(0);
});

test('what the code uses is held against what the metadata ask for', async () => {
  const { catalogue } = openDynamicBench();
  const used = skillSource(
    "await app.fetch('x');\nawait app.llm.ask({ prompt: 'x' });\nawait app.shell('x');\nreturn {};",
    {
      capabilities: ['llm', 'sandbox'],
    },
  );
  const { metadata, findings } = await catalogue.check('javascript', used);
  expect(metadata?.capabilities).toEqual(['llm', 'sandbox']);
  expect(findings.map(({ severity, rule, line }) => [severity, rule, line])).toEqual([
    ['warning', 'capability_not_asked', 6],
    ['warning', 'unknown_member', 8],
    ['note', 'capability_unused', null],
  ]);
  const taken = `${HEAD}export default defineSkill({ metadata: ${META}, run: async (params, { search, ...rest }) => ({}) });`;
  expect((await catalogue.check('typescript', taken)).findings).toMatchObject([
    { rule: 'capability_not_asked', line: 2 },
  ]);
});

test('characters that hide or turn text round are flagged with their line', async () => {
  const { catalogue } = openDynamicBench();
  const source = skillSource(
    "// \u202e reversed\nconst a\u200b = '\u00a0';\nreturn {};",
  ).replaceAll('\n', '\r\n');
  const { findings } = await catalogue.check('javascript', source);
  expect(findings).toMatchObject([
    { severity: 'error', rule: 'does_not_parse' },
    { line: 6 },
    { line: 7 },
  ]);
  const inText = skillSource("// \u202e reversed\nreturn { a: '\u200b' };");
  expect((await catalogue.check('javascript', inText)).findings).toMatchObject([
    { severity: 'warning', rule: 'hidden_bidi', line: 6 },
    { severity: 'warning', rule: 'hidden_zero_width', line: 7 },
  ]);
});

test('code that is nested too deep to be read is a finding, and the next one is read', async () => {
  const { catalogue } = openDynamicBench();
  for (const language of ['typescript', 'javascript'] as const) {
    const deep = `${HEAD}export default ${'('.repeat(60_000)}1${')'.repeat(60_000)};`;
    await expect(catalogue.save(language, deep)).rejects.toMatchObject({
      code: 'SKILL_CODE_INVALID',
    });
    expect((await catalogue.check(language, skillSource('return {};'))).findings).toEqual([]);
  }
});
