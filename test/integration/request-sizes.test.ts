import { expect, it, onTestFinished } from 'vitest';
import { openAppBench } from '../fakes/app-bench.ts';
import { startModelServer } from '../fakes/model-server/server.ts';

/** What a model pays before it has read a word of the task: the first request, as it goes over the wire. */
const PLAIN_BYTES = 8_192;
const FAMILY_BYTES = 12_000;

it('a plain task asks with at most 8 kB, and one that needs a family of tools with at most 12 kB', async () => {
  const server = await startModelServer({
    models: [{ name: 'x', trainedContext: 32_768 }],
    turns: ['Paris.', 'Done.', 'Built.'].map((text) => ({ steps: [{ text }] })),
  });
  onTestFinished(() => server.close());
  const bench = await openAppBench(() => ({}), { ollamaUrl: server.url });
  await bench.play('What is the capital of France?');
  await bench.play('Log in at https://shop.example and order tea.');
  await bench.play('Build a web app for habits.');
  const first = ['What is the capital', 'Log in at', 'Build a web app'].map((words) =>
    server.recording.to('/api/chat').find(({ body }) => body.includes(words)),
  );
  const bodies = first.map((request) => request?.body ?? '');
  const sizes = bodies.map((body) => Buffer.byteLength(body));
  const families = bodies.map((body) =>
    ['browser_click', 'app_check'].filter((name) => body.includes(`"${name}"`)),
  );
  process.stdout.write(`first requests: ${sizes.join(', ')} bytes\n`);
  expect(families).toEqual([[], ['browser_click'], ['app_check']]);
  const [plain = 0, ...others] = sizes;
  expect(plain).toBeLessThanOrEqual(PLAIN_BYTES);
  for (const size of others) expect(size).toBeLessThanOrEqual(FAMILY_BYTES);
});
