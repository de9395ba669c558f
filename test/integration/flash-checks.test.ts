import { createServer } from 'node:http';
import { expect, it, onTestFinished } from 'vitest';
import { closeServer, listen } from '../fakes/addresses/listeners.ts';
import { openAppBench } from '../fakes/app-bench.ts';
import type { DirectedReply, DirectedRequest } from '../fakes/directed-model.ts';

/** What a small model is asked beside the run: about calls that leave a tainted task, and about its answer. */

const FLASH = { provider: 'ollama', name: 'x' };
const isOpinion = ({ system }: DirectedRequest): boolean => system.includes('serves the user');
const isCheck = ({ system }: DirectedRequest): boolean => system.includes('piece of an answer');

/** Fetches these paths of a host that is on the list, one after the other. */
async function openFetching(
  paths: readonly string[],
  { opinion = (_path: string): string => '{"serves":"yes"}', settings = {} } = {},
) {
  const reached: string[] = [];
  const server = createServer((request, response) => {
    reached.push(request.url ?? '');
    response.end('words of others');
  });
  const site = `127.0.0.1:${await listen(server, '127.0.0.1')}`;
  onTestFinished(() => closeServer(server));
  const bench = await openAppBench(
    (request): DirectedReply => {
      if (isOpinion(request)) {
        return { content: opinion(/127\.0\.0\.1:\d+(\/[^"]*)/.exec(request.turn)?.[1] ?? '') };
      }
      if (isCheck(request)) return { content: '{"kind":"abuse"}' };
      const path = paths[request.results.length];
      return path === undefined
        ? { content: 'You are nothing.' }
        : { calls: [{ name: 'fetch_page', arguments: { url: `http://${site}${path}` } }] };
    },
    {
      ...{ egressHosts: [site], egressPrivateHosts: [site] },
      tiers: { max: null, pro: null, flash: FLASH },
      ...settings,
    },
  );
  const asked = (which: (request: DirectedRequest) => boolean) => bench.requests.filter(which);
  return { ...bench, reached, asked };
}

it('a call that leaves a tainted task runs on a clear yes, and is asked about otherwise, with the reason', async () => {
  const bench = await openFetching(['/first', '/fine', '/doubtful', '/silent', '/fine'], {
    opinion: (path) => {
      if (path === '/silent') throw new Error('broken');
      return JSON.stringify({ serves: path === '/fine' ? 'yes' : 'no' });
    },
  });
  const { api } = bench.app;
  const started = await bench.start('Read the site.', { approve: 'ask' });
  for (const [path, reason, action] of [
    ['/doubtful', 'said that it does not', 'deny'],
    ['/silent', 'no usable answer', 'approve'],
  ] as const) {
    await expect.poll(() => api['runs.waiting']().questions.length, { timeout: 60_000 }).toBe(1);
    const [question] = api['runs.waiting']().questions;
    if (question === undefined) throw new Error('The question is gone');
    const { interruptId, argumentsSha256 = '', reasons, argumentsText } = question;
    expect(argumentsText).toContain(path);
    expect(reasons[0]).toContain(reason);
    await api['runs.respond']({
      runId: started.id,
      interruptId,
      response:
        action === 'deny' ? { action, reason: 'No.' } : { action, argumentsSha256, always: false },
    });
    await expect.poll(() => api['runs.waiting']().questions.length, { timeout: 60_000 }).toBe(0);
  }
  const played = await bench.settled(started.id);
  expect(played.run.status).toBe('completed');
  expect(bench.reached).toEqual(['/first', '/fine', '/silent', '/fine']);
  // Nobody but us had written before the first; the second /fine was known.
  expect(new Set(bench.asked(isOpinion).map(({ turn }) => /\/(\w+)"/.exec(turn)?.[1]))).toEqual(
    new Set(['fine', 'doubtful', 'silent']),
  );
  expect(bench.asked(isOpinion).filter(({ turn }) => turn.includes('/fine"'))).toHaveLength(1);
  for (const { turn } of bench.asked(isOpinion)) {
    expect(turn).toContain('The user wrote:\nRead the site.');
    expect(turn).not.toContain('words of others');
  }
  expect(bench.asked(isCheck)).toEqual([]);
});

it('a run that goes on finds its question again, whatever the model would say by now', async () => {
  let said = 0;
  const bench = await openFetching(['/first', '/second'], {
    opinion: () => {
      said += 1;
      return JSON.stringify({ serves: said === 1 ? 'no' : 'yes' });
    },
  });
  const { api, runs } = bench.app;
  const { id } = await bench.start('Read the site.', { approve: 'ask' });
  await expect.poll(() => api['runs.waiting']().questions.length, { timeout: 60_000 }).toBe(1);
  const [before] = api['runs.waiting']().questions;
  api['runs.pause']({ runId: id });
  await expect.poll(() => runs.get(id).status, { timeout: 60_000 }).toBe('paused');
  await api['runs.respond']({
    runId: id,
    interruptId: before?.interruptId ?? '',
    response: { action: 'deny', reason: 'No.' },
  });
  if (runs.get(id).status === 'paused') api['runs.resume']({ runId: id });
  await expect.poll(() => runs.get(id).endedAt, { timeout: 60_000 }).not.toBeNull();
  const played = await bench.settled(id);
  expect([played.run.status, bench.reached, said]).toEqual(['completed', ['/first'], 1]);
});

it('under never it is denied, and under all nobody is asked', async () => {
  const no = { opinion: () => '{"serves":"no"}' };
  const never = await openFetching(['/first', '/second'], no);
  const denied = await never.play('Read the site.', { approve: 'never' });
  expect([denied.run.status, never.reached]).toEqual(['completed', ['/first']]);
  expect(denied.of('tool_result').at(-1)).toMatchObject({
    ...{ status: 'denied', errorCode: 'TOOL_DENIED' },
    content: expect.stringContaining('said that it does not'),
  });
  const all = await openFetching(['/first', '/second'], no);
  await all.play('Read the site.', { approve: 'all' });
  expect([all.reached, all.asked(isOpinion)]).toEqual([['/first', '/second'], []]);
});

it.each([
  ['without a flash model', { tiers: { max: null, pro: null, flash: null } }],
  ['where it is switched off', { secondOpinion: false }],
])('%s nobody is asked', async (_where, settings) => {
  const bench = await openFetching(['/first', '/second'], { settings });
  await bench.play('Read the site.', { approve: 'never' });
  expect([bench.reached, bench.asked(isOpinion)]).toEqual([['/first', '/second'], []]);
});

it('an answer that the model takes for abuse is marked, and stays as it is', async () => {
  const bench = await openFetching([], { settings: { answerCheck: true } });
  const played = await bench.play('Say something.');
  expect([played.run.status, played.answer]).toEqual(['completed', 'You are nothing.']);
  const notices = played.of('stage').filter(({ name }) => name === 'guardrails');
  expect(notices.map(({ description }) => description)).toEqual([
    'Guardrails: A second model flagged this answer as abuse.',
  ]);
  expect(bench.asked(isCheck)).toHaveLength(1);
});
