import { expect, it } from 'vitest';
import { BuiltinCatalogue } from '#main/skills/builtin-catalogue.ts';
import { SkillRegistry } from '#main/skills/skill-registry.ts';
import { toolSkill } from '#main/skills/tool-skill.ts';
import type { Skill } from '#main/skills/types.ts';
import { openSkills } from '#main/storage/skill-store.ts';
import { skillMetadata } from '../../fakes/skill-host.ts';
import { HandClock, open, temporaryDir } from '../storage/support.ts';

const skill = (more: Parameters<typeof skillMetadata>[0]): Skill =>
  toolSkill(skillMetadata(more), async () => ({}));

function openRegistry() {
  const { connection } = open(temporaryDir());
  const store = openSkills(connection, new HandClock());
  const start = (skills: readonly Skill[]): SkillRegistry => {
    const catalogues = [new BuiltinCatalogue(skills)];
    const registry = new SkillRegistry({
      ...{ store, catalogues },
      toolRisk: (name) => (name === 'execute_code' ? 'high' : 'low'),
    });
    registry.syncBuiltins();
    return registry;
  };
  const rows = () =>
    connection
      .sql<Record<string, unknown>>('SELECT * FROM skill_definitions ORDER BY id')
      .all()
      .map(({ metadata_json, ...row }) => ({
        ...row,
        metadata: JSON.parse(String(metadata_json)),
      }));
  return { connection, store, start, rows };
}

it('puts builtin skills into the database, and of those that are there only what they say of themselves', () => {
  const { connection, store, start, rows } = openRegistry();
  const old = { id: 'one', name: 'One', description: 'First.', author: 'me' } as const;
  start([skill(old), skill({ id: 'gone', name: 'Gone' })]);
  expect(rows()[1]).toEqual({
    ...{ id: 'one', name: 'One', version: '1.0.0', description: 'First.', author: 'me' },
    ...{ category: 'automation', module_path: '', source_code: null, source_code_hash: null },
    ...{ enabled: 1, is_builtin: 1, invocation_count: 0, last_invoked_at: null },
    metadata: skillMetadata(old),
  });
  // What is the app's, and what a sync has no business with.
  connection
    .sql(
      `UPDATE skill_definitions SET module_path = 'p', source_code = 's', source_code_hash = 'h',
         enabled = 0, invocation_count = 3, last_invoked_at = 9 WHERE id = 'one'`,
    )
    .run();
  const next = {
    ...{ id: 'one', name: 'Uno', version: '2.0.0', description: 'Second.', author: 'you' },
    ...{ category: 'data' as const, tags: ['new'] },
  };
  const registry = start([skill(next)]);
  expect(rows()).toEqual([
    {
      ...{ id: 'one', name: 'Uno', version: '2.0.0', description: 'Second.', author: 'you' },
      ...{ category: 'data', module_path: 'p', source_code: 's', source_code_hash: 'h' },
      ...{ enabled: 0, is_builtin: 1, invocation_count: 3, last_invoked_at: 9 },
      metadata: skillMetadata(next),
    },
  ]);
  expect(registry.summary('one')).toMatchObject({
    ...{ state: 'disabled', invocationCount: 3, lastInvokedAt: 9 },
  });
  expect(store.definition('gone')).toBeNull();
});

it('writes nothing where nothing is new', () => {
  const { connection, start } = openRegistry();
  start([skill({ id: 'one' })]);
  const changes = (): unknown =>
    connection.sql<{ n: number }>('SELECT total_changes() AS n').get()?.n;
  const before = changes();
  start([skill({ id: 'one' })]);
  expect(changes()).toBe(before);
});

it('lists by category and by words of ids, names, descriptions and tags', () => {
  const registry = openRegistry().start([
    skill({ id: 'web_research', name: 'Web', category: 'research', tags: ['sources'] }),
    skill({ id: 'charts', name: 'Charts', category: 'data', description: 'Draws figures.' }),
    skill({ id: 'analysis', name: 'Analysis', category: 'data', description: 'Finds figures.' }),
  ]);
  const ids = (filter?: Parameters<SkillRegistry['list']>[0]): string[] =>
    registry.list(filter).map(({ id }) => id);
  expect([
    ids(),
    ids({ category: 'data' }),
    ids({ search: 'FIGURES' }),
    ids({ search: 'figures draws' }),
    ids({ search: 'sources' }),
    ids({ category: 'data', search: 'web' }),
  ]).toEqual([
    ['analysis', 'charts', 'web_research'],
    ['analysis', 'charts'],
    ['analysis', 'charts'],
    ['charts'],
    ['web_research'],
    [],
  ]);
});

it('knows skills by the names of the agents that they replace, and by other spellings', async () => {
  const registry = openRegistry().start(
    ['deep_research', 'data_analysis', 'simple_writing', 'code_generation'].map((id) =>
      skill({ id }),
    ),
  );
  expect(
    ['research', 'data', 'Writing', 'code_agent', 'Deep Research', 'deep-research', 'none'].map(
      (name) => registry.resolve(name),
    ),
  ).toEqual([
    ...['deep_research', 'data_analysis', 'simple_writing', 'code_generation'],
    ...['deep_research', 'deep_research', 'none'],
  ]);
  expect((await registry.load('research')).metadata.id).toBe('deep_research');
  // A skill of that very name goes before the alias.
  const own = openRegistry().start([skill({ id: 'data' }), skill({ id: 'data_analysis' })]);
  expect(own.resolve('data')).toBe('data');
});

it('runs none that is switched off, and says how it is switched on again', async () => {
  const { start } = openRegistry();
  const registry = start([skill({ id: 'one' }), skill({ id: 'two' })]);
  expect(registry.setEnabled('one', false)).toMatchObject({ state: 'disabled' });
  await expect(registry.load('one')).rejects.toMatchObject({ code: 'SKILL_DISABLED' });
  expect(registry.ready().map(({ id }) => id)).toEqual(['two']);
  // It stays so after a start.
  await expect(start([skill({ id: 'one' })]).load('one')).rejects.toMatchObject({
    code: 'SKILL_DISABLED',
  });
  await expect(registry.load('tow')).rejects.toMatchObject({ code: 'SKILL_UNKNOWN' });
  registry.setEnabled('one', true);
  expect((await registry.load('one')).metadata.id).toBe('one');
});

it('rates a skill by what it may do, and a level of its own where it comes with the app', () => {
  const registry = openRegistry().start([
    skill({ id: 'none' }),
    skill({ id: 'reads', capabilities: ['llm', 'search', 'fetch'] }),
    skill({ id: 'runs', capabilities: ['sandbox'] }),
    skill({ id: 'tools', requiredTools: ['web_search', 'execute_code'] }),
    skill({ id: 'said', capabilities: ['sandbox'], riskLevel: 'low' }),
  ]);
  const risks = ['none', 'reads', 'runs', 'tools', 'said', 'unknown'].map((id) =>
    registry.risk(id),
  );
  expect(risks).toEqual(['low', 'medium', 'high', 'high', 'low', 'high']);
});
