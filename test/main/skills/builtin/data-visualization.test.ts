import { deflateSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { pictureProblem } from '#main/skills/builtin/data-visualization/opened-picture.ts';
import { png } from '../../../fakes/png.ts';
import { inOrder, openSkillBench, playExample } from '../../../fakes/skill-bench.ts';
import { osSandboxNote, osSandboxReady } from '../../../setup/os-sandbox.ts';

const FILES = { files: { 'sales.csv': 'region,units\nNorth,120\nSouth,75\n' } };
const PATH = 'charts/units-by-region.svg';
const PARAMS = { request: 'Units by region', file: 'sales.csv' };
const GOOD = [
  'import sys; sys.path.insert(0, ".hyperagent")',
  'import charts',
  'from data_files import rows',
  'data = list(rows("sales.csv"))',
  `charts.bar("${PATH}", [row["region"] for row in data], [row["units"] for row in data])`,
  'print("points:", len(data))',
].join('\n');
const drawing = (code: string) => ({ code, explanation: 'A bar for each region.' });

describe.skipIf(!osSandboxReady)(`data_visualization${osSandboxNote}`, () => {
  test('the example in its folder', async () => {
    const { example, played, bench } = await playExample('data_visualization');
    expect(played.output).toMatchObject(example.expected);
    const path = String(played.output.chart_path);
    expect(pictureProblem(path, await bench.bytes(played.run.threadId, path))).toBeNull();
  });

  test('a program that fails, and one that draws nothing, are fixed', async () => {
    const answers = [
      drawing('print(unknown)'),
      drawing('print("drawn")'),
      drawing(`\`\`\`python\n${GOOD}\n\`\`\``),
    ];
    const bench = await openSkillBench(inOrder(answers));
    const { output, stages } = await bench.invoke('data_visualization', PARAMS, FILES);
    expect(output).toEqual({
      ...{ code: GOOD, language: 'python', chart_path: PATH, data_points: 2 },
      explanation: 'A bar for each region.',
    });
    expect(stages).toEqual(['write', 'draw', 'write_2', 'draw_2', 'write_3', 'draw_3']);
    expect(bench.requests[1]?.turn).toContain("name 'unknown' is not defined");
    expect(bench.requests[2]?.turn).toContain(`there is no file ${PATH}`);
  });

  test('every kind of chart opens, whatever stands in the labels', async () => {
    const code = [
      ...['import sys; sys.path.insert(0, ".hyperagent")', 'import charts, datetime, math'],
      'odd = ["a & b", "<c>", "\\u0007d", None, 5]',
      'days = [datetime.date(2026, 1, day) for day in range(1, 31)]',
      'charts.bar("charts/bar.svg", odd, {"x < 1": [1, -2, None, 0, 1e9], "y": [3, 4, 5, 6, 7]}, title="A & B")',
      'charts.line("charts/line.svg", days, [None if day % 7 == 0 else math.sin(day) for day in range(30)], y="<y>")',
      'charts.scatter("charts/scatter.svg", [1, 1, 2, None], [5, 5, 5, 5])',
      'charts.histogram("charts/histogram.svg", [1e-9, 2e-9, 2e-9, None], bins=3)',
      'charts.pie("charts/pie.svg", odd, [1, 2, None, 0, 1e9], title="A & B")',
      'charts.box("charts/box.svg", {"x < 1": [1, 2, 3, 90], None: [4.5, None]}, y="<y>")',
      'charts.heatmap("charts/heatmap.svg", days[:2], odd, [[1, None], [-2, 3], [0, 0], [1e9, 1], [5, 6]])',
      'for wrong in ("pie(\'charts/none.svg\', [1], [-1])", "heatmap(\'charts/none.svg\', [1], [1], [[1, 2]])", "box(\'charts/none.svg\', [None])"):',
      '    try:',
      '        eval("charts." + wrong)',
      '    except ValueError as error:',
      '        print(error)',
      'try:',
      '    charts.line("charts/none.svg", [], [])',
      'except ValueError as error:',
      '    print(error)',
      `charts.bar("${PATH}", ["a"], [1])`,
    ].join('\n');
    const bench = await openSkillBench(inOrder([drawing(code)]));
    const { output, run } = await bench.invoke('data_visualization', PARAMS, FILES);
    expect(output).toMatchObject({ chart_path: PATH, data_points: null });
    for (const name of ['bar', 'line', 'scatter', 'histogram', 'pie', 'box', 'heatmap']) {
      const path = `charts/${name}.svg`;
      expect([path, pictureProblem(path, await bench.bytes(run.threadId, path))]).toEqual([
        path,
        null,
      ]);
    }
    const bars = await bench.file(run.threadId, 'charts/bar.svg');
    expect(bars).toContain('<title>a &amp; b, x &lt; 1: 1</title>');
    // A gap is no bar: 4 of 5 values, and all of the other series, beside the background and two keys.
    expect(bars?.match(/<rect /g)).toHaveLength(4 + 5 + 1 + 2);
    const pie = await bench.file(run.threadId, 'charts/pie.svg');
    expect(pie).toContain('<title>5: 1,000,000,000 (100.0%)</title>');
    const box = await bench.file(run.threadId, 'charts/box.svg');
    expect(box).toContain(
      'x &lt; 1 (4 values): minimum 1, quartile 1.75, median 2.5, quartile 24.75, maximum 90',
    );
    expect(box).toContain('<title>x &lt; 1: 90</title>');
    const heatmap = await bench.file(run.threadId, 'charts/heatmap.svg');
    expect(heatmap?.match(/<title>2026-01-0\d, /g)).toHaveLength(9);
    expect(await bench.file(run.threadId, 'charts/none.svg')).toBeNull();
  });

  test('after two repairs it is a failure, with what was wrong last', async () => {
    const broken = `import os\nos.makedirs("charts", exist_ok=True)\nopen("${PATH}", "w").write("<svg><rect></svg>")`;
    const bench = await openSkillBench(inOrder([drawing(broken)]));
    const played = await bench.invoke('data_visualization', PARAMS, FILES);
    expect(played.toolAnswer).toMatchObject({ success: false, error_code: 'SKILL_MODEL_ANSWER' });
    expect(played.toolAnswer.error).toContain('</svg> closes nothing');
    expect(bench.requests).toHaveLength(3);
  });

  test.each([
    ['a refusal', 'I cannot draw.'],
    ['no code', { explanation: 'A chart.' }],
  ])('%s is a failure that says so', async (_name, said) => {
    const bench = await openSkillBench(inOrder([said]));
    const played = await bench.invoke('data_visualization', PARAMS, FILES);
    expect(played.toolAnswer).toMatchObject({ success: false, error_code: 'SKILL_MODEL_ANSWER' });
  });
});

test('without data the program is the result, and nothing is run', async () => {
  const bench = await openSkillBench(inOrder([drawing('plt.plot()')]));
  const played = await bench.invoke('data_visualization', { request: 'A line of sales' });
  expect(played.output).toMatchObject({ chart_path: null, data_points: null, code: 'plt.plot()' });
  expect(played.of('terminal_command')).toEqual([]);
});

const svg = (inside: string) =>
  Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg">${inside}</svg>`);
const PIXELS = deflateSync(Buffer.from([0, 255, 0, 0]));

test.each([
  ['a.png', png(PIXELS), null],
  ['a.png', Buffer.alloc(0), 'It is empty.'],
  ['a.png', Buffer.from('PNG'), 'It is no PNG'],
  ['a.png', png(PIXELS).subarray(0, 60), 'It breaks off'],
  ['a.png', png(Buffer.from('no pixels')), 'cannot be unpacked'],
  ['a.png', Buffer.from(png(PIXELS)).fill(1, 20, 24), 'checksum'],
  ['a.svg', svg('<rect x="1"/><text>a &amp; b</text><!-- <x> -->'), null],
  ['a.svg', svg('<title>x</title>'), 'Nothing is drawn'],
  ['a.svg', svg('<rect/>').subarray(0, 50), 'broken tag'],
  ['a.svg', svg('<g><rect/>'), 'closes nothing'],
  ['a.svg', svg('<text>a & b</text>'), 'bare &'],
  ['a.svg', Buffer.from('<html><path/></html>'), 'It is no SVG.'],
  ['a.svg', svg('<rect/>').subarray(0, 47), 'not closed'],
  ['a.gif', Buffer.from('GIF89a'), 'neither PNG nor SVG'],
] as const)('%s: %#', (path, bytes, problem) => {
  const found = pictureProblem(path, bytes);
  if (problem === null) expect(found).toBeNull();
  else expect(found).toContain(problem);
});
