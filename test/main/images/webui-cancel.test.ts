import { expect, test } from 'vitest';
import { startFakeWebui } from '../../fakes/images/fake-webui.ts';
import { until } from '../../fakes/images/until.ts';
import { IMAGE, make, orderOfOthers, PROMPTLY, serveWebui } from './webui-harness.ts';

test.each([
  ['create', 1],
  ['upscale', 1],
  // Before it was ever asked how far it is.
  ['create', 60_000],
] as const)('a cancelled %s is interrupted at once, %#', async (operation, pollMs) => {
  await using fake = await startFakeWebui();
  fake.stepMs = 30;
  const order = { operation, steps: 100, image: operation === 'create' ? null : IMAGE };
  const { made, abort } = make(fake.url, order, { pollMs });
  await until(() => fake.stepsDone() > 0);
  const at = abort();
  await expect(made).rejects.toThrow('The user stopped it');
  expect(fake.cancels.map((cancel) => cancel - at < PROMPTLY)).toEqual([true]);
  expect([fake.jobsRunning(), fake.stepsDone() < 10]).toEqual([0, true]);
});

test('an order that waits is never cancelled by interrupting a job of others', async () => {
  await using fake = await startFakeWebui();
  const other = orderOfOthers(fake.url, 120);
  await until(() => fake.stepsDone() > 0);
  const { made, progress, abort } = make(fake.url, {}, { cancelMs: 200 });
  await until(() => progress.length > 0);
  abort();
  await expect(made).rejects.toThrow('The user stopped it');
  await until(() => fake.hangUps.length > 0);
  await other;
  expect(fake.cancels).toEqual([]);
});

test('an order that begins soon after its end is interrupted then', async () => {
  await using fake = await startFakeWebui();
  fake.stepMs = 10;
  const other = orderOfOthers(fake.url, 120);
  await until(() => fake.stepsDone() > 0);
  const { made, progress, abort } = make(fake.url, { steps: 300 }, { cancelMs: 10_000 });
  await until(() => progress.length > 0);
  abort();
  await expect(made).rejects.toThrow('The user stopped it');
  expect(fake.cancels).toHaveLength(1);
  expect([fake.jobsRunning(), fake.stepsDone() < 200]).toEqual([0, true]);
  await other;
});

test('the order of others behind a cancelled one is drawn to its end', async () => {
  await using fake = await startFakeWebui();
  const { made, progress, abort } = make(fake.url, { steps: 100 });
  await until(() => progress.length > 0);
  const other = orderOfOthers(fake.url, 60);
  await until(() => fake.jobsWaiting() === 1);
  abort();
  await expect(made).rejects.toThrow('The user stopped it');
  const before = fake.stepsDone();
  await other;
  expect(fake.cancels).toHaveLength(1);
  expect(fake.stepsDone() - before).toBeGreaterThan(50);
});

test('an interrupt that got lost is sent again, until the answer', async () => {
  let interrupts = 0;
  await using server = await serveWebui({
    state: ({ isDrawing }) => (isDrawing ? { job_timestamp: '2', job_count: 1 } : {}),
    interrupted: (answer) => {
      interrupts += 1;
      if (interrupts === 3) answer();
    },
  });
  const { made, progress, abort } = make(server.url);
  await until(() => progress.length > 0);
  abort();
  await expect(made).rejects.toThrow('The user stopped it');
  expect(interrupts).toBe(3);
});

test('an interrupt does not wait until the server says how far it is', async () => {
  let isSilent = false;
  let interrupts = 0;
  await using server = await serveWebui({
    state: ({ isDrawing }) => {
      if (isSilent) return null;
      return isDrawing ? { job_timestamp: '2', job_count: 1 } : {};
    },
    interrupted: (answer) => {
      interrupts += 1;
      answer();
    },
  });
  const { made, progress, abort } = make(server.url, {}, { cancelMs: 5_000 });
  await until(() => progress.length > 0);
  isSilent = true;
  abort();
  await expect(made).rejects.toThrow('The user stopped it');
  expect(interrupts).toBe(1);
});

test('the job that begins behind an interrupted one is not interrupted', async () => {
  let interrupts = 0;
  await using server = await serveWebui({
    // The answer to the order is still on its way.
    state: ({ isDrawing }) =>
      isDrawing ? { job_timestamp: interrupts === 0 ? '2' : '3', job_count: 1 } : {},
    interrupted: () => {
      interrupts += 1;
    },
  });
  const { made, progress, abort } = make(server.url, {}, { cancelMs: 500 });
  await until(() => progress.length > 0);
  abort();
  await expect(made).rejects.toThrow('The user stopped it');
  expect(interrupts).toBe(1);
});

test.each([
  ['of its own window', { job: 'task(abc)', job_timestamp: '2', job_count: 1 }],
  ['that began before', { job_timestamp: '1', job_count: 1 }],
  ['that is over', { job_timestamp: '1', job_count: 0 }],
])('a job %s is not interrupted', async (_, running) => {
  let interrupts = 0;
  const before = { job_timestamp: '1', job_count: running.job_count };
  await using server = await serveWebui({
    state: ({ isDrawing }) => (isDrawing ? running : before),
    interrupted: () => {
      interrupts += 1;
    },
  });
  const { made, progress, abort } = make(server.url, {}, { cancelMs: 300 });
  await until(() => progress.length > 0);
  abort();
  await expect(made).rejects.toThrow('The user stopped it');
  expect(interrupts).toBe(0);
});
