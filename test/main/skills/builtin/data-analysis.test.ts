import { describe, expect, test } from 'vitest';
import { TokenEstimator } from '#main/models/window/token-estimate.ts';
import { analyst, json, report, runs } from '../../../fakes/analyst-model.ts';
import { openSkillBench, playExample } from '../../../fakes/skill-bench.ts';
import { osSandboxNote, osSandboxReady } from '../../../setup/os-sandbox.ts';

const CSV = 'region,units\nNorth,120\nSouth,75\nNorth,30\n';
const FILES = { files: { 'sales.csv': CSV } };
const ROWS = 'import sys; sys.path.insert(0, ".hyperagent")\nfrom data_files import rows\n';
const TOTAL = `${ROWS}print("North", sum(row["units"] for row in rows("sales.csv") if row["region"] == "North"))\n`;
const TASK = { request: 'How many units did the North sell?' };
const done = { content: 'North sold 150.' };

const play = async (
  script: Parameters<typeof analyst>[0],
  params: Parameters<Awaited<ReturnType<typeof openSkillBench>>['invoke']>[1] = TASK,
  options: Parameters<Awaited<ReturnType<typeof openSkillBench>>['invoke']>[2] = FILES,
) => {
  const bench = await openSkillBench(analyst(script));
  return { bench, played: await bench.invoke('data_analysis', params, options) };
};

