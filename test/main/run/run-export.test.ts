import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Run } from '#contract/entities.ts';
import { RunEvent } from '#contract/events/run-event.ts';
import { KnownSecrets } from '#main/base/known-secrets.ts';
import { exportRun, runFileText } from '#main/run/run-export.ts';
import { mark, random } from '../../fakes/secret-kinds/generate.ts';
import { temporaryDir } from '../storage/support.ts';
import { answered, bench, token, turn } from './support.ts';

test('a run is written completely: run, messages, every event, with a version', async () => {
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

test('an export contains no secret: none that is known now, and none by its format', async () => {
  const known = `"${random('alnum', 20)}\\`;
  const token = mark('gh', 'p_') + random('alnum', 36);
  const { service, stores } = bench(async ({ emit }) => {
    emit({
      ...{ type: 'tool_call', toolCallId: 'c1', name: 'x', arguments: { [known]: [token, 1] } },
      ...{ risk: 'low', effect: 'read', agent: 'executor', round: 1 },
    });
    return { ...answered, answer: `It was ${known}.` };
  });
  const { run } = await service.start({ ...turn, prompt: `Use ${known} and ${token}` });
  await service.settled(run.id);
  const secrets = new KnownSecrets();
  // Entered after the run, or kept where only `recall` finds it.
  secrets.recall = () => secrets.register(known);
  const file = join(temporaryDir(), 'run.json');
  await exportRun(stores, { runId: run.id, file, now: 9, secrets });
  const text = runFileText(stores, { runId: run.id, now: 9, limit: 1_000_000, secrets });
  expect(readFileSync(file, 'utf8')).toBe(text);
  const { run: written, events } = JSON.parse(text) as { run: Run; events: RunEvent[] };
  expect(written.prompt).toBe('Use [redacted: key] and [redacted: GitHub token]');
  expect(events.find(({ type }) => type === 'tool_call')).toMatchObject({
    arguments: { '[redacted: key]': ['[redacted: GitHub token]', 1] },
  });
  for (const event of events) RunEvent.parse(event);
});
