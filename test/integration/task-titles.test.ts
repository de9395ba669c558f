import { expect, it } from 'vitest';
import { openAppBench } from '../fakes/app-bench.ts';
import type { DirectedReply, DirectedRequest } from '../fakes/directed-model.ts';

/** Titles that the flash model gives, over the real app. */

const FLASH = { tiers: { max: null, pro: null, flash: { provider: 'ollama', name: 'x' } } };
const LONG =
  'Please read all the numbers of the last quarter, and tell me which of our nine regions sold the most';
const CUT = 'Please read all the numbers of the last quarter, and tell…';
const isTitle = ({ system }: DirectedRequest): boolean => system.includes('Give it a title');

async function open(title: () => string | Promise<string>, settings: object = FLASH) {
  const bench = await openAppBench(
    async (request): Promise<DirectedReply> =>
      isTitle(request) ? { content: await title() } : { content: 'The north did.' },
    { ...settings },
  );
  const titleOf = (threadId: string): string =>
    bench.app.api['threads.get']({ threadId }).thread.title;
  const asked = () => bench.requests.filter(isTitle);
  return { ...bench, titleOf, asked };
}

it('a long prompt gets a title after its first answer, by one request that the run does not wait for', async () => {
  const hold = Promise.withResolvers<string>();
  const { play, titleOf, asked } = await open(() => hold.promise);
  const { run } = await play(LONG);
  expect([run.status, titleOf(run.threadId)]).toEqual(['completed', CUT]);
  hold.resolve('{"title":"**Best region** of the quarter."}');
  await expect
    .poll(() => titleOf(run.threadId), { timeout: 20_000 })
    .toBe('Best region of the quarter');
  expect([asked().length, asked()[0]?.turn.includes('The north did.')]).toEqual([1, true]);
});

it('a name that the user gave meanwhile stays', async () => {
  const hold = Promise.withResolvers<string>();
  const { app, play, titleOf, asked } = await open(() => hold.promise);
  const { run } = await play(LONG);
  await expect.poll(() => asked().length, { timeout: 20_000 }).toBe(1);
  app.api['threads.rename']({ threadId: run.threadId, title: 'Mine' });
  hold.resolve('{"title":"Theirs"}');
  // The second task is named after the first was answered.
  const second = await play(`${LONG} of cars`);
  await expect.poll(() => titleOf(second.run.threadId), { timeout: 20_000 }).toBe('Theirs');
  expect(titleOf(run.threadId)).toBe('Mine');
});

it('nobody is asked without a flash model, for a short prompt, or on another server for an offline task', async () => {
  const none = await open(() => '{"title":"No"}', {});
  const { run } = await none.play(LONG);
  const short = await open(() => '{"title":"No"}');
  const named = await short.play('Say hello');
  const other = await open(() => '{"title":"No"}', {
    tiers: { max: null, pro: null, flash: { provider: 'lm-studio', name: 'x' } },
  });
  const offline = await other.play(LONG, { network: 'offline' });
  for (const bench of [none, short, other]) await bench.app[Symbol.asyncDispose]();
  expect([none.asked(), short.asked(), other.asked()]).toEqual([[], [], []]);
  expect([run.status, named.run.status, offline.run.status]).toEqual(Array(3).fill('completed'));
});
