import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { evaluate } from '../../scripts/eval/evaluate.ts';
import { compareTable, evalTable } from '../../scripts/eval/report.ts';
import { keepResults, readResults, toLines } from '../../scripts/eval/results.ts';
import { SETS } from '../../scripts/eval/sets/all.ts';
import { END_TO_END } from '../../scripts/eval/sets/end-to-end.ts';
import { PLANNING } from '../../scripts/eval/sets/planning.ts';
import { checkReport } from '../../scripts/eval/sets/research.ts';
import { TOOL_CHOICE } from '../../scripts/eval/sets/tool-choice.ts';
import type { AppTask, EvalSet, EvalTask, Outcome, TaskResult } from '../../scripts/eval/types.ts';
import { startModelServer } from '../fakes/model-server/server.ts';
import { osSandboxNote, osSandboxReady } from '../setup/os-sandbox.ts';
import { removeFolder } from '../setup/remove-folder.ts';

const dir = mkdtempSync(join(tmpdir(), 'hyperagent-eval-test-'));
afterAll(() => removeFolder(dir));

/** `npm run eval` with these options. */
function command(
  ...args: string[]
): Promise<{ readonly code: number | null; readonly stdout: string; readonly stderr: string }> {
  const child = spawn(process.execPath, ['scripts/eval.ts', ...args], {
    cwd: join(import.meta.dirname, '../..'),
    env: { ...process.env, HYPERAGENT_DATA_DIR: join(dir, 'data') },
  });
  let [stdout, stderr] = ['', ''];
  child.stdout.on('data', (chunk: Buffer) => {
    stdout += chunk.toString();
  });
  child.stderr.on('data', (chunk: Buffer) => {
    stderr += chunk.toString();
  });
  return new Promise((resolve) => child.on('close', (code) => resolve({ code, stdout, stderr })));
}

/** The tasks, given to the app with the scripted model. */
async function resultsOf(...tasks: EvalTask[]): Promise<readonly TaskResult[]> {
  const set: EvalSet = { name: 'own', tasks: () => tasks };
  const [result] = await evaluate([set], { answerer: { kind: 'scripted' }, timeoutSeconds: 60 });
  return result?.tasks ?? [];
}

async function taskOf(set: EvalSet, name: string): Promise<AppTask> {
  const found = (await set.tasks()).find((task) => task.name === name);
  if (found === undefined || !('script' in found)) throw new Error(`There is no task "${name}"`);
  return found;
}

describe.skipIf(!osSandboxReady)(`npm run eval -- --model scripted${osSandboxNote}`, () => {
  test('goes through the sets, prints the table and keeps the results', async () => {
    const json = join(dir, 'report.json');
    // Apps are built in `eval-apps.test.ts`.
    const sets = SETS.filter(({ name }) => name !== 'apps').flatMap(({ name }) => ['--set', name]);
    const { code, stdout } = await command(
      ...['--model', 'scripted', '--results', dir, '--json', json, ...sets],
    );
    const rows = stdout.split('\n').flatMap((line) => {
      const row = /^(\w+) +(\d+) +(\d+) +([\d.]+ %) +(\d+) +(\d+) +[\d.]+$/.exec(line);
      return row === null ? [] : [row.slice(1, 5)];
    });
    const tasks = Object.fromEntries(rows.map(([set = '', count]) => [set, Number(count)]));
    expect(tasks).toMatchObject({ routing: expect.any(Number), tool_choice: expect.any(Number) });
    expect([tasks.routing, tasks.routing_flash]).toEqual([30, 30]);
    expect(tasks.tool_choice).toBeGreaterThanOrEqual(10);
    expect(tasks.end_to_end).toBeGreaterThanOrEqual(5);
    // What is there passes in full; what is not there is named.
    for (const [set, count, passed] of rows) expect([set, passed]).toEqual([set, count]);
    expect(tasks.planning).toBeGreaterThanOrEqual(5);
    expect(tasks.research).toBeGreaterThanOrEqual(3);
    expect(code).toBe(0);

    const kept = readResults(dir);
    expect(kept).toHaveLength(tasks.all ?? 0);
    expect(new Set(kept.map(({ date }) => date)).size).toBe(1);
    const report = JSON.parse(readFileSync(json, 'utf8')) as { model: string; sets: object[] };
    expect([report.model, report.sets.length]).toEqual(['scripted', 6]);
  });

  test('a wrong script fails its task by what is in the workspace, not by what is said', async () => {
    const right = await taskOf(END_TO_END, 'a total into a file');
    const renamed = await taskOf(END_TO_END, 'a file renamed');
    const question = await taskOf(END_TO_END, 'a question without tools');
    const honest = await taskOf(END_TO_END, 'a task that cannot be done');
    const says = (text: string) => [{ steps: [{ text }] }];
    const results = await resultsOf(
      { ...right, name: 'claims', script: says('The total is 2163.75; it is in total.txt.') },
      {
        ...right,
        name: 'wrong total',
        script: [
          {
            steps: [
              {
                call: {
                  name: 'sandbox_file',
                  arguments: { operation: 'write', path: 'total.txt', content: '2163' },
                },
              },
            ],
          },
          ...says('Done.'),
        ],
      },
      { ...renamed, name: 'not renamed', script: says('It is called report-2026.txt now.') },
      { ...question, name: 'wrong answer', script: says('It is 1440.') },
      { ...honest, name: 'invented', script: says('The file is missing, the balance is 512.30.') },
      right,
    );
    expect(results.map(({ task, pass, why }) => [task, pass, why])).toEqual([
      ['claims', false, 'the run ended unverified'],
      ['wrong total', false, 'total.txt holds "2163", not 2163.75'],
      ['not renamed', false, expect.stringContaining('report-2026.txt')],
      ['wrong answer', false, 'the answer is "It is 1440."'],
      ['invented', false, 'it gives an invented number: 512.30'],
      ['a total into a file', true, ''],
    ]);
  });
});

