import { writeFile } from 'node:fs/promises';
import { Settings } from '#contract/entities.ts';
import { AppError } from '#contract/errors.ts';
import type { LibraryState } from '#contract/library.ts';
import { startedPull, unknownProfile } from '#contract/models.ts';
import type { SearchProviderName, SearchResult } from '#contract/search.ts';
import { silentLogger } from '#main/base/logger.ts';
import type { App, AppServices, Broadcast, ComposeOptions } from '#main/ipc/types.ts';
import { noSkillApi } from '../no-skills.ts';
import { FakeRuns, type Play } from './fake-runs.ts';
import { playScripts } from './plays.ts';

export interface FakeApp extends App {
  readonly runs: FakeRuns;
  readonly broadcast: Broadcast;
  /** Names and sizes of what was attached. */
  readonly attached: { name: string; size: number }[];
  /** Whether it was disposed. */
  readonly state: { disposed: boolean };
}

/** The app behind an entry point, in memory, for tests of doors and transports. */
export function createFakeApp(
  options: Pick<ComposeOptions, 'dataDir' | 'entryPoint' | 'attended'>,
  play: Play = playScripts,
): FakeApp {
  const listeners = new Set<Broadcast>();
  const broadcast: Broadcast = (notice) => {
    for (const listener of listeners) listener(notice);
  };
  const runs = new FakeRuns({ play, attended: options.attended, broadcast });
  const attached: { name: string; size: number }[] = [];
  const state = { disposed: false };
  return {
    runs,
    broadcast,
    attached,
    state,
    logger: silentLogger,
    services: fakeServices({ options, runs, attached }),
    announce: () => undefined,
    keepSecret: () => undefined,
    onBroadcast: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    [Symbol.asyncDispose]: () => {
      state.disposed = true;
      return Promise.resolve();
    },
  };
}

/** As many as are asked for; the first would drive the terminal. */
function fakeSources(limit: number, provider: SearchProviderName): SearchResult[] {
  const sources = ['\u001b[31mOne', 'Two', 'Three'].map((title, index) => ({
    ...{ url: `https://example.com/${index + 1}`, title, snippet: `About ${index + 1}.` },
    ...{ publishedAt: index === 0 ? '2026-01-31' : null, provider },
  }));
  return sources.slice(0, limit);
}
const EMPTY_LIBRARY: LibraryState = {
  folders: [],
  embeddings: { model: null, state: 'off', passages: 0, embedded: 0, problem: null },
};

interface Parts {
  readonly options: Pick<ComposeOptions, 'dataDir' | 'entryPoint'>;
  readonly runs: FakeRuns;
  readonly attached: { name: string; size: number }[];
}

function fakeServices({ options, runs, attached }: Parts): AppServices {
  let settings = Settings.parse({});
  const secrets = new Map<string, string>();
  return {
    skills: noSkillApi(),
    info: {
      version: '0.0.0',
      entryPoint: options.entryPoint === 'desktop' ? 'desktop' : 'browser',
      platform: process.platform,
      dataDir: options.dataDir,
    },
    egress: { list: () => [] },
    search: {
      try: ({ query, limit, provider = 'brave' }) =>
        query === 'nothing set up'
          ? Promise.reject(new AppError('SEARCH_FAILED', 'No search provider answered.'))
          : Promise.resolve({
              results: fakeSources(limit, provider),
              asked: [provider],
              problems: [],
            }),
    },
    reports: {
      export: async () => {
        throw new AppError('NOT_FOUND', 'This run has no report.');
      },
    },
    plans: {
      get: () => null,
      edit: () => {
        throw new AppError('CONFLICT', 'This run has no plan.');
      },
    },
    runs,
    threads: {
      list: (search) =>
        [...runs.threads.values()].filter((thread) => thread.title.includes(search ?? '')),
      get: (threadId) => {
        const thread = runs.threads.get(threadId);
        if (thread === undefined) throw new AppError('NOT_FOUND', 'There is no such task.');
        return {
          thread,
          messages: [],
          runs: runs.list().filter((run) => run.threadId === threadId),
        };
      },
      rename: () => {
        throw new Error('a bug in a handler');
      },
      remove: (threadId) => {
        runs.threads.delete(threadId);
        return Promise.resolve();
      },
    },
    snapshots: {
      list: () => [],
      restore: () => {
        throw new AppError('NOT_FOUND', 'There is no such snapshot.');
      },
    },
    attachments: {
      add: (name, data) => {
        attached.push({ name, size: data.byteLength });
        const attachmentId = `att_${attached.length}`;
        return Promise.resolve({ attachmentId, name, size: data.byteLength });
      },
    },
    settings: {
      get: () => settings,
      update: (changes) => {
        settings = Settings.parse({ ...settings, ...changes });
        return settings;
      },
    },
    secrets: {
      set: (name, value) => void secrets.set(name, value),
      delete: (name) => void secrets.delete(name),
      names: () => [...secrets.keys()],
      storage: 'in memory',
    },
    library: {
      list: () => EMPTY_LIBRARY,
      add: () => Promise.resolve(EMPTY_LIBRARY),
      remove: () => EMPTY_LIBRARY,
      refresh: () => EMPTY_LIBRARY,
      find: () => Promise.resolve([]),
      settled: () => Promise.resolve(),
    },
    rules: {
      list: () => [],
      put: (rule) => ({ id: 'rule_1', createdAt: 0, ...rule }),
      try: () => ({ decided: 0, of: 0, examples: [] }),
      delete: () => undefined,
    },
    models: {
      listServers: () => Promise.resolve([]),
      profile: (model) => Promise.resolve(unknownProfile(model, 0)),
      check: (model) => Promise.resolve(unknownProfile(model, 0)),
      known: () => [],
      cancelCheck: () => undefined,
      recommend: () => Promise.resolve([]),
      pull: (model) => Promise.resolve(startedPull(model)),
      cancelPull: () => undefined,
      pulls: () => [],
    },
    sandbox: {
      report: () => Promise.resolve([]),
      prepare: (_kind, onProgress) => {
        onProgress('Step 1/1');
        return Promise.resolve();
      },
      forTask: () => {
        throw new AppError('SANDBOX_UNAVAILABLE', 'There is no sandbox here.');
      },
      programs: async () => ({ programs: [], isKnown: true }),
      endPrograms: async () => ({ programs: [], isKnown: true }),
    } satisfies AppServices['sandbox'],
    setupCheck: () =>
      Promise.resolve({
        version: '0.0.0',
        servers: [],
        sandboxes: [],
        items: [
          { id: 'node', label: 'Node', status: 'ok', detail: 'is new enough', remedy: null },
          {
            id: 'browser',
            label: 'Browser',
            status: 'missing',
            detail: 'none',
            remedy: 'Get one.',
          },
        ],
      }),
    exportRun: (runId, file) =>
      writeFile(file, JSON.stringify({ run: runs.get(runId), events: runs.events(runId, 0, 500) })),
    tools: () => [
      {
        name: 'shell_command',
        category: 'code_exec',
        description: 'Runs a command.\nMore.',
        risk: 'high',
        effect: 'opaque',
        parameters: { type: 'object' },
      },
    ],
  };
}
