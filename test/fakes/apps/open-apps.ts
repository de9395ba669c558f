import { mkdtemp, rm } from 'node:fs/promises';
import { homedir } from 'node:os';
import path from 'node:path';
import type { AppTemplate, TaskApp } from '#contract/apps.ts';
import { Settings } from '#contract/settings.ts';
import type { AppReport } from '#main/apps/check-app.ts';
import { TaskApps } from '#main/apps/task-apps.ts';
import { systemClock } from '#main/base/clock.ts';
import { silentLogger } from '#main/base/logger.ts';
import type { BrowserService, PageStep } from '#main/browser/types.ts';
import { insideFolder } from '#main/sandbox/inside-files.ts';
import { BubblewrapProvider } from '#main/sandbox/os-provider/bubblewrap-provider.ts';
import type { SandboxProvider, TaskSandbox } from '#main/sandbox/types.ts';
import { UnifiedSandboxManager } from '#main/sandbox/unified-sandbox-manager.ts';
import type { StoredApp } from '#main/storage/task-app-store.ts';
import { memoryProofStore } from '../../main/sandbox/fake-provider.ts';
import { providerParts } from '../../main/sandbox/provider-parts.ts';
import { openBrowsers } from '../browser/open-browsers.ts';

export interface OpenAppsOptions {
  readonly provider?: (dir: string) => SandboxProvider;
  readonly idleMs?: number;
  readonly startMs?: number;
  readonly framedBy?: readonly string[];
}

export interface OpenApps extends AsyncDisposable {
  readonly apps: TaskApps;
  readonly browsers: BrowserService;
  readonly manager: UnifiedSandboxManager;
  readonly states: readonly TaskApp[];
  readonly stored: ReadonlyMap<string, StoredApp>;
  sandbox(threadId: string): TaskSandbox;
  write(threadId: string, files: Readonly<Record<string, string>>): Promise<void>;
  /** Writes a template with these files over it, in the folder `app`. */
  make(
    threadId: string,
    template: AppTemplate,
    files?: Readonly<Record<string, string>>,
  ): Promise<void>;
  start(threadId: string): Promise<TaskApp>;
  check(threadId: string, steps?: readonly PageStep[]): Promise<AppReport>;
}

const ROOT = path.resolve(import.meta.dirname, '../../..');

/** Apps over the real sandbox of this computer and its real browser; what is stored is in memory. */
export async function openApps(options: OpenAppsOptions = {}): Promise<OpenApps> {
  const { provider = (dir: string) => new BubblewrapProvider(providerParts(dir)) } = options;
  const dir = await mkdtemp(path.join(homedir(), '.hyperagent-test-'));
  const manager = new UnifiedSandboxManager({
    providers: [provider(dir)],
    workspaceDir: (taskId) => path.join(dir, 'workspaces', taskId),
    proofs: memoryProofStore(),
    settings: () => Settings.parse({}),
    clock: systemClock,
    logger: silentLogger,
  });
  const states: TaskApp[] = [];
  const stored = new Map<string, StoredApp>();
  const { framedBy = ['http://127.0.0.1:*'], idleMs, startMs } = options;
  const opened: { apps?: TaskApps } = {};
  const bench = await openBrowsers({
    previewOf: (threadId) => opened.apps?.preview(threadId) ?? null,
  });
  const apps = new TaskApps({
    ...{ root: ROOT, sandbox: manager, logger: silentLogger, framedBy },
    insideDir: insideFolder(providerParts(dir).stateDir),
    choiceOf: () => 'auto',
    store: {
      get: (threadId) => stored.get(threadId) ?? null,
      put: (threadId, app) => void stored.set(threadId, app),
    },
    checkPage: (wish) => bench.browsers.check(wish),
    onChange: (app) => states.push(app),
    ...(idleMs === undefined ? {} : { idleMs }),
    ...(startMs === undefined ? {} : { startMs }),
  });
  opened.apps = apps;
  const sandbox = (threadId: string): TaskSandbox => manager.forTask(threadId, 'auto');
  const write: OpenApps['write'] = async (threadId, files) => {
    const { workspace } = sandbox(threadId);
    for (const [file, content] of Object.entries(files)) await workspace.write(file, content);
  };
  return {
    ...{ apps, browsers: bench.browsers, manager, states, stored, sandbox, write },
    make: async (threadId, template, files = {}) => {
      const all = await apps.files(template, 'Test app');
      const own = Object.entries(files).map(([file, content]) => [`app/${file}`, content] as const);
      const base = all.map(({ path: file, content }) => [`app/${file}`, content] as const);
      await write(threadId, Object.fromEntries([...base, ...own]));
      await apps.made(threadId, { folder: 'app', template });
    },
    start: (threadId) => apps.start(threadId, null, new AbortController().signal),
    check: async (threadId, steps = []) => {
      const { signal } = new AbortController();
      const runtime = await sandbox(threadId).runtime({ signal, onProgress: () => undefined });
      const files = sandbox(threadId).workspace.withoutLinks();
      const touch = (file: string): Promise<void> => sandbox(threadId).workspace.touch(file);
      return await apps.check(threadId, { files, touch, runtime, steps, signal });
    },
    [Symbol.asyncDispose]: async () => {
      await apps[Symbol.asyncDispose]();
      await bench[Symbol.asyncDispose]();
      await manager[Symbol.asyncDispose]();
      await rm(dir, { recursive: true, force: true });
    },
  };
}
