import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import type { RunEvent } from '#contract/events/run-event.ts';
import { fileRequests } from '#main/api/files.ts';
import { StepSnapshots } from '#main/sandbox/snapshots/step-snapshots.ts';
import type { TaskSandbox } from '#main/sandbox/types.ts';
import { HostWorkspace } from '#main/sandbox/workspace/host-workspace.ts';
import { tool as sandboxFileTool } from '#main/tools/definitions/sandbox-file.ts';
import { openConversation } from '../../fakes/conversation.ts';
import { recordingTool } from '../../fakes/fake-tools.ts';
import { inlineDocuments } from '../../fakes/inline-documents.ts';
import type { WireStepInput } from '../../fakes/model-server/options.ts';
import { startModelServer } from '../../fakes/model-server/server.ts';
import { noApps } from '../../fakes/no-apps.ts';
import { noEdits } from '../../fakes/no-edits.ts';
import { noPictures } from '../../fakes/no-pictures.ts';

/** Snapshots of runs, over the real executor, log, workspace and blobs. */

const MODEL = { provider: 'ollama', name: 'x' } as const;
const file = (input: Record<string, string>): WireStepInput => ({
  call: { name: 'sandbox_file', arguments: input },
});
const write = (path: string, content: string): WireStepInput =>
  file({ operation: 'write', path, content });

async function setUp(rounds: readonly (WireStepInput | readonly WireStepInput[])[]) {
  const server = await startModelServer({
    models: [{ name: 'x', capabilities: ['completion', 'tools'] }],
    turns: [...rounds, { text: 'Done.' }].map((step, round) => ({
      ...{ when: { round }, times: 'always' as const },
      steps: [step].flat(),
    })),
  });
  onTestFinished(() => server.close());
  let hold: Promise<void> | null = null;
  const note = recordingTool('note', [], {
    run: async () => {
      await hold;
      return { content: 'noted' };
    },
  });
  const conversation = await openConversation(server, {
    ...{
      contextWindow: 8192,
      tools: [
        sandboxFileTool({ pictures: noPictures, documents: inlineDocuments, edits: noEdits }),
        note,
      ],
      withFiles: true,
    },
  });
  const { runs, api, snapshots, edits, slots, artifacts, workspaceDir } = conversation;
  const notices: string[] = [];
  runs.onNotice(({ kind }) => notices.push(kind));
  const start = async (prompt: string, threadId?: string) => {
    const started = await api['runs.start']({
      ...(threadId === undefined ? {} : { threadId }),
      ...{ prompt, attachmentIds: [], options: { model: MODEL, approve: 'all' } },
    });
    return started;
  };
  const eventsOf = (runId: string): RunEvent[] => runs.events(runId, 0, 500);
  const results = (runId: string): number[] =>
    eventsOf(runId).flatMap(({ type, seq }) => (type === 'tool_result' ? [seq] : []));
  const filesOf = (threadId: string): Record<string, string> =>
    Object.fromEntries(
      readdirSync(workspaceDir(threadId)).map((name) => [
        name,
        readFileSync(join(workspaceDir(threadId), name), 'utf8'),
      ]),
    );
  const history = fileRequests({
    ...{
      snapshots,
      edits,
      slots,
      artifacts,
      apps: noApps,
      broadcast: ({ kind }) => notices.push(kind),
    },
    sandbox: {
      forTask: (threadId) => ({ workspace: new HostWorkspace(workspaceDir(threadId)) }) as never,
    },
    threads: { get: (id) => ({ id }) as never },
  });
  const holdNotes = () => {
    const held = Promise.withResolvers<void>();
    hold = held.promise;
    return held.resolve;
  };
  return {
    ...{ ...conversation, server, start, eventsOf, results, filesOf, history, holdNotes, notices },
  };
}

const STEPS = [
  write('a.txt', 'one'),
  { call: { name: 'note', arguments: {} } },
  write('a.txt', 'two'),
];

