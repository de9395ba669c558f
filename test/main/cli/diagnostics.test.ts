import { type ChildProcess, execFile, spawn } from 'node:child_process';
import {
  existsSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect, it, onTestFinished } from 'vitest';
import { until } from '../../fakes/images/until.ts';
import { openData } from '../../fakes/open-data.ts';
import { temporaryDir } from '../storage/support.ts';
import { addTask } from '../user-data/support.ts';

const run = promisify(execFile);
const CLI = path.resolve('src-main/cli.ts');

const call = async (dataDir: string, ...args: string[]) =>
  await run(process.execPath, [CLI, 'diagnostics', ...args, '--data-dir', dataDir], {
    cwd: temporaryDir(),
  });

it('prints the document, also while another process has the folder, with sections left out', async () => {
  const dataDir = temporaryDir();
  const stores = openData(dataDir);
  onTestFinished(() => stores.close());
  addTask(stores, { id: 'thr_1', title: 'Mine \u001b[31m', prompt: 'Also mine' });
  const { stdout } = await call(dataDir, '--without', 'log', 'policy');
  expect(stdout).toMatch(/^# HyperAgent diagnostics\n/);
  expect(stdout).toContain('Tasks: 1\n');
  expect(stdout).toContain('Check: ok\n');
  expect(stdout).toContain('approve: ask (default)\n');
  expect(stdout).toContain('Left out by the user: policy, log\n');
  expect(stdout).not.toMatch(/[Mm]ine|^## Policy|^## Log/m);
});

it('diagnoses a folder that does not exist, and does not create it', async () => {
  const dataDir = path.join(temporaryDir(), 'none', 'data');
  const { stdout } = await call(dataDir);
  expect(stdout).toContain('It does not exist yet.');
  expect(stdout).toContain('With default settings: ');
  expect(stdout).toContain(`Data folder: ${dataDir}, `);
  expect(stdout).toContain('approve: ask (default)');
  expect(existsSync(path.dirname(dataDir))).toBe(false);
});

it('creates nothing in a folder without a database, or with a damaged one', async () => {
  const dataDir = temporaryDir();
  expect((await call(dataDir)).stdout).toContain('approve: ask (default)');
  expect(readdirSync(dataDir)).toEqual([]);
  writeFileSync(path.join(dataDir, 'hyperagent.db'), 'no database '.repeat(1_000));
  await call(dataDir);
  expect(readdirSync(dataDir)).toEqual(['hyperagent.db']);
});

it('diagnoses a damaged database, and a data folder that is a file', async () => {
  const dataDir = temporaryDir();
  writeFileSync(path.join(dataDir, 'hyperagent.db'), 'no database '.repeat(1_000));
  const { stdout } = await call(dataDir);
  expect(stdout).toMatch(/## Settings\n\n {4}This could not be read: .*damaged/);
  expect(stdout).toContain('With default settings: ');
  const file = path.join(dataDir, 'file');
  writeFileSync(file, 'x');
  expect((await call(file)).stdout).toContain('It is not a folder.');
});

it('writes what it shows to a new file, which only the user may read, and replaces none', async () => {
  const dataDir = temporaryDir();
  const file = path.join(temporaryDir(), 'out.txt');
  const { stdout, stderr } = await call(dataDir, '--output', file, '--yes');
  expect(stdout).toBe('');
  expect(stderr).toContain(`Wrote ${statSync(file).size} bytes to `);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(readFileSync(file, 'utf8')).toMatch(/^# HyperAgent diagnostics\n/);
  writeFileSync(file, 'mine');
  const link = path.join(path.dirname(file), 'link.txt');
  symlinkSync(path.join(path.dirname(file), 'target.txt'), link);
  for (const taken of [file, link]) {
    await expect(call(dataDir, '--output', taken, '--yes')).rejects.toMatchObject({
      code: 2,
      stderr: expect.stringContaining('already exists'),
    });
  }
  // Before anything is collected, and so before a terminal is missed.
  await expect(call(dataDir, '--output', file)).rejects.toMatchObject({
    stderr: expect.stringContaining('already exists'),
  });
  expect(readFileSync(file, 'utf8')).toBe('mine');
  expect(readdirSync(path.dirname(file)).sort()).toEqual(['link.txt', 'out.txt']);
  await expect(
    call(dataDir, '--output', path.join(dataDir, 'none', 'x.txt'), '--yes'),
  ).rejects.toMatchObject({ code: 2, stderr: expect.stringContaining('exists and that you may') });
});

it('asks before it writes, and needs a terminal for that', async () => {
  const dataDir = temporaryDir();
  const file = path.join(temporaryDir(), 'out.txt');
  await expect(call(dataDir, '--output', file)).rejects.toMatchObject({
    code: 2,
    stderr: expect.stringContaining('--yes'),
  });
  await expect(call(dataDir, '--yes')).rejects.toMatchObject({
    code: 2,
    stderr: expect.stringContaining('--yes needs --output'),
  });
  expect(existsSync(file)).toBe(false);
});

/** The command in a terminal of its own, as `script` makes one. */
function inTerminal(dataDir: string, file: string): { child: ChildProcess; shown: () => string } {
  const command = [process.execPath, CLI, 'diagnostics', '--output', file, '--data-dir', dataDir];
  const child = spawn('script', ['-qec', command.join(' '), '/dev/null'], {
    cwd: temporaryDir(),
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  let text = '';
  child.stdout?.on('data', (chunk: Buffer) => {
    text += chunk.toString();
  });
  return { child, shown: () => text.replaceAll('\r\n', '\n') };
}

it('writes exactly the text that the terminal showed, after a yes, and nothing after a no', async () => {
  const dataDir = temporaryDir();
  for (const answer of ['n', 'y']) {
    const file = path.join(temporaryDir(), 'out.txt');
    const { child, shown } = inTerminal(dataDir, file);
    const ended = new Promise((resolve) => child.once('close', resolve));
    await until(() => shown().includes('[y/N]'));
    expect(existsSync(file)).toBe(false);
    child.stdin?.write(`${answer}\n`);
    await ended;
    expect(existsSync(file)).toBe(answer === 'y');
    if (answer === 'y') expect(shown()).toContain(readFileSync(file, 'utf8'));
    else expect(shown()).toContain('Nothing was written.');
  }
});

it('replaces no file that appeared while the user read', async () => {
  const file = path.join(temporaryDir(), 'out.txt');
  const { child, shown } = inTerminal(temporaryDir(), file);
  const ended = new Promise((resolve) => child.once('close', resolve));
  await until(() => shown().includes('[y/N]'));
  writeFileSync(file, 'mine');
  child.stdin?.write('y\n');
  await ended;
  expect(readFileSync(file, 'utf8')).toBe('mine');
  expect(shown()).toContain('already exists');
});
