import net from 'node:net';
import { expect, it } from 'vitest';
import { openAppBench } from '../fakes/app-bench.ts';

/** A tier whose server is gone is named when the run starts, and the run goes on with its own model. */

async function closedPort(): Promise<number> {
  const server = net.createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as net.AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

it('a run says at its start which tier has no server, once', async () => {
  const baseUrl = `http://127.0.0.1:${await closedPort()}/v1`;
  const gone = { provider: 'office', name: 'small' };
  // The model answers once the start has said what it has to say.
  const said = Promise.withResolvers<void>();
  const bench = await openAppBench(
    async () => {
      await said.promise;
      return { content: 'Hello.' };
    },
    {
      servers: [{ name: 'office', baseUrl, models: {}, thinking: null }],
      tiers: { max: gone, pro: null, flash: gone },
    },
  );
  const started = await bench.start('Say hello.', {});
  const failed = (): string[] =>
    bench.app.runs
      .events(started.id, 0, 1_000)
      .flatMap((event) =>
        event.type === 'stage' && event.status === 'failed' ? [event.description] : [],
      );
  await expect.poll(() => failed().length, { timeout: 60_000 }).toBe(1);
  said.resolve();
  const { run } = await bench.settled(started.id);
  expect([run.status, failed()]).toEqual([
    'completed',
    [expect.stringMatching(/^The max model, office:small, is not available: Nothing answers at/)],
  ]);
});
