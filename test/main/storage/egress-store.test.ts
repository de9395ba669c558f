import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { closeAbandonedConnections, openEgress } from '#main/storage/egress-store.ts';
import { openData } from '../../fakes/open-data.ts';
import { HandClock, open, temporaryDir } from './support.ts';

const LINE = {
  ...({ runId: 'run_1', actor: 'sandbox', host: 'site.test', port: 443 } as const),
  ...({ address: '1.2.3.4', verdict: 'allowed', reason: null } as const),
};
const DENIED = { ...LINE, address: null, verdict: 'denied', reason: 'not_listed' } as const;

it('a program that keeps trying does not push dialled connections off the list', () => {
  const { connection } = open(temporaryDir());
  const egress = openEgress(connection, new HandClock(), { dialled: 3_000, denied: 1_000 });
  const sent = egress.begin(LINE);
  egress.finish({ ...sent, endedAt: 1, sentBytes: 4711 });
  const failed = egress.begin({ ...LINE, verdict: 'failed', reason: 'unreachable' });
  connection.transaction(() => {
    for (let knock = 0; knock < 5_000; knock += 1) egress.begin(DENIED);
  });
  const counted = connection.sql<{ verdict: string; lines: number }>(
    'SELECT verdict, count(*) AS lines FROM egress_connections GROUP BY verdict ORDER BY verdict',
  );
  const [allowed, denied, others] = counted.all();
  expect([allowed, others]).toEqual([
    { verdict: 'allowed', lines: 1 },
    { verdict: 'failed', lines: 1 },
  ]);
  // And the list does not grow without end.
  expect(denied).toEqual({ verdict: 'denied', lines: 1_002 });
  const rows = egress.list({ runId: 'run_1', beforeId: failed.id + 1 });
  expect(rows.map(({ id, sentBytes }) => [id, sentBytes])).toEqual([
    [failed.id, 0],
    [sent.id, 4711],
  ]);
});

it('lines that a killed process left open are closed, with the last known byte counts', () => {
  const { connection } = open(temporaryDir());
  const clock = new HandClock();
  const egress = openEgress(connection, clock);
  const left = egress.begin(LINE);
  egress.finish({ ...left, sentBytes: 17, receivedBytes: 4 });
  const done = egress.begin(LINE);
  egress.finish({ ...done, endedAt: clock.now() });
  clock.time += 1_000;
  closeAbandonedConnections(connection, clock);
  expect(egress.list({})).toEqual([
    { ...done, endedAt: clock.time - 1_000 },
    { ...left, endedAt: clock.time, sentBytes: 17, receivedBytes: 4 },
  ]);
});

it('they are closed by the start after the one that was killed, and by no other', () => {
  const dataDir = temporaryDir();
  const openOnce = () => {
    const stores = openData(dataDir);
    onTestFinished(() => stores.close());
    return stores;
  };
  const first = openOnce();
  first.egress.begin(LINE);
  first.close();
  const second = openOnce();
  expect(second.egress.list({}).map(({ endedAt }) => endedAt)).toEqual([null]);
  second.close();
  // Shows the next process that the last one did not close.
  writeFileSync(join(dataDir, 'lock.json'), JSON.stringify({ pid: 1, entryPoint: 'terminal' }));
  expect(openOnce().egress.list({})).toMatchObject([{ endedAt: expect.any(Number) }]);
});
