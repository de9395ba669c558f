import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { describe, expect, onTestFinished, test } from 'vitest';
import { recordingLogger, temporaryDir } from '../storage/support.ts';
import { answered, bench, nextFrame, plain, question, token, turn } from './support.ts';

const KEPT = 'Everything up to here is kept: the conversation and the files of the task.';

describe('runs that an earlier process left without an end', () => {
  test('get one: what they had said is their message, and what to do is said', async () => {
    const dataDir = temporaryDir();
    const logger = recordingLogger();
    const { service, stores } = bench(async () => answered, { dataDir, logger });
    const now = 5;
    for (const [n, status] of ['running', 'waiting', 'queued', 'completed'].entries()) {
      const threadId = `thr_${n}`;
      const runId = `run_${n}`;
      stores.threads.insert({ id: threadId, title: status, createdAt: now });
      stores.runs.insert({
        id: runId,
        threadId,
        status: status as 'running',
        prompt: 'x',
        options: turn.options,
        createdAt: now,
        startedAt: now,
      });
      if (status === 'completed') {
        stores.runs.end(runId, { status, endedAt: now, error: null });
      } else if (status !== 'queued') {
        const log = [token('Before', 'm1'), token('Half ', 'm2'), token('said', 'm2')];
        stores.events.append(
          log.map((draft, i) => ({ ...draft, runId, seq: i + 1, at: now }) as never),
        );
      }
    }
    expect(service.recoverInterrupted()).toBe(3);
    const found = ['run_0', 'run_1', 'run_2', 'run_3'].map((id) => {
      const { status, error, endedAt } = service.get(id);
      return [status, error?.code, endedAt !== null];
    });
    expect(found).toEqual([
      ['failed', 'RUN_INTERRUPTED', true],
      ['failed', 'RUN_INTERRUPTED', true],
      ['failed', 'RUN_INTERRUPTED', true],
      ['completed', undefined, true],
    ]);
    expect(plain(service.events('run_1', 3, 10))).toEqual([
      {
        type: 'error',
        code: 'RUN_INTERRUPTED',
        message:
          'The app was closed while the run waited for your answer, and the question went with it. Send the task again to be asked anew.',
        details: { status: 'waiting' },
        kept: KEPT,
        seq: 4,
      },
    ]);
    expect(stores.messages.listOfRun('run_0').map(({ content }) => content)).toEqual(['Half said']);
    expect(stores.threads.get('thr_0').status).toBe('failed');
    expect(service.recoverInterrupted()).toBe(0);
  });

  test('parked ones included', async () => {
    const dataDir = temporaryDir();
    const first = bench(
      async ({ emit }) => {
        emit(question);
        await nextFrame();
        throw new Error('Nobody caught it');
      },
      { dataDir },
    );
    const { run } = await first.service.start(turn);
    await first.service.settled(run.id);
    first.database.close();
    const { service } = bench(async () => answered, { dataDir });
    expect(service.recoverInterrupted()).toBe(0);
  });
});

test('kill -9 in the middle of a run loses nothing that was told, and the run gets its end', async () => {
  const dataDir = temporaryDir();
  const script = fileURLToPath(new URL('./children/crashing-run.ts', import.meta.url));
  for (let round = 1; round <= 3; round += 1) {
    const child = spawn(process.execPath, [script, dataDir], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    onTestFinished(() => {
      child.kill('SIGKILL');
    });
    let told = '';
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
      told += chunk;
    });
    await once(child.stdout, 'data');
    await new Promise((resolve) => setTimeout(resolve, 60 + round * 23));
    const gone = once(child, 'exit');
    child.kill('SIGKILL');
    await gone;
    const [runId = '', heard = '0'] = told.trimEnd().split('\n').at(-1)?.split(' ') ?? [];
    const { service, stores, database } = bench(async () => answered, { dataDir });
    expect([service.recoverInterrupted(), service.get(runId).status]).toEqual([1, 'failed']);
    const events = service.events(runId, 0, 1_000_000);
    expect(events.map(({ seq }) => seq)).toEqual(events.map((_, i) => i + 1));
    expect(events.length).toBeGreaterThan(Number(heard));
    expect(events.filter(({ type }) => type === 'error')).toEqual([events.at(-1)]);
    const spoken = events.map((event) => (event.type === 'token' ? event.text : '')).join('');
    const numbers = spoken.trimEnd().split(' ').map(Number);
    expect(numbers).toEqual(numbers.map((_, i) => i));
    expect(stores.messages.listOfRun(runId).at(-1)?.content).toBe(spoken);
    await service.dispose();
    database.close();
  }
});
