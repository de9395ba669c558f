import { createServer } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { expect, it, onTestFinished } from 'vitest';
import type { RunOptions } from '#contract/entities.ts';
import { END_MAIN_THREAD } from '../conformance/runaways.ts';
import { closeServer, listen } from '../fakes/addresses/listeners.ts';
import { type AppBench, openAppBench, type PlayedRun } from '../fakes/app-bench.ts';
import type { DirectedReply } from '../fakes/directed-model.ts';

/** Programs that a run leaves in the background: what they may, and what ends them. */

const ELSEWHERE = '127.0.0.2';

/** Programs that hide, and count in the file `tick`. */
const HIDING: Readonly<Record<string, string>> = {
  'a program whose main thread has ended': `import ctypes, os, threading, time
def work():
    count = 0
    while True:
        count += 1
        open("tick", "w").write(str(count)); time.sleep(0.1)
threading.Thread(target=work).start()
${END_MAIN_THREAD}`,
  'a chain of programs that end at once': `import os, time
count = 0
wrote = time.time()
while True:
    if os.fork(): os._exit(0)
    if time.time() - wrote > 0.1:
        count += 1; wrote = time.time()
        open("tick", "w").write(str(count))`,
};

interface Bench extends AppBench {
  /** Requests that arrived at the listener. */
  readonly arrivals: () => number;
  /** Sends a turn to the task of `before`, or to a new one. */
  readonly turn: (
    prompt: string,
    options: Partial<RunOptions>,
    before?: PlayedRun,
  ) => Promise<string>;
}

/**
 * The app with a model that runs what the turn says: `start` leaves a program in the background that asks the
 * listener again and again, and counts in the file `tick`; `wait` waits for the file `go`.
 */
async function openBench(second: () => Promise<DirectedReply>): Promise<Bench> {
  let arrived = 0;
  const server = createServer((_request, response) => {
    arrived += 1;
    response.end('words of others');
  });
  const port = await listen(server, ELSEWHERE);
  onTestFinished(() => closeServer(server));
  const asking = `import urllib.request as r, time
web = r.build_opener(r.ProxyHandler({"http": "http://127.0.0.1:8118"}))
count = 0
while True:
    try: web.open("http://${ELSEWHERE}:${port}/", timeout=20).read()
    except Exception: pass
    count += 1
    open("tick", "w").write(str(count)); time.sleep(0.1)`;
  const codes: Readonly<Record<string, string>> = {
    start: leave(asking),
    trap: `cat >ask.py <<'END'\n${asking.replace('while True:', 'for _ in range(1):')}\nEND\ntrap 'python3 ask.py >/dev/null 2>&1' DEBUG; true`,
    wait: 'until [ -e go ]; do sleep 0.05; done',
    look: 'sleep 1',
    ...Object.fromEntries(
      Object.entries(HIDING).map(([name, program]) => [name, leave(program)] as const),
    ),
  };
  const bench = await openAppBench(
    ({ turn, results }) => {
      const code = Object.entries(codes).find(([name]) => turn.startsWith(name))?.[1] ?? 'true';
      const call = { name: 'execute_code', arguments: { language: 'bash', code } };
      return results.length === 0 ? { calls: [call] } : second();
    },
    { egressPrivateHosts: [`${ELSEWHERE}:*`] },
  );
  return {
    ...bench,
    arrivals: () => arrived,
    turn: async (prompt, options, before) => {
      const started = await bench.app.api['runs.start']({
        ...(before === undefined ? {} : { threadId: before.run.threadId }),
        ...{ prompt, attachmentIds: [], options: { approve: 'all', ...options } },
      });
      return started.run.id;
    },
  };
}

/** Leaves a Python program in the background, and waits until it has begun. */
function leave(program: string): string {
  return `cat >ask.py <<'END'\n${program}\nEND\n(setsid python3 ask.py >/dev/null 2>&1 &)\nuntil [ -s tick ]; do sleep 0.05; done`;
}

const done = async (): Promise<DirectedReply> => ({ content: 'Done.' });

const said = (played: PlayedRun): string[] =>
  played
    .of('stage')
    .flatMap(({ name, description }) => (name === 'background' ? [description] : []));

/** Waits until the program has tried `more` times more, and gives how often it has. */
async function ticked(bench: AppBench, threadId: string, more: number): Promise<number> {
  const read = async (): Promise<number> => Number((await bench.file(threadId, 'tick')) ?? 0);
  const before = await read();
  await expect.poll(read, { timeout: 60_000 }).toBeGreaterThanOrEqual(before + more);
  return await read();
}

async function expectNoTicks(bench: AppBench, threadId: string): Promise<void> {
  const before = await bench.file(threadId, 'tick');
  await wait(700);
  expect(await bench.file(threadId, 'tick')).toBe(before);
}