it('keeps a snapshot for each step that changed files, and none for others; forks have the files of that moment', async () => {
  const { runs, api, start, snapshots, results, filesOf } = await setUp(STEPS);
  const { run, thread } = await start('Go');
  expect((await runs.settled(run.id)).status).toBe('completed');
  const [first = 0, second = 0, third = 0] = results(run.id);
  const of = { runId: run.id, cause: 'step', leftOut: [] };
  expect(snapshots.list(thread.id)).toEqual([
    expect.objectContaining({ ...of, seq: third, files: 1, created: 0, modified: 1 }),
    expect.objectContaining({ ...of, seq: first, files: 1, created: 1, modified: 0 }),
    expect.objectContaining({ ...of, seq: 0, files: 0 }),
  ]);
  const forkAt = async (seq: number) => {
    const fork = await api['runs.fork']({ runId: run.id, seq });
    return [fork.run.origin?.files, filesOf(fork.thread.id)];
  };
  expect([
    await forkAt(0),
    await forkAt(first),
    await forkAt(second),
    await forkAt(third),
    await forkAt(runs.get(run.id).lastSeq),
  ]).toEqual([
    ['snapshot', {}],
    ['snapshot', { 'a.txt': 'one' }],
    ['snapshot', { 'a.txt': 'one' }],
    ['snapshot', { 'a.txt': 'two' }],
    ['snapshot', { 'a.txt': 'two' }],
  ]);
  const edited = await api['runs.edit']({ runId: run.id, prompt: 'Go, but better' });
  expect(edited.run.origin).toMatchObject({ kind: 'edit', files: 'snapshot' });
  await runs.settled(edited.run.id);
});

it('a fork of a run whose snapshots are gone has the current files, and says so', async () => {
  const { runs, api, start, results, copied, snapshots } = await setUp(STEPS);
  const { run, thread } = await start('Go');
  await runs.settled(run.id);
  snapshots.copyAt = async () => false;
  const fork = await api['runs.fork']({ runId: run.id, seq: results(run.id)[0] ?? 0 });
  expect(fork.run.origin?.files).toBe('today');
  expect(copied).toEqual([[thread.id, fork.thread.id]]);
});

it('restores nothing while a run is active; afterwards it does, and the model learns of it', async () => {
  const { runs, start, history, results, filesOf, holdNotes, server } = await setUp(STEPS);
  const letGo = holdNotes();
  const { run, thread } = await start('Go');
  await expect.poll(() => results(run.id).length).toBe(1);
  await expect
    .poll(() => history['snapshots.list']({ threadId: thread.id }).snapshots.length)
    .toBe(2);
  const [first] = history['snapshots.list']({ threadId: thread.id }).snapshots;
  const id = first?.id ?? '';
  await expect(
    history['snapshots.restore']({ threadId: thread.id, snapshotId: id }),
  ).rejects.toMatchObject({ code: 'CONFLICT' });
  letGo();
  await runs.settled(run.id);
  expect(filesOf(thread.id)).toEqual({ 'a.txt': 'two' });
  await history['snapshots.restore']({ threadId: thread.id, snapshotId: id });
  expect(filesOf(thread.id)).toEqual({ 'a.txt': 'one' });
  const isInformed = (): boolean =>
    JSON.stringify(server.recording.to('/api/chat').at(-1)?.json).includes('restored the files in');
  expect(isInformed()).toBe(false);
  const next = await start('Go on', thread.id);
  await runs.settled(next.run.id);
  expect(isInformed()).toBe(true);
});

