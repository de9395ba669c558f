import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it, test } from 'vitest';
import type { Evidence } from '#contract/plans.ts';
import type { MadeCall } from '#main/agents/types.ts';
import { checkEvidence } from '#main/orchestrator/evidence/check-evidence.ts';
import { checkClaims, readClaims } from '#main/orchestrator/evidence/claims.ts';
import { HostWorkspace } from '#main/sandbox/workspace/host-workspace.ts';
import { testEgress } from '../../fakes/egress.ts';

let dir: string;
let files: HostWorkspace;
beforeEach(() => {
  dir = mkdtempSync(path.join(tmpdir(), 'evidence-'));
  files = new HostWorkspace(dir);
});
afterEach(() => rmSync(dir, { recursive: true }));

const ran = (code: string, content: string, status: MadeCall['status'] = 'ok'): MadeCall => ({
  name: 'execute_code',
  arguments: { language: 'bash', code },
  status,
  content,
});

async function states(
  expected: Evidence[],
  {
    calls = [],
    earlierCalls = [],
    answer = '',
    probe = false,
  }: {
    calls?: MadeCall[];
    earlierCalls?: MadeCall[];
    answer?: string;
    probe?: boolean;
  } = {},
): Promise<string[]> {
  const egress = testEgress().egress.forRun({
    runId: 'r',
    threadId: 'thr_1',
    network: 'offline',
    allowHosts: [],
  });
  const signal = new AbortController().signal;
  const facts = await checkEvidence(expected, {
    ...{ files, egress, calls, earlierCalls, answer, signal, probe: async () => probe },
  });
  return facts.map(({ state, evidence }) => `${state}: ${evidence}`);
}

describe('files', () => {
  const file = (target: string): Evidence[] => [{ kind: 'file', target }];
  it('exist, are not empty, and have the format that their name says', async () => {
    await files.write('a.json', '{"a": 1}');
    await files.write('b.json', '{"a": ');
    await files.write('c.png', 'not a picture');
    await files.write('d.png', Buffer.from('89504e470d0a1a0a00', 'hex'));
    await files.write('e.txt', '');
    await files.write('f.csv', ' \n ');
    await files.write('deep/g.md', '# Yes');
    expect(await states(file('a.json'))).toEqual(['holds: 8 bytes.']);
    expect(await states(file('b.json'))).toEqual(['fails: It is not JSON.']);
    expect(await states(file('c.png'))).toEqual([
      'fails: This is not a png file: its first bytes are different.',
    ]);
    expect(await states(file('d.png'))).toEqual(['holds: 9 bytes.']);
    expect(await states(file('e.txt'))).toEqual(['fails: The file is empty.']);
    expect(await states(file('f.csv'))).toEqual(['fails: It has no rows.']);
    expect(await states(file('g.md'))).toEqual(['fails: It is at deep/g.md instead.']);
    expect(await states(file('deep'))).toEqual(['holds: A folder with 1 entries.']);
    expect(await states(file('no.txt'))).toEqual(['fails: There is no such file.']);
    expect(await states(file('../../etc/passwd'))).toEqual([
      'fails: The path is outside the workspace.',
    ]);
  });
});

describe('programs', () => {
  const exit = (target: string): Evidence[] => [{ kind: 'exit_code', target }];
  it('count by the last one that matches', async () => {
    const calls = [ran('pytest -q', 'exit code 1', 'error'), ran('pytest -q', 'exit code 0')];
    expect(await states(exit('pytest'), { calls })).toEqual(['holds: exit code 0']);
    expect(await states(exit('pytest'), { calls: calls.toReversed() })).toEqual([
      'fails: exit code 1',
    ]);
    expect(await states(exit('pytest'))).toEqual(['fails: No program was run.']);
  });
  it('are matched by a word of a description, and never by other programs', async () => {
    const calls = [ran('python total.py', 'exit code 1', 'error'), ran('ls', 'exit code 0')];
    expect(await states(exit('the script total.py runs without error'), { calls })).toEqual([
      'fails: exit code 1',
    ]);
    expect(await states(exit('npm run build'), { calls })).toEqual([
      'unknown: None of the programs that ran could be matched to it.',
    ]);
    expect(await states(exit('the program ends without error'), { calls })).toEqual([
      'holds: exit code 0',
    ]);
  });
});

describe('what an earlier step showed', () => {
  const earlierCalls = [ran('pytest -q', 'exit code 0\n12 passed'), ran('ls', 'exit code 0')];
  it('counts where the target names it, unless the step did it again', async () => {
    const exit = (target: string): Evidence[] => [{ kind: 'exit_code', target }];
    expect(await states(exit('pytest'), { earlierCalls })).toEqual(['holds: exit code 0']);
    const calls = [ran('pytest -q', 'exit code 1', 'error')];
    expect(await states(exit('pytest'), { earlierCalls, calls })).toEqual(['fails: exit code 1']);
    for (const target of ['', 'the program ends without error', 'npm run build']) {
      expect(await states(exit(target), { earlierCalls })).toEqual(['fails: No program was run.']);
    }
  });
  it('is where a figure may be from', async () => {
    const figure: Evidence[] = [{ kind: 'figure', target: '12 tests' }];
    const answer = 'As before, 12 tests passed.';
    expect((await states(figure, { earlierCalls, answer }))[0]).toMatch(/^holds/);
    expect((await states(figure, { earlierCalls: [], answer }))[0]).toMatch(/^fails/);
  });
});

