import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { SkillMetadata } from '#contract/skills.ts';
import { builtinSkills } from '#main/skills/builtin-catalogue.ts';
import { validateInput } from '#main/skills/skill-input.ts';
import type { SkillExample } from '../../../fakes/skill-bench.ts';

/** Objects of a JSON Schema that take fields that it does not name, by where they stand. */
function openObjects(schema: unknown, place = 'output'): string[] {
  if (typeof schema !== 'object' || schema === null) return [];
  const { type, additionalProperties, properties } = schema as Record<string, unknown>;
  const isOpen = type === 'object' && properties !== undefined && additionalProperties !== false;
  return [
    ...(isOpen ? [place] : []),
    ...Object.entries(schema).flatMap(([key, value]) => openObjects(value, `${place}.${key}`)),
  ];
}

test('the builtin skills are in order, each once', () => {
  const ids = builtinSkills.map(({ metadata }) => metadata.id);
  expect(ids).toEqual([...new Set(ids)].sort());
});

test('each folder is one skill, with its code and a row in the docs', async () => {
  const folders = readdirSync('src-main/skills/builtin', { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name.replaceAll('-', '_'));
  const ids = builtinSkills.map(({ metadata }) => metadata.id);
  expect(ids).toEqual(folders.sort());
  for (const { metadata, load } of builtinSkills) {
    expect((await load()).metadata).toBe(metadata);
  }
  const page = readFileSync('docs/tools-and-skills.md', 'utf8');
  const table = page.slice(page.indexOf('## Builtin skills'), page.indexOf('## Dynamic skills'));
  expect([...table.matchAll(/^\| `(\w+)`/gm)].map(([, id]) => id).sort()).toEqual(ids);
});

describe.each(builtinSkills.map(({ metadata }) => metadata))('$id', (metadata) => {
  test('says of itself what a skill must say, and holds its output to a closed schema', () => {
    expect(SkillMetadata.parse(metadata)).toEqual(metadata);
    expect(metadata.outputSchema).toMatchObject({ type: 'object', properties: expect.anything() });
    expect(openObjects(metadata.outputSchema)).toEqual([]);
    expect(metadata.tags).not.toEqual([]);
    expect(metadata.capabilities).not.toEqual([]);
    for (const { name, description } of metadata.parameters) {
      expect([name, description.length > 10]).toEqual([name, true]);
    }
  });

  test('has an example in its folder, whose parameters fit', () => {
    const file = `src-main/skills/builtin/${metadata.id.replaceAll('_', '-')}/example.json`;
    expect([file, existsSync(file)]).toEqual([file, true]);
    const example = JSON.parse(readFileSync(file, 'utf8')) as SkillExample;
    expect(example.description.length).toBeGreaterThan(40);
    expect(validateInput(metadata, example.params)).toMatchObject({ ok: true });
  });
});
