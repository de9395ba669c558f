import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it, test } from 'vitest';
import type { Evidence } from '#contract/plans.ts';
import type { MadeCall } from '#main/agents/types.ts';
import { checkEvidence } from '#main/orchestrator/evidence/check-evidence.ts';
import { checkClaims, readClaims } from '#main/orchestrator/evidence/claims.ts';
import type { RunTests } from '#main/orchestrator/evidence/test-facts.ts';
import { HostWorkspace } from '#main/sandbox/workspace/host-workspace.ts';
import type { TestReport } from '#main/tools/definitions/run-tests.ts';
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

const neverRun: RunTests = async () => {
  throw new Error('No tests are to be run');
};

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
    probe?: boolean | ((code: string) => Promise<boolean>);
  } = {},
): Promise<string[]> {
  const egress = testEgress().egress.forRun({
    runId: 'r',
    threadId: 'thr_1',
    network: 'offline',
    allowHosts: [],
  });
  const signal = new AbortController().signal;
  const look = typeof probe === 'function' ? probe : async () => probe;
  const facts = await checkEvidence(expected, {
    ...{ files, egress, calls, earlierCalls, answer, signal, probe: look },
    ...{ prompt: '', runTests: neverRun },
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
    const calls = [ran('make all', 'exit code 1', 'error'), ran('make all', 'exit code 0')];
    expect(await states(exit('make'), { calls })).toEqual(['holds: exit code 0']);
    expect(await states(exit('make'), { calls: calls.toReversed() })).toEqual([
      'fails: exit code 1',
    ]);
    expect(await states(exit('make'))).toEqual(['fails: No program was run.']);
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
  const earlierCalls = [ran('make -s count', 'exit code 0\n12 parts'), ran('ls', 'exit code 0')];
  it('counts where the target names it, unless the step did it again', async () => {
    const exit = (target: string): Evidence[] => [{ kind: 'exit_code', target }];
    expect(await states(exit('make'), { earlierCalls })).toEqual(['holds: exit code 0']);
    const calls = [ran('make', 'exit code 1', 'error')];
    expect(await states(exit('make'), { earlierCalls, calls })).toEqual(['fails: exit code 1']);
    for (const target of ['', 'the program ends without error', 'npm run build']) {
      expect(await states(exit(target), { earlierCalls })).toEqual(['fails: No program was run.']);
    }
  });
  it('is where a figure may be from', async () => {
    const figure: Evidence[] = [{ kind: 'figure', target: '12 parts' }];
    const answer = 'As before, there are 12 parts.';
    expect((await states(figure, { earlierCalls, answer }))[0]).toMatch(/^holds/);
    expect((await states(figure, { earlierCalls: [], answer }))[0]).toMatch(/^fails/);
  });
});

describe('figures', () => {
  const figure = (target: string): Evidence[] => [{ kind: 'figure', target }];
  const calls = [ran('python total.py', 'exit code 0\ntotal 1234.5\nrows 17')];
  it('in the target must appear in the output, in any notation', async () => {
    expect(await states(figure('1,234.50'), { calls })).toEqual(['holds: Found in output.']);
    expect(await states(figure('99'), { calls })).toEqual([
      'fails: Not shown by a program that works it out: 99.',
    ]);
  });
  it('of the answer must come from the output if the target only describes them', async () => {
    const answer = 'The total is 1 234,5 over 17 rows.';
    expect(await states(figure('the total revenue'), { calls, answer })).toEqual([
      'holds: In output: 1 234,5, 17.',
    ]);
    expect(
      await states(figure('the total revenue'), { calls, answer: '4711 over 17 rows.' }),
    ).toEqual(['unknown: In output: 17. Not shown by a program that works it out: 4711.']);
    expect(await states(figure('the total revenue'), { calls, answer: 'It is 4711.' })).toEqual([
      'fails: Not shown by a program that works it out: 4711.',
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
  const view = (said: string, url: string, status: MadeCall['status'] = 'ok'): MadeCall => ({
    ...{ name: 'browser_navigate', arguments: { url }, status },
    content: `${said}\nPage: Shop - ${url}\n# Order tea\nOrder confirmed`,
  });
  const url = 'https://shop.example/order';
  it('that the browser opened have answered, unless with an error', async () => {
    const unasked = [
      'unknown: The network rules of this task do not allow it, so it was not checked.',
    ];
    const opened = 'Opened shop.example';
    expect(await states(page(url), { calls: [view(`${opened}.`, url)] })).toEqual([
      'holds: The task has read it.',
    ]);
    const error = view(`${opened}: the server answered 404.`, url);
    expect(await states(page(url), { calls: [error] })).toEqual(unasked);
    const failed = view('shop.example was not reached', url, 'error');
    expect(await states(page(url), { calls: [failed] })).toEqual(unasked);
    const other = [view(`${opened}.`, `${url}/2`)];
    expect(await states(page(url), { calls: other })).toEqual(unasked);
  });
  it('show a text if the run saw it there, in any of its steps', async () => {
    const calls = [view('Opened shop.example.', url)];
    const target = `${url} shows "Order confirmed"`;
    expect(await states(page(target), { calls })).toEqual([`holds: The page at ${url} showed it.`]);
    expect(await states(page(target), { earlierCalls: calls })).toEqual([
      `holds: The page at ${url} showed it.`,
    ]);
    const missing = ['fails: No page that this run looked at showed it.'];
    expect(await states(page(`${url} shows: Payment received`), { calls })).toEqual(missing);
    expect(await states(page('https://bank.example/ shows "Order confirmed"'), { calls })).toEqual(
      missing,
    );
    expect(await states(page(target))).toEqual(missing);
  });
  it('of the sandbox show a text if it is in what they answer', async () => {
    const asked: string[] = [];
    const target = 'http://localhost:8000/ shows "Hello"';
    const look = async (code: string): Promise<boolean> => asked.push(code) > 1;
    expect(await states(page(target), { probe: look })).toEqual([
      'fails: Nothing answers there so inside the sandbox.',
    ]);
    expect(await states(page(target), { probe: look })).toEqual([
      'holds: It answered inside the sandbox.',
    ]);
    expect(asked[0]).toContain(`assert "Hello" in answer.read(`);
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
    (await checkClaims(answer, { files, calls: [], prompt: '', runTests: neverRun })).map(
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

describe('programs that only seem to have run', () => {
  const exit = (target: string): Evidence[] => [{ kind: 'exit_code', target }];
  it.each([
    ['echo "npm run build: done"', 'unknown'],
    ['# npm run build', 'unknown'],
    ['npm run build || true', 'unknown'],
    ['npm run build; echo done', 'unknown'],
    ['npm run build | tail -3', 'unknown'],
    ['npm run build &', 'unknown'],
    ['npm() { :; }; npm run build', 'unknown'],
    ['if npm run build; then :; fi', 'unknown'],
    ["cat <<'EOF'\nnpm run build\nEOF", 'unknown'],
    ['cd app && npm run build', 'holds'],
    ['npm run build && ls dist', 'holds'],
    ['set -euo pipefail\nnpm run build | tail -3\nls dist', 'holds'],
    ['set -e; CI=1 npm run build 2>&1', 'holds'],
    ['npm ci; npm run build', 'holds'],
  ])('%j: %s', async (code, state) => {
    const [found] = await states(exit('npm run build'), { calls: [ran(code, 'exit code 0')] });
    expect(found?.split(':')[0]).toBe(state);
  });
});

describe('what an answer says of tests', () => {
  const report = (more: Partial<TestReport>): TestReport => ({
    ...{ runner: 'pytest', version: '8', exit_code: 0, notes: [], problem: null, failing: [] },
    ...{ left_out: [], passed: 3, failed: 0, errors: 0, skipped: 0, ...more },
  });
  const look = async (
    answer: string,
    {
      calls = [],
      prompt = '',
      given = {},
    }: { calls?: MadeCall[]; prompt?: string; given?: Partial<TestReport> } = {},
  ): Promise<string[]> => {
    const runTests: RunTests = async (asked) => asked.map(() => ({ report: report(given) }));
    const facts = await checkClaims(answer, { files, calls, prompt, runTests });
    return facts.map(({ state, evidence }) => `${state}: ${evidence}`);
  };
  it('fails where there are none, and none were run', async () => {
    expect(await look('All 12 tests pass.')).toEqual(['fails: No program was run.']);
    expect(await look('All tests pass.', { calls: [ran('ls', 'exit code 0')] })).toEqual([
      'fails: No tests were run.',
    ]);
    expect(await look('All tests pass.', { calls: [ran('make test', 'exit code 0')] })).toEqual([
      'unknown: The workspace has no tests that the app can run.',
    ]);
    expect(readClaims('Not all tests pass.').tests).toBeNull();
  });
  it('is what the report says', async () => {
    await files.write('tests/test_a.py', 'def test_a():\n    assert 1 + 1 == 2\n');
    expect(await look('All tests pass.')).toEqual(['holds: pytest 8: 3 passed, exit code 0.']);
    expect(await look('All 3 tests pass.')).toHaveLength(1);
    expect(await look('All 4 tests pass.')).toEqual([
      'fails: pytest 8: 3 passed, exit code 0, not 4 passed',
    ]);
    const failed = { passed: 2, failed: 1, exit_code: 1, failing: ['test_a::b'] };
    expect(await look('pytest passes.', { given: failed })).toEqual([
      'fails: pytest 8: 2 passed, 1 failed, exit code 1. Failing: test_a::b',
    ]);
    expect(await look('2 of 3 tests pass; 1 test fails.', { given: failed })).toEqual([
      'holds: pytest 8: 2 passed, 1 failed, exit code 1.',
    ]);
    const problem = 'pytest is not installed in the sandbox.';
    expect(await look('测试全部通过。', { given: { problem } })).toEqual([`unknown: ${problem}`]);
  });
  it('is doubted where the run itself shaped the report', async () => {
    const wrote = (path: string, content: string, isNew = true): MadeCall => ({
      name: 'sandbox_file',
      arguments: { operation: 'write', path, content },
      status: 'ok',
      content: `Wrote 9 bytes to ${path}${isNew ? ', a new file.' : '.'}`,
    });
    await files.write('tests/test_a.py', 'def test_a():\n    assert 1 + 1 == 2\n');
    const doubt = async (calls: MadeCall[], prompt = '', given = {}): Promise<string> =>
      (await look('All tests pass.', { calls, prompt, given })).join();
    const edited = [wrote('tests/test_a.py', '', false)];
    expect(await doubt(edited)).toContain(
      'unknown: pytest 8: 3 passed, exit code 0. This run changed',
    );
    expect(await doubt(edited, 'Update the tests.')).toMatch(/^holds.* This run changed tests/);
    const gone = [ran('git rm -q tests/test_b.py', 'exit code 0')];
    expect(await doubt(gone)).toMatch(/^unknown.* This run deleted tests\/test_b\.py\./);
    await files.write('conftest.py', 'def pytest_runtest_makereport(item): ...\n');
    expect(await doubt([wrote('conftest.py', '')])).toMatch(
      /^unknown.* conftest\.py, which shapes/,
    );
    await files.write('conftest.py', 'import pytest\n@pytest.fixture\ndef a(): return 1\n');
    expect(await doubt([wrote('conftest.py', '')])).toMatch(
      /^holds.* This run changed conftest\.py\./,
    );
    await files.write('tests/test_c.py', 'def test_c():\n    assert True\n');
    expect(await doubt([wrote('tests/test_c.py', '')])).toMatch(/^unknown.* checks nothing/);
    await files.write('tests/test_c.py', '@skip\ndef test_c():\n    assert f() == 1\n');
    const skipped = { skipped: 1, left_out: ['test_c'] };
    expect(await doubt([wrote('tests/test_c.py', '')], '', skipped)).toMatch(
      /^unknown.* made tests skip/,
    );
    expect(await doubt([], '', skipped)).toMatch(/^holds.* Skipped: test_c\./);
  });
});

test.each<[string, unknown]>([
  ['All 12 tests pass.', { pass: true, passed: 12 }],
  ['The test suite is green.', { pass: true, passed: null }],
  ['I ran pytest and it passed.', { pass: true }],
  ['Tests: 7 passed, 0 failed.', { pass: true, passed: 7, failed: 0 }],
  ['The tests in tests/test_a.py pass.', { pass: true, files: ['tests/test_a.py'] }],
  ['10 of 12 tests pass.', { pass: false, passed: 10 }],
  ['2 tests fail.', { pass: false, failed: 2 }],
  ['所有测试都通过了。', { pass: true }],
  ['The tests should pass now.', null],
  ['If the tests pass, merge it.', null],
  ['I have not run the tests.', null],
  ['Make sure that all tests pass.', null],
])('what %j says of tests', (answer, expected) => {
  if (expected === null) expect(readClaims(answer).tests).toBeNull();
  else expect(readClaims(answer).tests).toMatchObject(expected as object);
});