it('what a run made is listed, windows learn of it, and a restore marks what is gone', async () => {
  const { runs, start, history, artifacts, notices } = await setUp([
    write('a.txt', 'one'),
    write('b.txt', 'three'),
  ]);
  const { run, thread } = await start('Go');
  await runs.settled(run.id);
  const listed = () =>
    artifacts.list({ limit: 9 }).artifacts.map(({ path, size, isDeleted, threadId }) => {
      expect(threadId).toBe(thread.id);
      return [path, size, isDeleted];
    });
  const changes = () => notices.filter((kind) => kind === 'artifacts_changed').length;
  expect([listed(), changes()]).toEqual([
    [
      ['b.txt', 5, false],
      ['a.txt', 3, false],
    ],
    2,
  ]);
  const [, first] = history['snapshots.list']({ threadId: thread.id }).snapshots;
  await history['snapshots.restore']({ threadId: thread.id, snapshotId: first?.id ?? '' });
  expect([listed(), changes()]).toEqual([
    [
      ['b.txt', 5, true],
      ['a.txt', 3, false],
    ],
    3,
  ]);
});

it('files that are gone are restored before a run continues', async () => {
  const { runs, start, eventsOf, filesOf, workspaceDir, holdNotes, results } = await setUp(STEPS);
  const letGo = holdNotes();
  const { run, thread } = await start('Go');
  await expect.poll(() => results(run.id).length).toBe(1);
  runs.pause(run.id);
  letGo();
  expect((await runs.settled(run.id)).status).toBe('paused');
  rmSync(workspaceDir(thread.id), { recursive: true });
  runs.resume(run.id);
  expect((await runs.settled(run.id)).status).toBe('completed');
  expect(filesOf(thread.id)).toEqual({ 'a.txt': 'two' });
  const stages = eventsOf(run.id).flatMap((event) =>
    event.type === 'stage' && event.name === 'files' ? [event.status, event.description] : [],
  );
  expect(stages).toEqual(['completed', expect.stringContaining('1 files')]);
});

it('what calls of one answer delete can be brought back', async () => {
  const answer = [
    write('kept.txt', 'one'),
    file({ operation: 'delete', path: 'kept.txt' }),
    write('kept.txt', 'two'),
    file({ operation: 'delete', path: 'kept.txt' }),
  ];
  const { runs, start, history, filesOf } = await setUp([answer]);
  const { run, thread } = await start('Go');
  expect((await runs.settled(run.id)).status).toBe('completed');
  expect(filesOf(thread.id)).toEqual({});
  const held: Record<string, string>[] = [];
  for (const { id, cause } of history['snapshots.list']({ threadId: thread.id }).snapshots) {
    if (cause !== 'step') continue;
    await history['snapshots.restore']({ threadId: thread.id, snapshotId: id });
    held.push(filesOf(thread.id));
  }
  // The last is from before the first step.
  expect(held).toEqual([{}, { 'kept.txt': 'two' }, { 'kept.txt': 'one' }, {}]);
});

it('before a program there is a snapshot of what the step did, but not while another program runs', async () => {
  const order: string[] = [];
  const inside = Promise.withResolvers<void>();
  let outer = true;
  const sandbox = {
    workspace: { write: async () => void order.push('write') },
    runtime: async () => ({
      run: async () => {
        order.push('run');
        if (outer) await inside.promise;
      },
    }),
  } as unknown as TaskSandbox;
  let isStored = true;
  const problems: unknown[] = [];
  const steps = new StepSnapshots({
    sandbox,
    lastStep: () => order.length,
    flush: () => {
      if (!isStored) throw new Error('full');
      order.push('flush');
    },
    take: async () => void order.push('take'),
    onProblem: (error) => problems.push(error),
  });
  const { signal } = new AbortController();
  const run = async () =>
    (await steps.sandbox.runtime({} as never)).run({} as never, { signal } as never);
  await steps.end();
  order.length = 0;
  await steps.sandbox.workspace.write('f', 'x');
  const script = run();
  await expect.poll(() => order).toEqual(['write', 'flush', 'take', 'run']);
  outer = false;
  await steps.sandbox.workspace.write('f', 'y');
  await run();
  expect(order.slice(4)).toEqual(['write', 'run']);
  inside.resolve();
  await script;
  await run();
  expect(order.slice(6)).toEqual(['flush', 'take', 'run']);
  // Results that cannot be stored end the run elsewhere.
  isStored = false;
  await run();
  expect([order.slice(9), problems]).toEqual([['run'], [new Error('full')]]);
});

