import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { openData } from '../../fakes/open-data.ts';
import { temporaryDir } from '../storage/support.ts';
import { addTask } from '../user-data/support.ts';
import { unpack } from '../user-data/unpack.ts';

const run = promisify(execFile);
const CLI = path.resolve('src-main/cli.ts');

function folderWithTask() {
  const dataDir = temporaryDir();
  const stores = openData(dataDir);
  addTask(stores, { id: 'thr_1', title: 'Sales \u001b[31m', prompt: 'Sum it up' });
  const files = stores.paths.workspace('thr_1');
  mkdirSync(files, { recursive: true });
  writeFileSync(path.join(files, 'sales.csv'), 'a,b\n');
  const call = async (...args: string[]) =>
    await run(process.execPath, [CLI, 'data', ...args, '--data-dir', dataDir], { cwd: dataDir });
  return { dataDir, stores, call };
}

it('shows what is stored and exports it, also while another process has the folder', async () => {
  const { dataDir, stores, call } = folderWithTask();
  const shown = JSON.parse((await call('show', '--json')).stdout);
  expect(shown).toMatchObject({ dataDir, tasks: 1, keys: [] });
  expect(shown.parts).toContainEqual({
    ...{ kind: 'files', path: path.join(dataDir, 'workspaces'), isExported: true },
    ...{ bytes: 4, files: 1 },
  });
  expect((await call('show')).stdout).toMatch(/Files of tasks +0\.0 MB {2}1 files/);
  const file = path.join(temporaryDir(), 'all.zip');
  const { stdout } = await call('export', file, '--json');
  stores.close();
  expect(JSON.parse(stdout)).toMatchObject({ file, doneTasks: 1, tasks: 1, leftOut: 0 });
  const names = [...(await unpack(file)).keys()].map((name) => name.split('/').slice(3).join('/'));
  expect(names).toContain('files/sales.csv');
});

it('names a place that cannot be written, and leaves nothing there', async () => {
  const { dataDir, stores, call } = folderWithTask();
  stores.close();
  await expect(call('export', path.join(dataDir, 'none', 'all.zip'))).rejects.toMatchObject({
    code: 2,
    stderr: expect.stringContaining('exists and that you may write'),
  });
  expect(existsSync(path.join(dataDir, 'none'))).toBe(false);
});
