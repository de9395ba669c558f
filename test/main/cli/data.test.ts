import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { markForDeletion } from '#main/user-data/delete-data.ts';
import { openData } from '../../fakes/open-data.ts';
import { unpack } from '../base/unpack.ts';
import { temporaryDir } from '../storage/support.ts';
import { addTask } from '../user-data/support.ts';
import { startCli } from './run-cli.ts';

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
  expect((await call('show')).stdout).toMatch(
    /Files of tasks +workspaces +0\.0 MB {2}1 files, exported/,
  );
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

it('deletes after a confirmation, never beside a running app, and nothing of the user', async () => {
  const { dataDir, stores, call } = folderWithTask();
  const mine = path.join(dataDir, 'thesis.doc');
  writeFileSync(mine, 'mine');
  await expect(call('delete', '--yes')).rejects.toMatchObject({
    stderr: expect.stringContaining('already running'),
  });
  stores.close();
  await expect(call('delete')).rejects.toMatchObject({
    code: 2,
    stderr: expect.stringContaining('--yes'),
  });
  expect(existsSync(stores.paths.workspace('thr_1'))).toBe(true);
  const { stdout } = await call('delete', '--yes', '--json');
  expect(JSON.parse(stdout)).toEqual({ dataDir, links: [], models: null });
  expect(readdirSync(dataDir).sort()).toEqual(['lock.db', 'thesis.doc']);
  expect(JSON.parse((await call('show', '--json')).stdout)).toMatchObject({ tasks: 0 });
});

it('completes with the next command that works on the folder; one that reads shows no half data', async () => {
  const { dataDir, stores } = folderWithTask();
  stores.close();
  markForDeletion(dataDir, { keepModels: true });
  rmSync(stores.paths.database);
  const other = (...args: string[]) =>
    run(process.execPath, [CLI, ...args, '--data-dir', dataDir], { cwd: dataDir });
  await expect(other('tasks', 'list')).rejects.toMatchObject({
    stderr: expect.stringContaining('is being deleted'),
  });
  await other('instructions', '--set', 'Be kind.');
  expect(existsSync(stores.paths.workspaces)).toBe(false);
  expect((await other('instructions')).stdout).toContain('Be kind.');
  expect((await other('tasks', 'list')).stdout).toBe('No tasks yet.\n');
});

it('is deleted from the web UI: the server ends, and the folder is like new', async () => {
  const { dataDir, stores } = folderWithTask();
  stores.close();
  const server = startCli(['serve', '--no-open', '--data-dir', dataDir], { entry: CLI });
  let printed = '';
  server.child.stdout?.on('data', (text) => {
    printed += text;
  });
  await server.saw('Ctrl+C');
  const [, host, token] = /http:\/\/([\d.:]+)\/#token=([\w-]+)/.exec(printed) ?? [];
  const socket = new WebSocket(`ws://${host}/socket`, [`hyperagent.${token}`], {
    origin: `http://${host}`,
  });
  await once(socket, 'open');
  const ask = async (id: number, confirmation: string): Promise<unknown> => {
    const input = { confirmation, keepModels: true };
    socket.send(JSON.stringify({ id, name: 'data.delete', input }));
    const [answer] = await once(socket, 'message');
    return JSON.parse(String(answer)).result;
  };
  expect(await ask(1, 'yes')).toMatchObject({ ok: false, error: { code: 'BAD_REQUEST' } });
  expect(existsSync(stores.paths.workspace('thr_1'))).toBe(true);
  expect(await ask(2, ' Delete')).toEqual({ ok: true, data: { next: 'ends' } });
  expect(await server.result).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('All data was deleted'),
  });
  expect(readdirSync(dataDir)).toEqual(['lock.db']);
});