it('a command waits for the snapshot of the previous step; a snapshot that fails stops nothing', async () => {
  const order: string[] = [];
  const taking = Promise.withResolvers<void>();
  const problems: unknown[] = [];
  const sandbox = {
    workspace: {
      write: async () => void order.push('write'),
      changes: async () => [],
    },
    runtime: async () => ({ run: async () => void order.push('run') }),
  } as unknown as TaskSandbox;
  let fails = false;
  const steps = new StepSnapshots({
    sandbox,
    lastStep: () => 7,
    flush: () => undefined,
    take: async (seq) => {
      order.push(`take ${seq}`);
      if (fails) throw new Error('no');
      await taking.promise;
      order.push('taken');
    },
    onProblem: (error) => problems.push(error),
  });
  steps.stepIsOver();
  const runtime = await steps.sandbox.runtime({} as never);
  const { signal } = new AbortController();
  const ran = runtime.run({} as never, { signal } as never);
  const stopped = runtime.run({} as never, { signal: AbortSignal.abort('stop') } as never);
  await expect(stopped).rejects.toBe('stop');
  const wrote = steps.sandbox.workspace.write('f', 'x');
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(order).toEqual(['take 7']);
  taking.resolve();
  await Promise.all([ran, wrote]);
  expect(order.slice(1).sort()).toEqual(['run', 'taken', 'write']);
  expect(order[1]).toBe('taken');
  fails = true;
  await steps.end();
  expect(problems).toEqual([new Error('no')]);
  order.length = 0;
  fails = false;
  // What was not taken is due.
  await steps.end();
  expect(order).toEqual(['take 7', 'taken']);
  // Nothing happened since.
  await steps.end();
  expect(order).toEqual(['take 7', 'taken']);
});

it('what the user changed is kept before a call changes files', async () => {
  const order: string[] = [];
  const steps = new StepSnapshots({
    sandbox: {
      workspace: { write: async () => void order.push('write') },
    } as unknown as TaskSandbox,
    lastStep: () => 1,
    flush: () => undefined,
    take: async () => void order.push('take'),
    onProblem: (error) => order.push(String(error)),
  });
  await steps.end();
  await steps.sandbox.workspace.write('f', 'x');
  expect(order).toEqual(['take', 'write']);
  steps.filesChanged();
  await steps.sandbox.workspace.write('f', 'y');
  await steps.sandbox.workspace.write('f', 'z');
  expect(order).toEqual(['take', 'write', 'take', 'write', 'write']);
});

it('what runs unasked is contained only while snapshots succeed', async () => {
  let fails = true;
  let isStored = true;
  const steps = new StepSnapshots({
    sandbox: {
      workspace: {},
      whyUncontained: async () => null,
      runtime: async () => ({ run: async () => undefined }),
    } as unknown as TaskSandbox,
    lastStep: () => 1,
    flush: () => {
      if (!isStored) throw new Error('full');
    },
    take: async () => {
      if (fails) throw new Error('no');
    },
    onProblem: () => undefined,
  });
  const { signal } = new AbortController();
  const why = () => steps.sandbox.whyUncontained(signal);
  const NOT_KEPT = 'the last snapshot of the files failed, so it could not be undone';
  steps.stepIsOver();
  // Also while it is still being taken.
  expect(await why()).toBe(NOT_KEPT);
  fails = false;
  steps.stepIsOver();
  expect(await why()).toBeNull();
  const runtime = await steps.sandbox.runtime({} as never);
  await runtime.run({} as never, { signal } as never);
  isStored = false;
  await runtime.run({} as never, { signal } as never);
  expect(await why()).toBe(NOT_KEPT);
});
