import { expect, it } from 'vitest';
import { RunOptions } from '#contract/entities.ts';
import { callStep, numberedStep, RUN_STEP } from '#main/base/step-path.ts';
import { prepareCall } from '#main/tools/prepare-call.ts';
import { ToolCatalogue } from '#main/tools/tool-catalogue.ts';
import { noSearch } from '../../fakes/fake-search.ts';
import { inlineDocuments } from '../../fakes/inline-documents.ts';
import { noApps } from '../../fakes/no-apps.ts';
import { noBrowsers } from '../../fakes/no-browsers.ts';
import { noEdits } from '../../fakes/no-edits.ts';
import { noImages } from '../../fakes/no-images.ts';
import { noPictures, noScans } from '../../fakes/no-pictures.ts';
import { noSkills } from '../../fakes/no-skills.ts';
import { noSlides } from '../../fakes/no-slides.ts';

const tools = new ToolCatalogue({
  apps: noApps,
  edits: noEdits,
  slides: noSlides,
  images: noImages,
  skills: noSkills(),
  commandTimeoutMs: () => 1_000,
  ...{
    search: noSearch,
    library: null,
    documents: inlineDocuments,
    pictures: noPictures,
    browsers: noBrowsers,
    scans: noScans,
  },
}).forAgent('executor');

const prepared = (name: string, given: Record<string, unknown>) => {
  const call = prepareCall(
    { id: 'c', name, arguments: given },
    tools,
    callStep(numberedStep(RUN_STEP, 1), 0),
  );
  return call.kind === 'prepared' ? [call.tool.name, call.input] : [call.name, call.code];
};

it('hands over to the skills that do what earlier agents did', () => {
  expect([
    prepared('handoff_to_data', { task: 'Sum it', artifacts: ['a.csv'] }),
    prepared('handoff_to_writing', { task: 'A letter', tone: 'warm' }),
    prepared('handoff_to_code', { task: 'Sort it' }),
    prepared('handoff_to_research', { task: 'Why?' }),
    prepared('handoff_to_toString', { task: 'Why?' }),
    prepared('toString', { task: 'Why?' }),
  ]).toEqual([
    [
      'invoke_skill',
      { skill_id: 'data_analysis', params: { request: 'Sum it', files: ['a.csv'] } },
    ],
    ['invoke_skill', { skill_id: 'simple_writing', params: { request: 'A letter', tone: 'warm' } }],
    ['invoke_skill', { skill_id: 'code_generation', params: { task: 'Sort it' } }],
    ['delegate_to_research', { task: 'Why?' }],
    ['handoff_to_toString', 'TOOL_UNKNOWN'],
    ['toString', 'TOOL_UNKNOWN'],
  ]);
  // Models do not see the earlier names.
  expect([...tools.keys()].filter((name) => name.startsWith('handoff_'))).toEqual([]);
});

it.each([
  ['chat', 'task'],
  ['task', 'task'],
  ['writing', 'writing'],
  ['code', 'code'],
])('a run may be started in the mode %s, which is %s', (given, mode) => {
  expect(RunOptions.partial().parse({ mode: given })).toEqual({ mode });
});

it('other modes are refused', () => {
  expect(RunOptions.partial().safeParse({ mode: 'toString' }).success).toBe(false);
});
