import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, it, onTestFinished } from 'vitest';

/** A whole process, with limits far shorter than those of the app. */
async function block(what: 'spin' | 'go' | 'wait') {
  const logsDir = mkdtempSync(join(tmpdir(), 'hyperagent-loop-'));
  onTestFinished(() => rmSync(logsDir, { recursive: true, force: true }));
  const child = spawn(
    process.execPath,
    [join(import.meta.dirname, 'blocked-child.ts'), what, logsDir],
    { stdio: ['ignore', 'pipe', 'pipe'] },
  );
  const ended = new Promise<string>((resolve) => {
    child.once('exit', (code, signal) => resolve(signal ?? String(code)));
  });
  const [stdout, stderr, end] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
  const lines = readLog(join(logsDir, 'hyperagent.log'));
  return { end, stdout, stderr, lines };
}

function readLog(file: string): { message: string; stack?: unknown }[] {
  try {
    return readFileSync(file, 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
  } catch {
    // Nothing was logged.
    return [];
  }
}

it('a thread that never continues is logged with its stack, and ends its process', async () => {
  const { end, stdout, stderr, lines } = await block('spin');
  expect([end, stdout]).toEqual(['SIGKILL', 'blocking\n']);
  expect(stderr).toContain('was ended. Start it again');
  expect(lines.map(({ message }) => message)).toEqual([
    'The main thread is blocked',
    'The main thread stayed blocked; ending the process',
  ]);
  expect(JSON.stringify(lines[0]?.stack)).toMatch(/spinHere .*blocked-child\.ts:\d+/);
});

it('a thread that continues is only logged', async () => {
  const { end, stdout, lines } = await block('go');
  expect([end, stdout]).toEqual(['0', 'blocking\ncontinues\n']);
  expect(lines.map(({ message }) => message)).toEqual([
    'The main thread is blocked',
    'The main thread continues',
  ]);
});

it.skipIf(process.platform === 'win32')(
  'a thread that waits for the system is logged and not ended (not run: Windows has no sleep)',
  async () => {
    const { end, stdout, lines } = await block('wait');
    expect([end, stdout]).toEqual(['0', 'blocking\ncontinues\n']);
    expect(lines.map(({ message }) => message)).toEqual([
      'The main thread is blocked',
      'The main thread continues',
    ]);
    expect(lines[0]?.stack).toMatch(/^unknown/);
  },
);
