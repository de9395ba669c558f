import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { describe, expect, onTestFinished, test } from 'vitest';
import { readEvents } from '#main/storage/event-store.ts';
import { openDatabaseForReading } from '#main/storage/open-database.ts';
import { insertRun, open, recordingLogger, temporaryDir, thrownBy } from './support.ts';

/** Runs a script of `children/` as a separate process, which ends with the test at the latest. */
function start(script: string, dataDir: string): ChildProcess {
  const file = fileURLToPath(new URL(`./children/${script}`, import.meta.url));
  const child = spawn(process.execPath, [file, dataDir], { stdio: ['pipe', 'pipe', 'inherit'] });
  onTestFinished(() => {
    child.kill('SIGKILL');
  });
  return child;
}

async function nextLine(child: ChildProcess): Promise<string> {
  if (child.stdout === null) throw new Error('The child has no output');
  const lines = createInterface({ input: child.stdout });
  const [line] = (await once(lines, 'line')) as [string];
  lines.close();
  return line;
}

async function kill(child: ChildProcess): Promise<void> {
  const gone = once(child, 'exit');
  child.kill('SIGKILL');
  await gone;
}

describe('two processes on one data folder', () => {
  test('the second learns who the first is and where; readers are let in', async () => {
    const dataDir = temporaryDir();
    const first = start('hold-folder.ts', dataDir);
    await nextLine(first);
    const error = thrownBy(() => open(dataDir));
    expect(error).toMatchObject({
      code: 'DATA_DIR_IN_USE',
      details: { dataDir, pid: first.pid, entryPoint: 'browser', address: 'http://127.0.0.1:4000' },
    });
    expect(String(error)).toContain(`(process ${first.pid}, web UI at http://127.0.0.1:4000)`);
    openDatabaseForReading(dataDir).close();
  });

  test('the folder is free as soon as the first has closed', async () => {
    const dataDir = temporaryDir();
    const first = start('hold-folder.ts', dataDir);
    await nextLine(first);
    const gone = once(first, 'exit');
    first.stdin?.write('close\n');
    expect(await gone).toEqual([0, null]);
    const logger = recordingLogger();
    open(dataDir, { logger });
    expect(logger.lines).toEqual([]);
  });

  test('the folder is free after kill -9, and the database is checked', async () => {
    const dataDir = temporaryDir();
    const first = start('hold-folder.ts', dataDir);
    await nextLine(first);
    await kill(first);
    const logger = recordingLogger();
    open(dataDir, { logger });
    expect(logger.lines).toMatchObject([
      { message: 'The last process did not close the database; it is sound' },
    ]);
  });

  test('the same process is refused as well', () => {
    const dataDir = temporaryDir();
    open(dataDir);
    expect(thrownBy(() => open(dataDir))).toMatchObject({
      code: 'DATA_DIR_IN_USE',
      details: { pid: process.pid },
    });
  });
});

test('kill -9 in the middle of writing loses nothing that was acknowledged, and leaves no gap', async () => {
  const dataDir = temporaryDir();
  const seeded = open(dataDir);
  insertRun(seeded);
  seeded.close();
  for (let round = 1; round <= 6; round += 1) {
    const child = start('write-events.ts', dataDir);
    let acknowledged = 0;
    child.stdout?.setEncoding('utf8');
    let rest = '';
    child.stdout?.on('data', (chunk: string) => {
      const lines = (rest + chunk).split('\n');
      rest = lines.pop() ?? '';
      acknowledged = Number(lines.at(-1) ?? acknowledged);
    });
    await once(child.stdout ?? child, 'data');
    // At no particular boundary: somewhere during the writes, each round elsewhere.
    await new Promise((resolve) => setTimeout(resolve, 40 + round * 17));
    await kill(child);
    const database = open(dataDir);
    const events = readEvents(database.connection).page('run_1', 0, 1_000_000);
    const last = events.length;
    expect(events.map((event) => event.seq)).toEqual(events.map((_, i) => i + 1));
    expect(acknowledged).toBeGreaterThan(0);
    expect(last).toBeGreaterThanOrEqual(acknowledged);
    expect(last % 7).toBe(0);
    expect(events.every((e) => e.type === 'token' && e.text.startsWith(`${e.seq}:`))).toBe(true);
    database.close();
  }
});