it('what was started offline ends before a later run may reach more, and that is said', async () => {
  const bench = await openBench(done);
  const first = await bench.settled(await bench.turn('start', { network: 'offline' }));
  const { threadId } = first.run;
  expect([first.run.status, said(first)]).toEqual([
    'completed',
    [
      expect.stringMatching(
        /^In the background until the app ends, or 30 minutes after the last command: 1 program: python3 ask\.py \(pid \d+\)$/,
      ),
    ],
  ]);
  await ticked(bench, threadId, 2);
  const second = await bench.settled(await bench.turn('look', { network: 'open' }, first));
  expect(bench.arrivals()).toBe(0);
  expect([second.run.status, said(second)]).toEqual([
    'completed',
    [
      expect.stringMatching(
        /^Ended, because this run has a different network or approval policy: 1 program: python3 ask/,
      ),
    ],
  ]);
  await expectNoTicks(bench, threadId);
  const { api } = bench.app;
  expect(await api['sandbox.programs']({ threadId })).toEqual({ programs: [], isKnown: true });
});

it('a trap that the shell was set offline does not go along with a run that may reach more', async () => {
  const bench = await openBench(done);
  const first = await bench.settled(await bench.turn('trap', { network: 'offline' }));
  expect(await bench.file(first.run.threadId, 'tick')).toBe('1');
  const second = await bench.settled(await bench.turn('look', { network: 'open' }, first));
  expect([second.run.status, bench.arrivals(), said(second)]).toEqual(['completed', 0, []]);
});

it('under the same policy it goes on, listed, and reaches nothing while no run goes on', async () => {
  const bench = await openBench(done);
  const first = await bench.settled(await bench.turn('start', { network: 'open' }));
  const { threadId, id } = first.run;
  const { api } = bench.app;
  expect(await api['sandbox.programs']({ threadId })).toEqual({
    programs: [
      {
        command: 'python3 ask.py',
        runId: id,
        pid: expect.any(Number),
        startedAt: expect.any(Number),
      },
    ],
    isKnown: true,
  });
  await ticked(bench, threadId, 1);
  const between = bench.arrivals();
  await ticked(bench, threadId, 4);
  expect(bench.arrivals()).toBe(between);
  const waiting = await bench.turn('wait', { network: 'open' }, first);
  await expect.poll(() => bench.arrivals(), { timeout: 60_000 }).toBeGreaterThan(between);
  await bench.workspace(threadId).write('go', '');
  const second = await bench.settled(waiting);
  expect([second.run.status, said(second).length]).toEqual(['completed', 1]);
  const [program] = (await api['sandbox.programs']({ threadId })).programs;
  expect(program?.runId).toBe(id);
  await api['sandbox.endPrograms']({ threadId });
  await expectNoTicks(bench, threadId);
});

it('a run that is stopped takes what it left in the background with it, at once', async () => {
  let isAsked = false;
  const bench = await openBench(() => {
    isAsked = true;
    return new Promise(() => undefined);
  });
  const runId = await bench.turn('start', { network: 'offline' });
  // The command has ended, and the model thinks.
  await expect.poll(() => isAsked, { timeout: 60_000 }).toBe(true);
  const { threadId } = bench.app.runs.get(runId);
  await ticked(bench, threadId, 2);
  bench.app.api['runs.cancel']({ runId });
  expect((await bench.settled(runId)).run.status).toBe('cancelled');
  await expectNoTicks(bench, threadId);
  expect(await bench.app.api['sandbox.programs']({ threadId })).toEqual({
    ...{ programs: [], isKnown: true },
  });
});

for (const name of Object.keys(HIDING)) {
  it(`a run that is stopped takes ${name} with it`, async () => {
    let isAsked = false;
    const bench = await openBench(() => {
      isAsked = true;
      return new Promise(() => undefined);
    });
    const runId = await bench.turn(name, { network: 'offline' });
    await expect.poll(() => isAsked, { timeout: 60_000 }).toBe(true);
    const { threadId } = bench.app.runs.get(runId);
    await ticked(bench, threadId, 2);
    bench.app.api['runs.cancel']({ runId });
    expect((await bench.settled(runId)).run.status).toBe('cancelled');
    await expectNoTicks(bench, threadId);
  });

  it(`who ends programs in the background ends ${name}`, async () => {
    const bench = await openBench(done);
    const { threadId } = (await bench.settled(await bench.turn(name, { network: 'offline' }))).run;
    await ticked(bench, threadId, 2);
    await bench.app.api['sandbox.endPrograms']({ threadId });
    await expectNoTicks(bench, threadId);
  });
}

it('a program whose main thread has ended is listed', async () => {
  const name = 'a program whose main thread has ended';
  const bench = await openBench(done);
  const { threadId } = (await bench.settled(await bench.turn(name, { network: 'offline' }))).run;
  const { programs } = await bench.app.api['sandbox.programs']({ threadId });
  expect(programs.map(({ command }) => command)).toEqual(['python3 ask.py']);
});

it('a run that is stopped while it rests does so too', async () => {
  const bench = await openBench(async () => ({
    calls: [{ name: 'execute_code', arguments: { language: 'bash', code: 'true' } }],
  }));
  const runId = await bench.turn('start', { network: 'offline' });
  const { api, runs } = bench.app;
  const { threadId } = runs.get(runId);
  await ticked(bench, threadId, 2);
  api['runs.pause']({ runId });
  expect((await bench.settled(runId)).run.status).toBe('paused');
  // One that rests goes on later with what it started.
  await ticked(bench, threadId, 2);
  api['runs.cancel']({ runId });
  await expect
    .poll(async () => (await bench.app.api['sandbox.programs']({ threadId })).programs.length)
    .toBe(0);
  await expectNoTicks(bench, threadId);
});
