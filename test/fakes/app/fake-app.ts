import { statSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { AppError } from '#contract/errors.ts';
import type { LibraryState } from '#contract/library.ts';
import { startedPull, unknownProfile } from '#contract/models.ts';
import { REQUESTS } from '#contract/requests.ts';
import type { SearchProviderName, SearchResult } from '#contract/search.ts';
import { Settings } from '#contract/settings.ts';
import type { Api } from '#main/api/create-api.ts';
import type { Broadcast, Requests, Subscriber } from '#main/api/types.ts';
import { silentLogger } from '#main/base/logger.ts';
import type { App, ComposeOptions } from '#main/compose/app.ts';
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

/** A window to which nothing is pushed. */
export const fakeCaller: Subscriber = {
  closed: new AbortController().signal,
  subscribe: () => undefined,
  unsubscribe: () => undefined,
  showFrame: () => undefined,
};

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
    api: fakeApi({ options, runs, attached, broadcast }),
    attachFile: async ({ name, path }) => {
      attached.push({ name, size: statSync(path).size });
      return { attachmentId: `att_${attached.length}`, picture: null };
    },
    library: { settled: () => Promise.resolve() },
    taskIndex: { settled: () => Promise.resolve(), left: 0 },
    modelProfiles: () => [],
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
    exportRun: (runId, file) =>
      writeFile(file, JSON.stringify({ run: runs.get(runId), events: runs.events(runId, 0, 500) })),
    dataExporter: {
      toFile: async (file) => {
        await writeFile(file, 'a zip file');
        return { doneTasks: 1, tasks: 1, files: 2, bytes: 10, leftOut: 0 };
      },
      takeDownload: (path) =>
        path !== '/export/ticket'
          ? null
          : { fileName: 'all.zip', send: (write) => write(Buffer.from('a zip file')) },
    },
    apps: {
      zip: () => Promise.reject(new Error('This app has no apps')),
    },
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
  readonly broadcast: Broadcast;
}

/** What tests of entry points and transports ask for. */
function fakeApi({ options, runs, attached, broadcast }: Parts): Api {
  let settings = Settings.parse({});
  const secrets = new Map<string, string>();
  const known = {
    'app.info': () => ({
      version: '0.0.0',
      entryPoint: options.entryPoint === 'desktop' ? 'desktop' : 'browser',
      platform: process.platform,
      dataDir: options.dataDir,
      policy: null,
    }),
    'setup.check': () =>
      Promise.resolve({
        version: '0.0.0',
        verdict: {
          ready: false,
          text: 'Not ready: no model was found, do: run hyperagent setup',
        },
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
    ...runs.requests,
    'threads.list': ({ search = '' }) => ({
      threads: [...runs.threads.values()].filter(({ title }) => title.includes(search)),
    }),
    'threads.get': ({ threadId }) => {
      const thread = runs.threads.get(threadId);
      if (thread === undefined) throw new AppError('NOT_FOUND', 'There is no such task.');
      return {
        thread,
        messages: [],
        runs: runs.list().filter((run) => run.threadId === threadId),
      };
    },
    'threads.mark': () => {
      throw new AppError('NOT_FOUND', 'There is no such task.');
    },
    'threads.export': async ({ format }) => ({
      fileName: `task.${format}`,
      mimeType: 'text/plain',
      data: '',
    }),
    'threads.search': () => ({ results: [], notIndexed: 0 }),
    'usage.get': async () => ({ all: [], recent: [] }),
    'threads.rename': () => {
      throw new Error('a bug in a handler');
    },
    'threads.delete': ({ threadId }) => {
      runs.threads.delete(threadId);
      return Promise.resolve({});
    },
    'attachments.add': ({ name, data }) => {
      const size = Buffer.from(data, 'base64').byteLength;
      attached.push({ name, size });
      return Promise.resolve({ attachmentId: `att_${attached.length}`, name, size, picture: null });
    },
    'plans.get': () => ({ plan: null }),
    'plans.edit': () => {
      throw new AppError('CONFLICT', 'This run has no plan.');
    },
    'reports.export': async () => {
      throw new AppError('NOT_FOUND', 'This run has no report.');
    },
    'snapshots.list': () => ({ snapshots: [] }),
    'snapshots.restore': () => {
      throw new AppError('NOT_FOUND', 'There is no such snapshot.');
    },
    'settings.get': () => ({ settings }),
    'settings.update': ({ changes }) => {
      settings = Settings.parse({ ...settings, ...changes });
      return { settings };
    },
    'secrets.set': ({ name, value }) => {
      secrets.set(name, value);
      return {};
    },
    'secrets.delete': ({ name }) => {
      secrets.delete(name);
      return {};
    },
    'secrets.list': () => ({ names: [...secrets.keys()], storage: 'in memory' }),
    'rules.list': () => ({ rules: [] }),
    'rules.put': ({ rule }) => ({ rule: { id: 'rule_1', createdAt: 0, ...rule } }),
    'rules.try': () => ({ decided: 0, of: 0, examples: [] }),
    'rules.delete': () => ({}),
    'models.list': () => Promise.resolve({ servers: [] }),
    'models.profile': ({ model }) => Promise.resolve({ profile: unknownProfile(model, 0) }),
    'models.check': ({ model }) => Promise.resolve({ profile: unknownProfile(model, 0) }),
    'models.cancelCheck': () => ({}),
    'models.recommend': () => Promise.resolve({ recommendations: [] }),
    'models.pull': ({ model }) => Promise.resolve({ pull: startedPull(model) }),
    'models.cancelPull': () => ({}),
    'models.pulls': () => ({ pulls: [] }),
    'sandbox.status': () => Promise.resolve({ sandboxes: [] }),
    'sandbox.build': () => {
      broadcast({ kind: 'sandbox_progress', line: 'Step 1/1' });
      return Promise.resolve({});
    },
    'sandbox.programs': () => Promise.resolve({ programs: [], isKnown: true }),
    'sandbox.endPrograms': () => Promise.resolve({}),
    'folders.get': () => ({ folder: null }),
    'files.list': () => {
      throw new AppError('SANDBOX_UNAVAILABLE', 'There is no sandbox here.');
    },
    'egress.list': () => ({ connections: [] }),
    'library.list': () => EMPTY_LIBRARY,
    'library.add': () => Promise.resolve(EMPTY_LIBRARY),
    'library.remove': () => EMPTY_LIBRARY,
    'library.refresh': () => EMPTY_LIBRARY,
    'library.search': () => Promise.resolve({ hits: [] }),
    'search.try': ({ query, limit, provider = 'brave' }) =>
      query === 'nothing set up'
        ? Promise.reject(new AppError('SEARCH_FAILED', 'No search provider answered.'))
        : Promise.resolve({
            results: fakeSources(limit, provider),
            asked: [provider],
            problems: [],
          }),
  } satisfies Partial<Requests>;
  return { ...NOT_HERE, ...known };
}

/** Every request, each of which fails: for those that no test of entry points makes. */
const NOT_HERE = Object.fromEntries(
  Object.keys(REQUESTS).map((name) => [
    name,
    () => {
      throw new Error(`The fake app has no ${name}`);
    },
  ]),
) as unknown as Api;
