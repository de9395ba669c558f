import { KnownSecrets } from '#main/base/known-secrets.ts';
import type { DataStores } from '#main/storage/open-stores.ts';
import type { ExportParts } from '#main/user-data/export-data.ts';
import { openData } from '../../fakes/open-data.ts';
import { someOptions, temporaryDir } from '../storage/support.ts';

export interface Bench {
  readonly dataDir: string;
  readonly stores: DataStores;
  readonly parts: ExportParts;
}

/** The stores of a data folder with one task, whose run said one word. */
export function bench({ secrets = new KnownSecrets() } = {}): Bench & Disposable {
  const dataDir = temporaryDir();
  const stores = openData(dataDir);
  addTask(stores, { id: 'thr_1', title: 'Sales: by region / 销售', prompt: 'Sum it up' });
  const { paths, rules, skills, connectors } = stores;
  const parts: ExportParts = {
    ...{ paths, stores: stores.runStores, settings: stores.settings.get, rules, skills, secrets },
    connectors,
    models: async () => ({ bytes: 5_200_000_000, files: 1 }),
  };
  return { dataDir, stores, parts, [Symbol.dispose]: () => stores.close() };
}

/** Adds a task with one run, its prompt and its answer. */
export function addTask(
  { runStores }: DataStores,
  { id, title, prompt }: { readonly id: string; readonly title: string; readonly prompt: string },
): void {
  const { threads, runs, messages, events } = runStores;
  const runId = id.replace('thr', 'run');
  threads.insert({ id, title, createdAt: Date.UTC(2026, 0, 2) });
  runs.insert({
    ...{ id: runId, threadId: id, status: 'completed', prompt, options: someOptions },
    ...{ createdAt: 1, startedAt: 1, endedAt: 2, error: null, origin: null },
  });
  messages.insert({
    ...{ id: `msg_${id}`, threadId: id, runId, role: 'user', content: prompt },
    ...{ attachments: [], createdAt: 1 },
  });
  events.append([
    {
      ...{ type: 'complete', runId, seq: 1, at: 2, outcome: 'completed', answer: 'It is 42.' },
      ...{ durationMs: 1, rounds: 1, toolCalls: 0 },
    },
  ]);
}
