import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { RunEvent } from '#contract/events/run-event.ts';
import { exportRun } from '#main/run/run-export.ts';
import { temporaryDir } from '../storage/support.ts';
import { answered, bench, token, turn } from './support.ts';

test('a run is written whole: run, messages, every event, under a version', async () => {
  const { service, stores } = bench(async ({ emit }) => {
    for (let i = 0; i < 1_100; i += 1) emit(token(`汉${i}\n`, `m${i}`));
    return answered;
  });
  const { run } = await service.start(turn);
  await service.start({ ...turn, prompt: 'Another' });
  const ended = await service.settled(run.id);
  const dir = temporaryDir();
  const file = join(dir, 'run.json');
  writeFileSync(file, 'what was there before');
  await exportRun(stores, { runId: run.id, file, now: 9 });
  const written: unknown = JSON.parse(readFileSync(file, 'utf8'));
  const events = service.events(run.id, 0, 10_000);
  expect(written).toEqual({
    format: 'hyperagent.run',
    version: 1,
    exportedAt: 9,
    run: ended,
    messages: stores.messages.listOfRun(run.id),
    events,
  });
  expect(events).toHaveLength(1_101);
  for (const event of events) RunEvent.parse(event);
  expect(readdirSync(dir)).toEqual(['run.json']);
});

test('a file that cannot be written is named, and nothing is left half written', async () => {
  const { service, stores } = bench(async () => answered);
  const { run } = await service.start(turn);
  await service.settled(run.id);
  const dir = temporaryDir();
  mkdirSync(join(dir, 'folder'));
  for (const file of [join(dir, 'none', 'run.json'), join(dir, 'folder')]) {
    await expect(exportRun(stores, { runId: run.id, file, now: 9 })).rejects.toMatchObject({
      code: 'BAD_REQUEST',
      details: { file },
    });
  }
  await expect(
    exportRun(stores, { runId: 'run_9', file: join(dir, 'x.json'), now: 9 }),
  ).rejects.toMatchObject({ code: 'NOT_FOUND' });
  expect(readdirSync(dir)).toEqual(['folder']);
});
