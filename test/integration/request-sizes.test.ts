import { expect, it, onTestFinished } from 'vitest';
import { openAppBench } from '../fakes/app-bench.ts';
import { startModelServer } from '../fakes/model-server/server.ts';

/** What a model pays before it has read a word of the task: the first request, as it goes over the wire. */
const PLAIN_BYTES = 8_192;
const BROWSER_BYTES = 12_000;

it('a plain task asks with at most 8 kB, and one that needs the browser with at most 12 kB', async () => {
  const server = await startModelServer({
    models: [{ name: 'x', trainedContext: 32_768 }],
    turns: [{ steps: [{ text: 'Paris.' }] }, { steps: [{ text: 'Done.' }] }],
  });
  onTestFinished(() => server.close());
  const bench = await openAppBench(() => ({}), { ollamaUrl: server.url });
  await bench.play('What is the capital of France?');
  await bench.play('Log in at https://shop.example and order tea.');
  const first = ['What is the capital', 'Log in at'].map((words) =>
    server.recording.to('/api/chat').find(({ body }) => body.includes(words)),
  );
  const bodies = first.map((request) => request?.body ?? '');
  const sizes = bodies.map((body) => Buffer.byteLength(body));
  const hasBrowser = bodies.map((body) => body.includes('"browser_click"'));
  process.stdout.write(`first requests: ${sizes.join(' and ')} bytes\n`);
  expect(hasBrowser).toEqual([false, true]);
  expect(sizes[0]).toBeLessThanOrEqual(PLAIN_BYTES);
  expect(sizes[1]).toBeLessThanOrEqual(BROWSER_BYTES);
});
