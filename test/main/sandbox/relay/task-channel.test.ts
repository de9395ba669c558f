import { duplexPair } from 'node:stream';
import { expect, it } from 'vitest';
import { closedEgress } from '#main/egress/closed-egress.ts';
import { TaskChannel } from '#main/sandbox/relay/task-channel.ts';

/** What a program reads that asks the proxy of a channel for a connection. */
async function ask(channel: TaskChannel): Promise<string> {
  const [program, inside] = duplexPair();
  channel.onProxy(inside);
  program.write('CONNECT out.test:443 HTTP/1.1\r\nHost: out.test:443\r\n\r\n');
  const answer = await new Promise<Buffer>((resolve) => program.once('data', resolve));
  program.destroy();
  return answer.toString();
}

it('a channel shares the egress of the one that it belongs to, unless it has one of its own', async () => {
  const asked: string[] = [];
  const run = closedEgress('not_listed', 'The run may not.');
  const parent = new TaskChannel();
  using _way = parent.open({
    connect: async (target, signal) => {
      asked.push(target.host);
      return await run.connect(target, signal);
    },
    refuse: () => undefined,
  });
  const child = new TaskChannel(new TaskChannel(parent));
  expect(await ask(child)).toContain('403');
  expect(asked).toEqual(['out.test']);
  using _closed = child.open(closedEgress('offline', 'No network here.'));
  expect(await ask(child)).toContain('403');
  expect(asked).toEqual(['out.test']);
});
