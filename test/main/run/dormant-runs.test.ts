import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { describe, expect, onTestFinished, test } from 'vitest';
import { temporaryDir } from '../storage/support.ts';
import { answered, bench, nextFrame, plain, token, turn, untilAborted } from './support.ts';

describe('runs that an earlier process left without an end', () => {
  test('are queued, or stay paused or waiting for the user', async () => {
    const { service, stores } = bench(async () => answered, {
      hasOpenQuestions: (runId) => runId === 'run_1',
    });
    const now = 5;
    const statuses = ['running', 'waiting', 'waiting', 'paused', 'queued', 'completed'] as const;
    for (const [n, status] of statuses.entries()) {
      const threadId = `thr_${n}`;
      stores.threads.insert({ id: threadId, title: status, createdAt: now });
      stores.runs.insert({
        ...{ id: `run_${n}`, threadId, status, prompt: 'x', options: turn.options },
        ...{ createdAt: now, startedAt: now, error: null, origin: null },
        endedAt: status === 'completed' ? now : null,
      });
    }
    const found = service.recoverInterrupted().map(({ id, status }) => [id, status]);
    expect(found).toEqual([
      ['run_0', 'queued'],
      ['run_1', 'waiting'],
      // All its questions were answered.
      ['run_2', 'queued'],
      ['run_3', 'paused'],
      ['run_4', 'queued'],
    ]);
    expect(service.get('run_0').status).toBe('queued');
  });

  test('continue with what they emitted, without repeating it, and reach their one end', async () => {
    const dataDir = temporaryDir();
    const first = bench(
      async ({ emit, signal }) => {
        emit(token('Half ', 'm1'));
        await nextFrame();
        return untilAborted({ signal } as never);
      },
      { dataDir },
    );
    const { run } = await first.service.start(turn);
    await nextFrame();
    await first.service.dispose();
    first.database.close();
    const second = bench(
      async ({ emit, resumed }) => {
        // The model repeats itself, then continues.
        emit(token('Half ', 'm1'));
        emit(token('said', 'm1'));
        return { ...answered, answer: resumed ? 'Half said' : 'wrong' };
      },
      { dataDir },
    );
    second.service.recoverInterrupted();
    second.service.resume(run.id);
    await second.service.settled(run.id);
    expect(plain(second.service.events(run.id, 0, 10))).toMatchObject([
      { type: 'token', text: 'Half ', seq: 1 },
      { type: 'token', text: 'said', seq: 2 },
      { type: 'complete', answer: 'Half said', seq: 3 },
    ]);
  });
});

test('kill -9 in the middle of a run loses nothing that was published, and the run gets its end', async () => {
  const dataDir = temporaryDir();
  const script = fileURLToPath(new URL('./children/crashing-run.ts', import.meta.url));
  for (let round = 1; round <= 3; round += 1) {
    const child = spawn(process.execPath, [script, dataDir], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    onTestFinished(() => {
      child.kill('SIGKILL');
    });
    let printed = '';
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
      printed += chunk;
    });
    await once(child.stdout, 'data');
    await new Promise((resolve) => setTimeout(resolve, 60 + round * 23));
    const gone = once(child, 'exit');
    child.kill('SIGKILL');
    await gone;
    const [runId = '', heard = '0'] = printed.trimEnd().split('\n').at(-1)?.split(' ') ?? [];
    const { service, stores, database } = bench(async () => answered, { dataDir });
    const left = service.recoverInterrupted().map(({ id, status }) => [id, status]);
    expect(left).toEqual([[runId, 'queued']]);
    service.cancel(runId);
    expect(service.get(runId).status).toBe('cancelled');
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