describe.skipIf(!osSandboxReady)(`data_analysis${osSandboxNote}`, () => {
  test('the example in its folder', async () => {
    const { example, played, bench } = await playExample('data_analysis');
    expect(played.output).toMatchObject(example.expected);
    const svg = await bench.file(played.run.threadId, 'charts/regions.svg');
    expect(svg).toContain('Sales by region');
    expect(played.output.report).toContain('![regions](charts/regions.svg)');
    expect(played.of('skill_output')).toHaveLength(1);
    expect(bench.requests.map(({ system }) => system.split('.')[0])).toEqual([
      'You plan the analysis of data',
      ...[
        'You analyse data by running programs with execute_code',
        'You analyse data by running programs with execute_code',
      ],
      'You report what an analysis of data found',
    ]);
    // What is in the files goes in as data, with figures that a program measured.
    expect(bench.requests[0]?.turn).toMatch(/<data-\w+>\nFILE orders\.csv[\s\S]*sum 675/);
  });

  test('wide files and long outputs fit a window of 4k', async () => {
    const names = Array.from({ length: 60 }, (_, at) => `a column with a long name, number ${at}`);
    const wide = [names, names.map((_, at) => at), names.map((_, at) => at * 2)]
      .map((row) => row.map((cell) => `"${cell}"`).join(','))
      .join('\n');
    const bench = await openSkillBench(
      analyst({
        loop: [runs('print("x" * 14_000)'), { content: `It is 78. ${'Much more. '.repeat(500)}` }],
        reports: [report('It is 78.')],
      }),
      { contextWindow: 4_096 },
    );
    const skill = { id: 'data_analysis', params: { request: 'What is the greatest value?' } };
    const files = { 'wide.csv': wide };
    const { output } = await bench.invoke('data_analysis', {}, { files, run: { skill } });
    expect(output.unverified_numbers).toEqual([]);
    const estimator = new TokenEstimator();
    const sizes = bench.requests.map(({ messages }) =>
      messages.reduce((sum, { content = '' }) => sum + estimator.text(content) + 8, 0),
    );
    expect(sizes).toHaveLength(4);
    expect(Math.max(...sizes)).toBeLessThan(4_096);
    expect(Math.max(...sizes)).toBeGreaterThan(1_000);
  });

  test('a wrong number is caught, and corrected when the model hears of it', async () => {
    const { bench, played } = await play({
      loop: [runs(TOTAL), done],
      reports: [report('North sold 160 units.'), report('North sold 150 units.')],
    });
    expect(played.output).toMatchObject({
      unverified_numbers: [],
      findings: [{ statement: 'North sold 150 units.', numbers: ['150'], verified: true }],
    });
    expect(bench.requests.at(-1)?.turn).toContain('- 160 in: North sold 160 units.');
  });

  test('a wrong number that is insisted on is marked', async () => {
    const { bench, played } = await play({
      loop: [runs(TOTAL), done],
      reports: [report('North sold 160 units.', 'South sold 75.')],
    });
    expect(played.output).toMatchObject({
      findings: [
        { statement: 'North sold 160 units.', verified: false },
        { statement: 'South sold 75.', verified: true },
      ],
      unverified_numbers: [
        { number: '160', statement: 'summary' },
        { number: '160', statement: 'North sold 160 units.' },
      ],
    });
    expect(played.output.report).toContain('- North sold 160 units. **(not verified: 160)**\n');
    // Asked for the report twice and no more.
    expect(
      bench.requests.filter(({ turn }) => turn.includes('The conclusion from it')),
    ).toHaveLength(2);
  });

  test('a number that the model wrote into a file and read again proves nothing', async () => {
    const file = (given: object) => ({
      calls: [{ name: 'sandbox_file', arguments: { ...given } }],
    });
    const { played } = await play({
      loop: [
        file({ operation: 'write', path: 'notes.txt', content: 'North sold 987 units' }),
        file({ operation: 'read', path: 'notes.txt' }),
        runs(TOTAL),
        done,
      ],
      reports: [report('North sold 987 units.')],
    });
    expect(played.output.unverified_numbers).toHaveLength(2);
  });

  test('a limit that the user named and a program used is no invention; one that none used is', async () => {
    const program = `${ROWS}print(sum(1 for row in rows("sales.csv") if row["units"] > 42))\n`;
    const request = 'How many orders are above 42, with a target of 999?';
    const { played } = await play(
      {
        loop: [runs(program), done],
        reports: [report('2 orders are above 42.', 'The target is 999.')],
      },
      { request },
    );
    expect(played.output.unverified_numbers).toEqual([
      { number: '999', statement: 'summary' },
      { number: '999', statement: 'The target is 999.' },
    ]);
  });

  test('a program that fails is fixed, and is a step too', async () => {
    const { played } = await play({
      loop: [runs('print(unknown)'), runs(TOTAL), done],
      reports: [report('North sold 150 units.')],
    });
    expect(played.output.steps).toMatchObject([{ ok: false }, { ok: true }]);
    expect(played.output.unverified_numbers).toEqual([]);
  });

  test('charts that do not open are named and left out', async () => {
    const program = `${TOTAL}import os\nos.makedirs("charts")\nopen("charts/bad.png", "w").write("PNG")\n`;
    const { played } = await play({
      loop: [runs(program), done],
      reports: [report('North sold 150 units.')],
    });
    expect(played.output.charts).toEqual([]);
    expect(played.output.notes).toContainEqual(expect.stringContaining('charts/bad.png'));
  });

  test('a model that never ends is stopped at its limit', async () => {
    let round = 0;
    const bench = await openSkillBench((request) => {
      round += 1;
      return analyst({ loop: [runs(`print("round", ${round})`)], reports: [] })(
        // The last turn of the script is said again and again.
        request,
      );
    });
    const played = await bench.invoke('data_analysis', TASK, FILES);
    expect(played.toolAnswer).toMatchObject({
      success: false,
      error_code: 'SKILL_ITERATION_LIMIT',
    });
    expect(bench.requests.filter(({ system }) => system.startsWith('You analyse'))).toHaveLength(
      12,
    );
    expect(played.run.status).toBe('completed');
  });

  test.each([
    [
      'the plan is no JSON',
      { plan: { content: 'First I look at it.' }, loop: [done], reports: [] },
    ],
    ['the plan has no steps', { plan: json({ charts: [] }), loop: [done], reports: [] }],
    ['no program is run', { loop: [{ content: 'I cannot help with that.' }], reports: [] }],
    ['the report is no JSON', { loop: [runs(TOTAL), done], reports: [{ content: 'North: 150' }] }],
    ['the report lacks findings', { loop: [runs(TOTAL), done], reports: [json({ summary: 'x' })] }],
  ])('%s: a failure that says so', async (_name, script) => {
    const { played } = await play(script);
    expect(played.toolAnswer).toMatchObject({ success: false, error_code: 'SKILL_MODEL_ANSWER' });
    expect(played.execution).toMatchObject({ status: 'failed', output: null });
    expect(played.run.status).toBe('completed');
  });

  test.each([
    ['an empty file', { files: ['a.csv'] }, { 'a.csv': '' }, 'The file is empty'],
    ['a file that is not there', { files: ['b.csv'] }, {}, 'no such file'],
    ['a workbook that is none', { files: ['c.xlsx'] }, { 'c.xlsx': 'region,units' }, 'not a xlsx'],
    ['no text', { files: ['d.csv'] }, { 'd.csv': '\0\x01\x02\x03\0\x04' }, 'zero bytes'],
  ])('%s alone: no model is asked', async (_name, params, files, why) => {
    const { bench, played } = await play(
      { loop: [], reports: [] },
      { ...TASK, ...params },
      { files },
    );
    expect(played.toolAnswer).toMatchObject({ success: false, error_code: 'SKILL_FAILED' });
    expect(played.toolAnswer.error).toContain(why);
    expect(bench.requests).toEqual([]);
  });

  test('each program is asked about, the one that looks at the files first; a denial is final', async () => {
    const bench = await openSkillBench(analyst({ loop: [runs(TOTAL), done], reports: [] }));
    const { api } = bench.app;
    const { run, ended } = await bench.begin('data_analysis', TASK, {
      ...FILES,
      run: { approve: 'ask' },
    });
    const end = ended();
    const asked: string[] = [];
    for (const answer of ['yes', 'no'] as const) {
      await expect.poll(() => api['runs.waiting']().questions.length).toBe(1);
      const [question] = api['runs.waiting']().questions;
      asked.push(question?.argumentsText ?? '');
      const argumentsSha256 = question?.argumentsSha256 ?? '';
      await api['runs.respond']({
        runId: run.id,
        interruptId: question?.interruptId ?? '',
        response:
          answer === 'yes'
            ? { action: 'approve', argumentsSha256, always: false }
            : { action: 'deny', reason: 'Not this one.' },
      });
    }
    const played = await end;
    expect(asked[0]).toContain('data_profile.main([\\"sales.csv\\"]');
    expect(asked[1]).toContain('row[\\"region\\"] == \\"North\\"');
    expect(played.toolAnswer).toMatchObject({ success: false, error_code: 'TOOL_DENIED' });
    expect(played.toolAnswer.error).toContain('Not this one.');
    expect(played.of('interrupt')).toHaveLength(2);
    expect(played.of('terminal_command')).toHaveLength(1);
  });
});
