import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { silentLogger } from '#main/base/logger.ts';
import { PushHub } from '#main/transport/push-hub.ts';
import { RequestRouter } from '#main/transport/request-router.ts';
import { startWebServer } from '#main/web/web-server.ts';
import { openAppBench } from '../fakes/app-bench.ts';
import { ask } from '../fakes/stepping-model.ts';

/** What programs may do over HTTP with questions and executions, over the real app. */

async function openRest() {
  const params = { question_count: 10, difficulty: 'adaptive' };
  const asks = { ...ask('exam'), arguments: { checkpoint: 'exam', summary: 'Ten?', params } };
  const bench = await openAppBench(({ results }) =>
    results.length === 0 ? { calls: [asks] } : { content: 'Agreed.' },
  );
  const server = await startWebServer({
    rendererDir: join(import.meta.dirname, '../fakes/app/renderer'),
    ...{ port: 0, logger: silentLogger, hub: new PushHub(bench.app.runs, silentLogger) },
    router: new RequestRouter(bench.app.api, silentLogger),
  });
  onTestFinished(() => server[Symbol.asyncDispose]());
  const send = async (path: string, body?: unknown, headers: Record<string, string> = {}) => {
    const response = await fetch(`http://127.0.0.1:${server.port}/api/v1/${path}`, {
      headers: {
        Authorization: `Bearer ${server.token}`,
        'Content-Type': 'application/json',
        ...headers,
      },
      ...(body === undefined
        ? {}
        : { method: 'POST', body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    return { status: response.status, json: (await response.json()) as Record<string, never> };
  };
  const open = async () => {
    const run = await bench.start('Test me');
    let id = '';
    await expect
      .poll(async () => {
        const { questions } = (await send('questions')).json as { questions?: { id: string }[] };
        id = questions?.[0]?.id ?? '';
        return id;
      })
      .not.toBe('');
    return { run, id };
  };
  return { bench, send, open };
}

it('lists open questions and takes an answer, also in words, once', async () => {
  const { bench, send, open } = await openRest();
  const { run, id } = await open();
  expect((await send(`questions/${id}`)).json).toMatchObject({
    ...{ id, run_id: run.id, kind: 'checkpoint', title: 'exam', message: 'Ten?' },
    parameters: { question_count: 10, difficulty: 'adaptive' },
  });
  const text = 'difficulty = hard, and quickly please';
  const answered = await send(`questions/${id}`, { action: 'input', text });
  expect(answered).toEqual({ status: 200, json: { answered: true } });
  const played = await bench.settled(run.id);
  expect(JSON.parse(played.of('tool_result')[0]?.content ?? '')).toMatchObject({
    ...{ approved: true, said: text, overrides: { difficulty: 'hard' } },
  });
  expect((await send(`questions/${id}`, { action: 'confirm' })).status).toBe(404);
  expect((await send('questions')).json).toEqual({ questions: [], count: 0 });
});

it('refuses answers that are none, and leaves the question open', async () => {
  const { bench, send, open } = await openRest();
  const { run, id } = await open();
  const bad: unknown[] = [
    ...['', 'no json', '[]', 'null', '"confirm"', '{"action":"confirm"'],
    ...[{}, { action: 'approve' }, { action: 'skip' }, { action: 'input', text: '  ' }],
    ...[
      { action: 'confirm', extra: 1 },
      { action: 'modify', overrides: { admin: true } },
    ],
    { action: 'select', value: 'none of them' },
    ...[{ action: 'deny', reason: 'x'.repeat(2_001) }, `{"a":${'['.repeat(100_000)}`],
  ];
  for (const body of bad) {
    const { status, json } = await send(`questions/${id}`, body);
    expect([body, status, json]).toMatchObject([body, 400, { error: { code: 'BAD_REQUEST' } }]);
  }
  const form = { 'Content-Type': 'application/x-www-form-urlencoded' };
  expect((await send(`questions/${id}`, { action: 'confirm' }, form)).status).toBe(400);
  const others = [
    'questions/int_other',
    'questions/',
    `questions/${id}/x`,
    'questions/constructor',
  ];
  for (const path of others) {
    expect([path, (await send(path, { action: 'confirm' })).status]).toEqual([path, 404]);
  }
  expect((await send('skills/web_research', { action: 'confirm' })).status).toBe(405);
  expect((await send(`questions/${id}`, { action: 'deny', reason: '' })).status).toBe(200);
  expect((await bench.settled(run.id)).run.status).toBe('completed');
});

it('shows what skills did', async () => {
  const { bench, send } = await openRest();
  const empty = await send('executions');
  expect(empty).toEqual({ status: 200, json: { executions: [], count: 0 } });
  const skill = { id: 'task_planning', params: { nonsense: true } };
  // A failed input makes no execution: the run is refused before it begins.
  await expect(
    (async () =>
      bench.app.api['runs.start']({
        ...{ prompt: 'Plan', attachmentIds: [], options: { skill } },
      }))(),
  ).rejects.toThrow(/task_planning/);
  for (const path of ['executions?limit=0', 'executions?limit=x', 'executions?limit=201']) {
    expect([path, (await send(path)).status]).toEqual([path, 400]);
  }
  expect((await send('executions?name=x')).status).toBe(400);
  expect((await send('executions/none')).status).toBe(404);
});
