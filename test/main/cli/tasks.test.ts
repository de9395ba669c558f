import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { openData } from '../../fakes/open-data.ts';
import { someOptions, temporaryDir } from '../storage/support.ts';

const run = promisify(execFile);
const CLI = path.resolve('src-main/cli.ts');

function folderWithTasks(): {
  readonly dataDir: string;
  readonly call: (...args: string[]) => ReturnType<typeof run>;
} {
  const dataDir = temporaryDir();
  const stores = openData(dataDir);
  const { threads, runs, messages } = stores.runStores;
  for (const [at, prompt] of ['分析销售额 \u001b[31m', 'Feed the axolotl'].entries()) {
    const [threadId, runId] = [`thr_${at}`, `run_${at}`];
    threads.insert({ id: threadId, title: `Task ${at}`, createdAt: at });
    runs.insert({
      ...{ id: runId, threadId, status: 'completed', prompt, options: someOptions },
      ...{ createdAt: at, startedAt: at, endedAt: at, error: null, origin: null },
    });
    messages.insert({
      ...{ id: `msg_${at}`, threadId, runId, role: 'user', content: prompt },
      ...{ attachments: [], createdAt: at },
    });
  }
  stores.close();
  const call = (...args: string[]) =>
    run(process.execPath, [CLI, 'tasks', ...args, '--data-dir', dataDir], { cwd: dataDir });
  return { dataDir, call };
}

it('searches the words of tasks that were never indexed, also while another process has the folder', async () => {
  const { dataDir, call } = folderWithTasks();
  const { stdout } = await call('search', '销售', '--json');
  expect(JSON.parse(stdout.toString())).toMatchObject({
    results: [
      {
        thread: { id: 'thr_0' },
        hits: [
          { runId: 'run_0', kind: 'message', excerpt: '分析销售额 \u001b[31m', marks: [[2, 4]] },
        ],
      },
    ],
    notIndexed: 0,
  });
  const other = openData(dataDir);
  const text = await call('search', 'AXO');
  const chinese = await call('search', '销售');
  other.close();
  expect([
    text.stdout.toString().split('\n')[1],
    chinese.stdout.toString().includes('\u001b[31m'),
  ]).toEqual(['    run_1  message  Feed the axolotl', false]);
  expect((await call('search', 'zebra')).stdout).toBe('No tasks found.\n');
  await expect(call('search', 'x'.repeat(300))).rejects.toMatchObject({ code: 2 });
});

it('pins and archives tasks; archived ones are found, and not listed', async () => {
  const { call } = folderWithTasks();
  const ids = async (...args: string[]): Promise<string[]> => {
    const { stdout } = await call(...args, '--json');
    return (JSON.parse(stdout.toString()) as { id: string }[]).map(({ id }) => id);
  };
  await call('pin', 'thr_0');
  const pinned = await ids('list');
  await call('archive', 'thr_0');
  const search = await call('search', '销售', '--json');
  const after = [
    await ids('list'),
    await ids('list', '--archived'),
    search.stdout.toString().includes('thr_0'),
  ];
  await call('unarchive', 'thr_0');
  expect([pinned, after, await ids('list')]).toEqual([
    ['thr_0', 'thr_1'],
    [['thr_1'], ['thr_0'], true],
    ['thr_1', 'thr_0'],
  ]);
  await expect(call('pin', 'thr_9')).rejects.toMatchObject({ code: 1 });
});

it("exports the conversation of a run's task, and the run itself", async () => {
  const { dataDir } = folderWithTasks();
  const files: string[] = [];
  for (const format of ['json', 'md', 'html', 'pdf']) {
    const file = path.join(dataDir, `out.${format}`);
    const args = ['runs', 'export', 'run_1', file, '--format', format, '--data-dir', dataDir];
    await run(process.execPath, [CLI, ...args], { cwd: dataDir });
    files.push(readFileSync(file).subarray(0, 40).toString('latin1'));
  }
  expect(files).toEqual([
    expect.stringContaining('"format":"hyperagent.run"'),
    '# Task 1\n\n## You\n\nFeed the axolotl\n',
    expect.stringContaining('<!doctype html>'),
    expect.stringContaining('%PDF-'),
  ]);
  const args = ['runs', 'export', 'run_1', path.join(dataDir, 'no', 'x.md'), '--format', 'md'];
  await expect(run(process.execPath, [CLI, ...args, '--data-dir', dataDir])).rejects.toMatchObject({
    code: 2,
  });
});

it('lists the files of a task below the folder where other editors find them', async () => {
  const { dataDir, call } = folderWithTasks();
  const folder = path.join(dataDir, 'workspaces', 'thr_0');
  mkdirSync(path.join(folder, 'src'), { recursive: true });
  writeFileSync(path.join(folder, 'src', 'a\u001b[31m.txt'), 'four');
  const { stdout } = await call('files', 'thr_0');
  const [first, second] = stdout.toString().split('\n');
  expect(first).toBe(folder);
  expect(second).toContain('src/a');
  expect(second).toMatch(/ {2}4 bytes$/);
  expect(stdout).not.toContain('\u001b');
  const json = JSON.parse((await call('files', 'thr_0', '--json')).stdout.toString());
  expect(json).toMatchObject({ folder, truncated: false });
  await expect(call('files', 'thr_9')).rejects.toMatchObject({ code: 1 });
});
