import { expect, test } from 'vitest';
import { toolSkill } from '#main/skills/tool-skill.ts';
import type { Skill, SkillHost, ToolAnswer } from '#main/skills/types.ts';
import { hostSkills, skillMetadata } from '../../fakes/skill-host.ts';

const drawn: ToolAnswer = { ok: true, status: 'ok', content: 'drawn', data: null };

/** A skill that draws where it can, over a host with these tools. */
function withTools(...names: readonly string[]) {
  const called: string[] = [];
  const host: Partial<SkillHost> = {
    toolNames: new Set(names),
    call: async ({ name }) => {
      called.push(name);
      return drawn;
    },
  };
  const metadata = skillMetadata({ requiredTools: ['execute_code'] });
  const skill: Skill = {
    ...toolSkill(metadata, async ({ tool }, { tools }) => {
      const name = String(tool);
      const has = tools.has(name);
      return { has, said: has || tool === 'other' ? (await tools.call(name, {})).content : '' };
    }),
    optionalTools: ['generate_image'],
  };
  const named = {
    ...skill,
    metadata: {
      ...metadata,
      parameters: [{ name: 'tool', type: 'string' as const, description: '', required: true }],
    },
  };
  return { skills: hostSkills([named], host), called };
}

test('an optional tool is used where it is there, and done without where it is not', async () => {
  const there = withTools('execute_code', 'generate_image', 'other');
  expect(await there.skills.execute('sample', { tool: 'generate_image' })).toMatchObject({
    ok: true,
    output: { has: true, said: 'drawn' },
  });
  expect(there.called).toEqual(['generate_image']);
  const missing = withTools('execute_code');
  expect(await missing.skills.execute('sample', { tool: 'generate_image' })).toMatchObject({
    ok: true,
    output: { has: false, said: '' },
  });
  expect(missing.called).toEqual([]);
});

test('a tool that is there and not named is refused', async () => {
  const { skills, called } = withTools('execute_code', 'other');
  expect(await skills.execute('sample', { tool: 'other' })).toMatchObject({
    ok: false,
    error: { code: 'SKILL_TOOL_MISSING' },
  });
  expect(called).toEqual([]);
});

test('a required tool that is missing stops it before it begins', async () => {
  const { skills } = withTools('generate_image');
  expect(await skills.execute('sample', { tool: 'generate_image' })).toMatchObject({
    ok: false,
    error: { code: 'SKILL_TOOL_MISSING' },
  });
  expect(skills.stages()).toEqual([]);
});