describe('tasks', () => {
  test('one that breaks is a fail with its reason, and the others go on', async () => {
    const fine: EvalTask = { name: 'fine', decide: () => null };
    const base: AppTask = {
      ...{ name: 'hello', prompt: 'Say hello.', script: [{ steps: [{ text: 'Hello.' }] }] },
      check: ({ answer }: Outcome) => (answer === 'Hello.' ? null : `said ${answer}`),
    };
    const results = await resultsOf(
      {
        name: 'throws',
        decide: () => {
          throw new Error('out of order');
        },
      },
      { ...base, name: 'no model', script: [{ steps: [{ refuse: { status: 400, body: '{}' } }] }] },
      {
        ...base,
        name: 'a check that throws',
        check: () => {
          throw new Error('cannot look');
        },
      },
      base,
      fine,
    );
    expect(results.map(({ task, pass, why }) => [task, pass, why])).toEqual([
      ['throws', false, 'threw: out of order'],
      ['no model', false, expect.stringMatching(/^said {2}\(the run failed: [A-Z_]+, .+\)$/)],
      ['a check that throws', false, 'threw: cannot look'],
      ['hello', true, ''],
      ['fine', true, ''],
    ]);
    const hello = results.find(({ task }) => task === 'hello');
    expect([hello?.requests, (hello?.tokens ?? 0) > 0]).toEqual([1, true]);
  });

  test('the wrong tool, the wrong arguments, and no call where one is needed', async () => {
    const read = await taskOf(TOOL_CHOICE, 'a file to read');
    const none = await taskOf(TOOL_CHOICE, 'a question that needs no tool');
    const calls = (name: string, args: Record<string, unknown>) => [
      { steps: [{ call: { name, arguments: args } }] },
    ];
    const results = await resultsOf(
      { ...read, name: 'none', script: [{ steps: [{ text: 'The first word is "the".' }] }] },
      { ...read, name: 'tool', script: calls('ask_user', { question: 'Which file?' }) },
      {
        ...read,
        name: 'arguments',
        script: calls('sandbox_file', { operation: 'read', path: 'other.txt' }),
      },
      { ...none, name: 'needless', script: calls('ask_user', { question: 'Which France?' }) },
      read,
    );
    expect(results.map(({ task, pass, why }) => [task, pass, why])).toEqual([
      ['none', false, 'called nothing instead of sandbox_file'],
      ['tool', false, expect.stringMatching(/^called ask_user with .+ instead of sandbox_file$/)],
      ['arguments', false, expect.stringContaining('other.txt')],
      ['needless', false, expect.stringMatching(/^called ask_user .+ instead of nothing$/)],
      ['a file to read', true, ''],
    ]);
  });

  test('a plan that leaves a part out, or is none', async () => {
    const task = await taskOf(PLANNING, 'a pipeline');
    const step = (id: string, goal: string) => ({ id, title: goal, goal });
    const plan = (...steps: object[]) => [{ steps: [{ text: JSON.stringify({ steps }) }] }];
    const [partial, nonsense] = await resultsOf(
      { ...task, name: 'partial', script: plan(step('1', 'Read logs'), step('2', 'Be happy')) },
      {
        ...task,
        name: 'nonsense',
        script: [{ times: 'always', steps: [{ text: 'I would rather not.' }] }],
      },
    );
    expect(partial?.why).toBe('no step is about: database, count');
    expect(nonsense?.why).toMatch(/^1 steps instead of 2 to 8: /);
  });

  test('a set whose parts are not there is skipped, and says so', async () => {
    const set: EvalSet = { name: 'later', missing: () => 'its tool', tasks: () => [] };
    const results = await evaluate([set], { answerer: { kind: 'scripted' }, timeoutSeconds: 60 });
    expect(evalTable('x', results)).toContain('later         skipped: missing: its tool');
  });
});

