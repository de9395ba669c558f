import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, expect, it, onTestFinished } from 'vitest';
import type { Run } from '#contract/entities.ts';
import { ModelUseTotals } from '#main/run/sum-model-use.ts';
import type { DataStores } from '#main/storage/open-stores.ts';
import { openData } from '../../fakes/open-data.ts';

const DAY = 86_400_000;
const NOW = 20_000 * DAY + 5_000;
const PARTS = {
  system: 100,
  instructions: 20,
  tools: 30,
  history: 40,
  attachments: 5,
  reserve: 900,
};

let stores: DataStores;
let totals: ModelUseTotals;

beforeEach(() => {
  const dataDir = mkdtempSync(join(tmpdir(), 'hyperagent-model-use-'));
  stores = openData(dataDir);
  totals = new ModelUseTotals(stores.modelUse, { now: () => NOW, monotonic: () => NOW });
  onTestFinished(() => {
    stores.close();
    rmSync(dataDir, { recursive: true, force: true });
  });
});

function addRun(id: string, threadId: string, more: Partial<Run> = {}): void {
  stores.runStores.runs.insert({
    ...{ id, threadId, status: 'completed', prompt: 'Do it', createdAt: NOW, startedAt: NOW },
    options: {
      ...{ mode: 'task', model: { provider: 'ollama', name: 'a' }, sandbox: 'auto' },
      ...{ network: 'offline', allowHosts: [], approve: 'ask', timeoutSeconds: null },
    },
    ...{ endedAt: NOW, lastSeq: 0, error: null, origin: null, ...more },
  });
}
function addTask(threadId: string, createdAt = 0): void {
  stores.runStores.threads.insert({ id: threadId, title: threadId, createdAt });
}

let seq = 0;
/** One model request of a run. */
function ask(runId: string, use: { readonly at?: number; readonly [key: string]: unknown }): void {
  const { at = NOW, ...rest } = use;
  seq += 1;
  const event = { type: 'usage', round: 1, model: 'ollama:a', durationMs: 10, ...rest } as const;
  stores.runStores.events.append([{ ...event, runId, seq, at }]);
}

it('sums up requests by model, in a task and in all, and in the last 30 days', async () => {
  addTask('one');
  addTask('two');
  addRun('r1', 'one');
  addRun('r2', 'two');
  ask('r1', { promptTokens: 100, completionTokens: 10, durationMs: 20.5 });
  ask('r1', { promptTokens: 300, completionTokens: 30 });
  ask('r2', { model: 'openai:b', promptTokens: 1_000, completionTokens: 1 });
  // The first day that counts as recent, and the one before.
  ask('r2', { promptTokens: 1, completionTokens: 2, at: 19_971 * DAY });
  ask('r2', { promptTokens: 4, completionTokens: 8, at: 19_971 * DAY - 1 });
  stores.runStores.events.append([
    { type: 'token', messageId: 'm', text: 'Hello.', runId: 'r1', seq: 900, at: NOW },
  ]);
  const a = { model: 'ollama:a', estimated: 0 };
  const b = { model: 'openai:b', requests: 1, promptTokens: 1_000, completionTokens: 1 };
  expect(await totals.of()).toEqual({
    all: [
      { ...b, durationMs: 10, estimated: 0 },
      { ...a, requests: 4, promptTokens: 405, completionTokens: 50, durationMs: 50.5 },
    ],
    recent: [
      { ...b, durationMs: 10, estimated: 0 },
      { ...a, requests: 3, promptTokens: 401, completionTokens: 42, durationMs: 40.5 },
    ],
  });
  expect((await totals.of('one')).all).toEqual([
    { ...a, requests: 2, promptTokens: 400, completionTokens: 40, durationMs: 30.5 },
  ]);
  await expect(totals.of('three')).rejects.toMatchObject({ code: 'NOT_FOUND' });
});

it('estimates from the parts of the prompt and from the answer, where the server counts nothing', async () => {
  addTask('one');
  addRun('r1', 'one');
  ask('r1', { parts: PARTS, completionEstimate: 7 });
  ask('r1', {});
  ask('r1', { promptTokens: 1_000, completionEstimate: 3 });
  expect((await totals.of()).all).toEqual([
    {
      ...{ model: 'ollama:a', requests: 3, promptTokens: 1_195, completionTokens: 10 },
      ...{ durationMs: 30, estimated: 3 },
    },
  ]);
});

it('counts nothing twice: neither what a copied task did before it was copied, nor imported runs', async () => {
  addTask('copy', NOW - 100);
  addTask('import', 0);
  addRun('r1', 'copy');
  addRun('r2', 'import', {
    origin: { kind: 'import', runId: 'there', seq: null, messages: 0 },
  });
  ask('r1', { promptTokens: 500, completionTokens: 50, at: NOW - 101 });
  ask('r1', { promptTokens: 5, completionTokens: 1, at: NOW - 100 });
  ask('r2', { promptTokens: 9_000, completionTokens: 900 });
  expect((await totals.of()).all).toMatchObject([{ requests: 1, promptTokens: 5 }]);
  expect((await totals.of('import')).all).toEqual([]);
});

it('reads what a running run adds, and forgets deleted tasks', async () => {
  addTask('one');
  addRun('r1', 'one', { status: 'running', endedAt: null });
  const requests = async (): Promise<number | undefined> => (await totals.of()).all[0]?.requests;
  ask('r1', { promptTokens: 5, completionTokens: 1 });
  expect(await requests()).toBe(1);
  ask('r1', { promptTokens: 5, completionTokens: 1 });
  expect(await requests()).toBe(2);
  stores.runStores.runs.end('r1', { status: 'completed', endedAt: NOW, error: null });
  expect(await requests()).toBe(2);
  stores.runStores.threads.delete('one');
  expect(await totals.of()).toEqual({ all: [], recent: [] });
});
