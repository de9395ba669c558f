import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { TOOL_FAMILIES, TOOL_NAMES, toolFacts } from '#contract/tools.ts';
import { AGENT_TOOL_MAPPING, ToolCatalogue } from '#main/tools/tool-catalogue.ts';
import { noSearch } from '../../fakes/fake-search.ts';
import { inlineDocuments } from '../../fakes/inline-documents.ts';
import { noApps } from '../../fakes/no-apps.ts';
import { noBrowsers } from '../../fakes/no-browsers.ts';
import { noEdits } from '../../fakes/no-edits.ts';
import { noImages } from '../../fakes/no-images.ts';
import { noPictures, noScans } from '../../fakes/no-pictures.ts';
import { noSkills } from '../../fakes/no-skills.ts';
import { noSlides } from '../../fakes/no-slides.ts';

const root = path.join(import.meta.dirname, '../../..');
const catalogue = new ToolCatalogue({
  pictures: noPictures,
  browsers: noBrowsers,
  scans: noScans,
  apps: noApps,
  edits: noEdits,
  slides: noSlides,
  images: noImages,
  skills: noSkills(),
  commandTimeoutMs: () => 1000,
  ...{ search: noSearch, library: null, documents: inlineDocuments },
});
const rated = (name: string, input: unknown) => {
  const tool = catalogue.all.find((candidate) => candidate.name === name);
  const of = (value: unknown) => (typeof value === 'function' ? value(input) : value);
  return [of(tool?.risk), of(tool?.effect)];
};

it('has the tools of this version in the order of the vocabulary', () => {
  expect(catalogue.all.map((tool) => tool.name)).toEqual([...TOOL_NAMES]);
});

describe('a tool is defined in two places, its entry in the contract and the file with its name', () => {
  it('with nothing left over on either side', () => {
    const files = readdirSync(path.join(root, 'src-main/tools/definitions'));
    const named = TOOL_NAMES.map((name) => `${name.replaceAll('_', '-')}.ts`);
    expect(files.sort()).toEqual(named.sort());
  });

  it.each(catalogue.all)('$name: category, title and subject fit', ({ name, category, input }) => {
    const facts = toolFacts(name);
    const { properties = {} } = z.toJSONSchema(input, { io: 'input' });
    expect(category).toBe(facts?.category);
    if (facts?.subject !== '') expect(Object.keys(properties)).toContain(facts?.subject);
    const title = facts?.title;
    if (typeof title !== 'object' || !('titles' in title)) return;
    expect(properties[title.argument]).toMatchObject({ enum: Object.keys(title.titles) });
  });

  it('each has a row in the docs', () => {
    const page = readFileSync(path.join(root, 'docs/tools-and-skills.md'), 'utf8');
    const table = page.slice(page.indexOf('## Tools'), page.indexOf('## Builtin skills'));
    const rows = [...table.matchAll(/^\| (`.*?) \|/gm)].map(([, names = '']) => names);
    const named = rows
      .flatMap((names) => names.split(', '))
      .map((name) => name.replaceAll('`', ''));
    expect(named.sort()).toEqual([...TOOL_NAMES].sort());
  });
});

it('makes the schema of a tool once, for every agent', () => {
  const shown = catalogue.forAgent('executor').get('shell_command')?.schema;
  expect(shown).toBeDefined();
  expect(catalogue.byName.get('shell_command')?.schema).toBe(shown);
});

it('gives each agent its categories', () => {
  expect(AGENT_TOOL_MAPPING.research).toEqual([
    'search',
    'image',
    'browser',
    'skill',
    'handoff',
    'hitl',
  ]);
  // Without the app's own call, and without the families that are not loaded.
  // There is no connector whose tools could be searched.
  const loaded = TOOL_NAMES.filter(
    (name) => name !== 'run_tests' && toolFacts(name)?.category !== 'connector',
  );
  const forAgents = loaded.filter((name) => toolFacts(name)?.family === undefined);
  expect([...catalogue.forAgent('executor', 'codeact').keys()]).toEqual(forAgents);
  expect([...catalogue.forAgent('executor').keys()]).toEqual(
    forAgents.filter((name) => name !== 'execute_script'),
  );
  expect([...catalogue.forAgent('research').keys()]).toEqual([
    'analyze_image',
    'web_search',
    'fetch_page',
    'invoke_skill',
    'list_skills',
    'load_skill',
    'read_file',
    'complete_skill_step',
    'ask_user',
    'request_human_approval',
    'delegate_to_research',
    'make_plan',
    'load_tools',
  ]);
  expect([...catalogue.forAgent('executor', 'codeact', new Set(TOOL_FAMILIES)).keys()]).toEqual(
    loaded,
  );
});

it('rates calls by what they could lose', () => {
  const file = (operation: string) => rated('sandbox_file', { operation });
  expect({
    code: rated('execute_code', {}),
    shell: rated('shell_command', {}),
    read: file('read'),
    list: file('list'),
    write: file('write'),
    move: file('move'),
    delete: file('delete'),
  }).toEqual({
    code: ['high', 'opaque'],
    shell: ['high', 'opaque'],
    read: ['low', 'read'],
    list: ['low', 'read'],
    write: ['medium', 'idempotent'],
    move: ['medium', 'probeable'],
    delete: ['high', 'probeable'],
  });
});

it('leaves a first request far below 8 kB', () => {
  const prompt = readFileSync(path.join(root, 'resources/prompts/executor.md'), 'utf8');
  const schemas = [...catalogue.forAgent('executor').values()].map((tool) => tool.schema);
  expect(Buffer.byteLength(prompt + JSON.stringify(schemas))).toBeLessThan(6800);
});