describe('figures', () => {
  const figure = (target: string): Evidence[] => [{ kind: 'figure', target }];
  const calls = [ran('python total.py', 'exit code 0\ntotal 1234.5\nrows 17')];
  it('in the target must appear in the output, in any notation', async () => {
    expect(await states(figure('1,234.50'), { calls })).toEqual(['holds: Found in output.']);
    expect(await states(figure('99'), { calls })).toEqual(['fails: Not in output: 99.']);
  });
  it('of the answer must come from the output if the target only describes them', async () => {
    const answer = 'The total is 1 234,5 over 17 rows.';
    expect(await states(figure('the total revenue'), { calls, answer })).toEqual([
      'holds: In output: 1234.5, 17.',
    ]);
    expect(
      await states(figure('the total revenue'), { calls, answer: '4711 over 17 rows.' }),
    ).toEqual(['holds: In output: 17. Not in output: 4711.']);
    expect(await states(figure('the total revenue'), { calls, answer: 'It is 4711.' })).toEqual([
      'fails: Not in output: 4711.',
    ]);
    expect(await states(figure('the total revenue'), { calls, answer: 'It is high.' })).toEqual([
      'unknown: The answer has no figures.',
    ]);
  });
});

describe('pages', () => {
  const page = (target: string): Evidence[] => [{ kind: 'page', target }];
  it('of the sandbox are requested from inside', async () => {
    expect(await states(page('http://localhost:8000/'), { probe: true })).toEqual([
      'holds: It answered inside the sandbox.',
    ]);
    expect(await states(page('http://localhost:8000/'))).toEqual([
      'fails: Nothing answers there inside the sandbox.',
    ]);
  });
  it('outside are not requested unless the run may reach them, and then stay unknown', async () => {
    expect(await states(page('https://example.com/'))).toEqual([
      'unknown: The network rules of this task do not allow it, so it was not checked.',
    ]);
    const read = { name: 'fetch_page', arguments: { url: 'https://example.com/' }, content: 'Hi' };
    expect(
      await states(page('https://example.com/'), { calls: [{ ...read, status: 'ok' }] }),
    ).toEqual(['holds: The task has read it.']);
  });
});

test.each<[string, string[]]>([
  ['I have saved the report to report.md.', ['report.md']],
  ["I've written `src/app.py` and `tests/test_app.py`.", ['src/app.py', 'tests/test_app.py']],
  ['The chart was created: **chart.png**', ['chart.png']],
  ['Saved to /workspace/out/data.csv', ['out/data.csv']],
  ['The file summary.docx has been generated.', ['summary.docx']],
  ['我已将结果保存到 结果.csv。', ['结果.csv']],
  ['报告已生成：report.md', ['report.md']],
  ['You can save it as notes.txt.', []],
  ['I will write report.md next.', []],
  ['I did not create report.md.', []],
  ['I could not write to report.md because the disk is full.', []],
  ['Once you run it, the output is saved to output.csv.', []],
  ['Open config.json and change the port.', []],
  ['I created an account at example.com.', []],
  ['I have read data.csv. It has 5 rows.', []],
  ['I wrote it for Python 3.12 and v2.0.', []],
  ['```sh\nI have saved it to fake.txt\n```\nDone.', []],
  ['> I have saved it to quoted.txt\n\nThat is what the log says.', []],
  ['See https://example.com/made/report.pdf, which was published in 2020.', []],
  ['你可以把它保存为 notes.txt。', []],
  ['我没有创建 report.md。', []],
])('claims of files in %j', (answer, expected) => {
  expect(readClaims(answer).files).toEqual(expected);
});

test('a bare file name may be in any folder; a path must be exact', async () => {
  await files.write('out/chart.svg', '<svg/>');
  await files.write('out/empty.txt', '');
  const look = async (answer: string): Promise<string[]> =>
    (await checkClaims(answer, { files, calls: [] })).map(
      ({ state, claim }) => `${state} ${claim}`,
    );
  expect(await look('I saved chart.svg in the folder out. I also wrote empty.txt.')).toEqual([
    'holds chart.svg exists and opens',
    'fails empty.txt exists and opens',
  ]);
  expect(await look('I saved it to other/chart.svg.')).toEqual([
    'fails other/chart.svg exists and opens',
  ]);
});

test('tests that an answer claims pass were run, and passed', async () => {
  const look = async (calls: MadeCall[]): Promise<string[]> =>
    (await checkClaims('All 12 tests pass.', { files, calls })).map(({ evidence }) => evidence);
  expect(await look([])).toEqual(['No program was run.']);
  expect(await look([ran('pytest', 'exit code 1', 'error')])).toEqual(['The last tests failed.']);
  expect(await look([ran('pytest', 'exit code 0')])).toEqual([
    'The last tests ended without error.',
  ]);
  // Later programs say nothing about the tests.
  const failed = ran('pytest', 'exit code 1', 'error');
  expect(await look([failed, ran('ls', 'exit code 0')])).toEqual(['The last tests failed.']);
  expect(await look([ran('ls', 'exit code 0')])).toEqual(['No tests were run.']);
  expect(readClaims('Not all tests pass.').testsPass).toBe(false);
});
