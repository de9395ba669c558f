import { readdirSync } from 'node:fs';
import { expect, it } from 'vitest';
import { type Ending, userDataRequests } from '#main/api/user-data.ts';
import { isMarkedForDeletion } from '#main/user-data/delete-data.ts';
import { bench } from '../user-data/support.ts';

const asked = { closed: new AbortController().signal };

/** The requests over a real folder; `ends` counts how often the app was ended. */
function requestsOf(changes: { active?: boolean; owns?: boolean } = {}) {
  const { active = false, owns = true } = changes;
  const { stores, dataDir } = bench();
  let ends = 0;
  const ending: Ending = {
    next: 'restarts',
    end: () => {
      ends += 1;
    },
  };
  const requests = userDataRequests({
    ...{ paths: stores.paths, threads: stores.runStores.threads, secrets: stores.secrets },
    runs: { list: stores.runStores.runs.list, isActive: () => active },
    exporter: {
      state: null,
      start: async () => ({ export: null, download: null }),
      cancel: async () => undefined,
    },
    ending: owns ? ending : null,
  });
  return { requests, dataDir, ends: () => ends };
}

it('decides the deletion and ends the app, in both languages of the word', () => {
  for (const confirmation of ['delete', ' DELETE ', 'ｄｅｌｅｔｅ', '删除']) {
    const { requests, dataDir, ends } = requestsOf();
    expect(requests['data.delete']({ confirmation, keepModels: true })).toEqual({
      next: 'restarts',
    });
    expect([isMarkedForDeletion(dataDir), ends()]).toEqual([true, 1]);
  }
});

it.each([
  ['another word', 'yes', {}, 'BAD_REQUEST'],
  ['no word', '', {}, 'BAD_REQUEST'],
  ['a part of it', 'delet', {}, 'BAD_REQUEST'],
  ['an active run', 'delete', { active: true }, 'CONFLICT'],
  ['a process without the folder', 'delete', { owns: false }, 'CONFLICT'],
])('deletes nothing for %s', (_what, confirmation, changes, code) => {
  const { requests, dataDir, ends } = requestsOf(changes);
  const before = readdirSync(dataDir);
  expect(() => requests['data.delete']({ confirmation, keepModels: false })).toThrow(
    expect.objectContaining({ code }),
  );
  expect([isMarkedForDeletion(dataDir), ends(), readdirSync(dataDir)]).toEqual([false, 0, before]);
});

it('says what is stored, where, and how large it is', async () => {
  const { requests, dataDir } = requestsOf();
  const { parts, ...stored } = await requests['data.get']({}, asked);
  expect(stored).toEqual({ dataDir, tasks: 1, keys: [], export: null });
  expect(parts.find(({ kind }) => kind === 'tasks')?.bytes).toBeGreaterThan(1_000);
});
