import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import type { JsonObject } from '#main/skills/types.ts';
import type { DirectedReply, DirectedRequest } from '../../../fakes/directed-model.ts';
import { researchRule } from '../../../fakes/research-model.ts';
import { openSkillBench } from '../../../fakes/skill-bench.ts';
import { type SmallPage, startSmallWeb } from '../../../fakes/small-web.ts';

interface Example {
  readonly params: JsonObject;
  readonly web: readonly SmallPage[];
  readonly expected: JsonObject;
  /** What the report says. */
  readonly reported: readonly string[];
}

const example = JSON.parse(
  readFileSync('src-main/skills/builtin/deep-research/example.json', 'utf8'),
) as Example;
const OPEN = { run: { network: 'open' as const } };

const researching =
  (options: Parameters<typeof researchRule>[0] = {}) =>
  ({ messages, format }: DirectedRequest): DirectedReply => {
    const plain = messages.map(({ role, content = '' }) => ({ role, content }));
    return { content: researchRule(options)({ messages: plain, format }) };
  };

it('does the example in its folder, with the events of the research agent', async () => {
  const web = await startSmallWeb(example.web);
  const bench = await openSkillBench(researching(), web.searchSettings);
  const played = await bench.invoke('deep_research', example.params, OPEN);
  const { output, run } = played;
  expect(output).toMatchObject(example.expected);
  const report = String(output.report);
  for (const said of example.reported) expect(report).toContain(said);
  // Its file is the report, and its citations are of its sources, small numbers of its own.
  expect(await bench.file(run.threadId, String(output.report_path))).toBe(report);
  const indexes = (output.sources as { index: number }[]).map(({ index }) => index);
  expect(indexes).toEqual([1, 2]);
  const cited = [...report.matchAll(/\[(\d+)\](?!\()/g)].map(([, number]) => Number(number));
  expect(new Set(cited)).toEqual(new Set(indexes));
  // The agent tells how far it is by itself, under the number of its lane, within the stage of the skill.
  const stages = played.of('stage').map(({ name, status }) => `${name} ${status}`);
  const agents = ['init_config', 'search_loop', 'analyze', 'synthesize', 'write_report'];
  expect(stages.filter((stage) => stage.includes('research'))).toEqual([
    ...['skill_deep_research running', 'skill_deep_research.research running'],
    ...agents.flatMap((name) => [
      ...[
        `research_${name} 1/call-1/1/research running`,
        `research_${name} 1/call-1/1/research completed`,
      ],
    ]),
    ...['skill_deep_research.research completed', 'skill_deep_research completed'],
  ]);
  expect(played.of('report')).toHaveLength(1);
  expect(played.of('skill_output').map((event) => event.output)).toEqual([output]);
  // No word of the report is streamed as the answer of the run.
  expect(played.answer).toBe('The job is over.');
});

it('is what the deprecated agent of that name stands for', async () => {
  const web = await startSmallWeb(example.web);
  const bench = await openSkillBench(researching(), web.searchSettings);
  expect((await bench.app.api['skills.get']({ skillId: 'research' })).skill.summary.id).toBe(
    'deep_research',
  );
  const played = await bench.invoke('research', { question: 'Vessin dam', depth: 'fast' }, OPEN);
  expect(played.execution).toMatchObject({ skillId: 'deep_research', status: 'completed' });
});

it('refuses a depth that there is not, and tells what it takes', async () => {
  const bench = await openSkillBench(researching());
  const played = await bench.invoke('deep_research', { question: 'x', depth: 'bottomless' });
  expect(played.toolAnswer).toMatchObject({
    ...{ success: false, error_code: 'SKILL_INPUT_INVALID' },
    expected_parameters: [{ name: 'question' }, { name: 'depth' }, { name: 'scenario' }],
  });
  expect(bench.requests).toEqual([]);
});

it.each([
  ['nothing is found', []],
  ['no page can be read', example.web.map((page) => ({ ...page, status: 500 }))],
])('writes an honest report where %s', async (_what, pages) => {
  const web = await startSmallWeb(pages);
  const bench = await openSkillBench(researching(), web.searchSettings);
  const played = await bench.invoke('deep_research', example.params, OPEN);
  expect(played.output).toMatchObject({ sources: [] });
  expect(played.run.status).toBe('completed');
});

it.each([
  ['no JSON', () => ({ content: 'I am not sure what you mean.' })],
  ['missing fields', () => ({ content: '{"thoughts": "none"}' })],
  ['a refusal', () => ({ content: "I'm sorry, but I can't help with that." })],
  ['a loop', () => ({ content: 'and again '.repeat(3_000) })],
])('reports what the pages say where the model gives %s', async (_what, answer) => {
  const web = await startSmallWeb(example.web);
  const bench = await openSkillBench(answer, web.searchSettings);
  const played = await bench.invoke('deep_research', example.params, OPEN);
  expect(String(played.output.report)).toContain('142 metres');
});