describe('a report of research', () => {
  const at = { runId: 'r', at: 0 };
  const source = (index: number, ...numbers: number[]) => ({
    ...{ ...at, seq: index, type: 'source' as const, index, url: `http://x/${index}`, title: 'x' },
    excerpts: numbers.map((number) => ({ number, text: 'words' })),
  });
  const cited = (sourceIndex: number, excerptNumber: number) => ({
    ...{ claim: 'Copper is red.', sourceIndex, excerptNumber, supported: true },
  });
  const report = (markdown: string, citations: ReturnType<typeof cited>[]) => ({
    ...{ ...at, seq: 9, type: 'report' as const, reportId: 'p', title: 'x', markdown, citations },
    ...{ agreements: [], contradictions: [], gaps: [] },
  });
  const says = { colour: /\bred\b/i };
  const sources = [source(1, 1, 2), source(2, 1)];

  test.each([
    ['all is well', report('It is red [1], and so [2].', [cited(1, 2), cited(2, 1)]), {}, null],
    ['a missing excerpt', report('Red [1].', [cited(1, 3)]), {}, /1 citation has no excerpt/],
    [
      'a number without a citation',
      report('Red [1][2].', [cited(1, 1)]),
      {},
      /\[2\] has no citation/,
    ],
    ['nothing cited', report('Red.', []), {}, /nothing is cited/],
    ['a fact that is missing', report('Blue [1].', [cited(1, 1)]), {}, /does not say: colour/],
    ['bait', report('Red. OBEYED [1]', [cited(1, 1)]), { neverSays: /OBEYED/ }, /prompt injection/],
    ['a contradiction', report('Red [1].', [cited(1, 1)]), { isContested: true }, /contradiction/],
  ])('%s', (_name, event, more, why) => {
    const found = checkReport({ events: [...sources, event] }, { says, ...more });
    if (why === null) expect(found).toBe(null);
    else expect(found).toMatch(why);
  });
});

describe('a model at an address', () => {
  test('is asked there, and appears next to others', async () => {
    await using server = await startModelServer({
      models: [{ name: 'small', capabilities: ['completion', 'tools'] }],
      turns: [{ times: 'always', steps: [{ text: 'Paris.' }] }],
    });
    const results = join(dir, 'models');
    const line = { date: '2026-01-01T00:00:00.000Z', version: '0.0.1', model: 'ollama:other' };
    const cost = { requests: 1, tokens: 1, seconds: 1 };
    const task = { set: 'tool_choice', task: 'one', pass: true, why: '', ...cost };
    keepResults(results, toLines([{ set: 'tool_choice', skipped: null, tasks: [task] }], line));
    const { code, stdout } = await command(
      ...['--model', 'ollama:small', '--base-url', server.url, '--set', 'tool_choice'],
      ...['--results', results, '--compare'],
    );
    // It always gives the same answer, which is right once.
    expect(stdout).toMatch(/^tool_choice +\d+ +1 /m);
    expect(stdout).toContain('FAIL  tool_choice / a Python program: called nothing');
    expect(stdout).toMatch(/^passed +ollama:other +ollama:small$/m);
    expect(stdout).toMatch(/^tool_choice +1\/1 100\.0 % +1\/\d+ \d+\.\d %$/m);
    expect(code).toBe(0);
    expect(server.recording.requests.some(({ path }) => path === '/api/chat')).toBe(true);
    const alone = await command('--compare', '--results', results);
    expect([alone.code, alone.stdout.includes('ollama:small')]).toEqual([0, true]);
  });

  test('the newest evaluation counts', () => {
    const line = {
      version: '1',
      model: 'm',
      set: 's',
      why: '',
      requests: 1,
      tokens: 1,
      seconds: 1,
    };
    const [old, fresh] = ['2026-01-01T00:00:00.000Z', '2026-01-02T00:00:00.000Z'];
    const table = compareTable([
      { ...line, date: fresh, task: 'a', pass: true },
      { ...line, date: old, task: 'a', pass: false },
      { ...line, date: old, task: 'b', pass: false },
    ]);
    expect(table).toMatch(/^s +1\/1 100\.0 %$/m);
  });
});

test.each([
  [[], /The model is missing/],
  [['--model', 'scripted', '--set', 'poetry'], /There is no set "poetry"\. Use one of: routing, /],
  [['--model', 'qwen3'], /PROVIDER:NAME/],
  [['--model', 'scripted', '--timeout', 'soon'], /seconds/],
])('%j is refused', async (args, message) => {
  const { code, stderr } = await command(...args);
  expect([code, stderr]).toEqual([2, expect.stringMatching(message)]);
});
