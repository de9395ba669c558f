import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { AppBuild, AppPart, AppTemplate, TaskApp } from '#contract/apps.ts';
import { AppError } from '#contract/errors.ts';
import type { SandboxChoice } from '#contract/vocabulary.ts';
import { withTimeLimit } from '../base/abort.ts';
import type { Logger } from '../base/logger.ts';
import { once } from '../base/once.ts';
import type { BrowserService } from '../browser/types.ts';
import { type PreviewAddress, PreviewServer } from '../preview/preview-server.ts';
import type { SandboxService, TaskSandbox } from '../sandbox/types.ts';
import type { StoredApp, TaskAppStore } from '../storage/task-app-store.ts';
import { type AppReport, checkApp, noApp } from './check-app.ts';
import { DevServer } from './dev-server.ts';
import { buildApp } from './export/build-app.ts';
import { BuildSlot } from './export/build-slot.ts';
import { type AppZip, zipApp } from './export/zip-app.ts';
import { plainFolder, productionScripts, serverCommand } from './project-folder.ts';
import { ServerLog } from './server-log.ts';
import { TemplatePacks } from './template-packs.ts';
import { type TemplateFile, templateFiles } from './templates.ts';
import type { AppCheckWish, AppService, ServerWish } from './types.ts';
import { readsOf, untilNoticed } from './until-noticed.ts';

export interface TaskAppsParts {
  /** The app's own folder. */
  readonly root: string;
  /** The folder that every sandbox sees as `/opt/hyperagent`. */
  readonly insideDir: string;
  readonly sandbox: Pick<SandboxService, 'forTask'>;
  /** The sandbox of a task: of its newest run, or of the settings. */
  readonly choiceOf: (threadId: string) => SandboxChoice;
  readonly store: TaskAppStore;
  /** The window's own page, as sources of a content security policy. */
  readonly framedBy: readonly string[];
  readonly logger: Logger;
  readonly checkPage: BrowserService['check'];
  readonly onChange: (app: TaskApp) => void;
  /** After so long without use, a server is stopped; 30 minutes unless given. */
  readonly idleMs?: number;
  /** How long a start is waited for, in ms. */
  readonly startMs?: number;
}

const IDLE_MS = 30 * 60_000;
const START_MS = 60_000;
/** Commands of shells that nothing else uses. */
const SHELLS = { server: 'app', build: 'app-build' } as const;

interface OpenApp {
  readonly log: ServerLog;
  readonly build: BuildSlot;
  server: DevServer | null;
  /** What the running server was started with. */
  started: string | null;
  preview: PreviewServer | null;
  /** The port that is shown; null for the first that answers. */
  shown: number | null;
  idle: NodeJS.Timeout | null;
  /** Callers that wait for its start; while there are any, it is not idle. */
  waiting: number;
  /** One start or stop after the other. */
  queue: Promise<unknown>;
}

/** See `AppService`. */
export class TaskApps implements AppService {
  readonly #parts: TaskAppsParts;
  readonly #packs: TemplatePacks;
  readonly #open = new Map<string, OpenApp>();
  readonly #report: () => Promise<Buffer>;
  readonly #pageCheck: () => Promise<Buffer>;
  #isDisposed = false;

  constructor(parts: TaskAppsParts) {
    this.#parts = parts;
    this.#packs = new TemplatePacks(parts);
    const script = (name: string) =>
      once(() => readFile(path.join(parts.root, 'resources', 'preview', name)));
    this.#report = script('report.js');
    this.#pageCheck = script('page-check.js');
  }

  state(threadId: string): TaskApp {
    const stored = this.#parts.store.get(threadId);
    const open = this.#open.get(threadId);
    const server = open?.server?.state ?? { kind: 'stopped' as const };
    const ports = server.kind === 'running' ? server.ports : [];
    const first = ports.filter((port) => port === open?.shown);
    return {
      threadId,
      folder: stored?.folder ?? null,
      template: stored?.template ?? null,
      server: server.kind,
      comesBack: stored?.comesBack ?? false,
      previewUrl: server.kind === 'running' ? (open?.preview?.url ?? null) : null,
      ports: [...new Set([...first, ...ports])],
      problem: 'problem' in server ? (server.problem ?? null) : null,
      build: open?.build.state ?? null,
    };
  }

  async files(template: AppTemplate, title: string): Promise<readonly TemplateFile[]> {
    return await templateFiles(this.#parts.root, template, title);
  }

  async made(
    threadId: string,
    { folder, template }: { readonly folder: string; readonly template: AppTemplate },
  ): Promise<void> {
    const stored = this.#parts.store.get(threadId);
    // A task has one app: the server of another folder would be shown under the name of this one.
    if (stored !== null && stored.folder !== folder) await this.#end(threadId);
    const address = stored?.address ?? null;
    this.#put(threadId, { folder, template, command: null, comesBack: false, address });
    this.#changed(threadId);
  }

  async start(threadId: string, wish: ServerWish | null, signal: AbortSignal): Promise<TaskApp> {
    const open = this.#opened(threadId);
    const server = await this.#inTurn(open, () => this.#start(threadId, open, wish));
    open.waiting += 1;
    try {
      await server.settled(withTimeLimit(signal, this.#parts.startMs ?? START_MS));
    } finally {
      open.waiting -= 1;
      this.use(threadId);
    }
    signal.throwIfAborted();
    return this.state(threadId);
  }

  async stop(threadId: string): Promise<TaskApp> {
    const stored = this.#parts.store.get(threadId);
    if (stored !== null) this.#put(threadId, { ...stored, comesBack: false });
    await this.#end(threadId);
    return this.state(threadId);
  }

  async whileStopped<Result>(threadId: string, work: () => Promise<Result>): Promise<Result> {
    const { store, logger } = this.#parts;
    if (store.get(threadId) === null) return await work();
    const open = this.#opened(threadId);
    return await this.#inTurn(open, async () => {
      const wasStarted = open.server !== null;
      await this.#endServer(open);
      if (wasStarted) this.#changed(threadId);
      try {
        return await work();
      } finally {
        // Unless the user stopped it meanwhile.
        if (wasStarted && store.get(threadId)?.comesBack === true) {
          this.start(threadId, null, new AbortController().signal).catch((error) =>
            logger.warn('The server of an app did not start again', { threadId, error }),
          );
        }
      }
    });
  }

  async stale(threadId: string, signal: AbortSignal): Promise<readonly string[]> {
    const [app, preview] = [this.state(threadId), this.preview(threadId)];
    if (app.folder === null || preview === null) return [];
    const { workspace } = this.#sandboxOf(threadId);
    return await untilNoticed({
      ...{
        folder: app.folder,
        files: workspace.withoutLinks(),
        preview,
        signal,
        recentMs: Number.POSITIVE_INFINITY,
      },
      touch: (path) => workspace.touch(path),
      since: () => this.#open.get(threadId)?.server?.since ?? null,
      reads: readsOf(app.template),
    });
  }

  show(threadId: string, port: number): TaskApp {
    const { ports } = this.state(threadId);
    const open = this.#open.get(threadId);
    if (open === undefined || !ports.includes(port)) {
      throw new AppError('BAD_REQUEST', `Nothing answers on port ${port} of this app.`);
    }
    open.shown = port;
    this.#changed(threadId);
    return this.state(threadId);
  }

  log(threadId: string, lines?: number): string {
    return this.#open.get(threadId)?.log.text(lines) ?? '';
  }

  async check(threadId: string, wish: AppCheckWish): Promise<AppReport> {
    const app = this.state(threadId);
    if (app.folder === null) throw noApp();
    this.use(threadId);
    return await checkApp({
      ...{ ...wish, app, preview: this.preview(threadId), checkPage: this.#parts.checkPage },
      script: String(await this.#pageCheck()),
      log: this.#opened(threadId).log,
      since: () => this.#open.get(threadId)?.server?.since ?? null,
    });
  }

  async build(threadId: string, signal: AbortSignal): Promise<TaskApp> {
    const stored = this.#parts.store.get(threadId);
    if (stored === null) throw noApp();
    if (this.#isDisposed) throw new AppError('CANCELLED', 'The app is closing.');
    await this.#opened(threadId).build.run(
      (stopped, started) => this.#build({ threadId, stored, started }, stopped),
      { signal, onChange: () => this.#changed(threadId) },
    );
    return this.state(threadId);
  }

  async cancelBuild(threadId: string): Promise<TaskApp> {
    await this.#open.get(threadId)?.build.cancel();
    return this.state(threadId);
  }

  async zip(
    threadId: string,
    part: AppPart,
    target: Parameters<AppService['zip']>[2],
  ): Promise<AppZip> {
    const stored = this.#parts.store.get(threadId);
    if (stored === null) throw noApp();
    const { workspace } = this.#sandboxOf(threadId);
    const { folder } = stored;
    const { write, signal } = target;
    return await zipApp(write, { workspace, folder, part, now: Date.now(), signal });
  }

  use(threadId: string): void {
    const open = this.#open.get(threadId);
    if (open?.server == null) return;
    if (open.idle !== null) clearTimeout(open.idle);
    const end = (): void => {
      if (open.waiting > 0 || open.preview?.isInUse === true) {
        this.use(threadId);
        return;
      }
      this.#end(threadId).catch((error) =>
        this.#parts.logger.warn('The server of an app was not stopped', { threadId, error }),
      );
    };
    open.idle = setTimeout(end, this.#parts.idleMs ?? IDLE_MS).unref();
  }

  preview(threadId: string): ReturnType<AppService['preview']> {
    const preview = this.#open.get(threadId)?.preview;
    return preview == null ? null : { host: preview.host, connect: () => preview.connect() };
  }

  async close(threadId: string): Promise<void> {
    await this.cancelBuild(threadId);
    await this.#end(threadId);
    this.#open.delete(threadId);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isDisposed = true;
    await Promise.allSettled([...this.#open.keys()].map((threadId) => this.close(threadId)));
  }

  async #start(threadId: string, open: OpenApp, wish: ServerWish | null): Promise<DevServer> {
    if (this.#isDisposed) throw new AppError('CANCELLED', 'The app is closing.');
    const stored = this.#parts.store.get(threadId);
    const folder = wish === null ? stored?.folder : plainFolder(wish.folder);
    if (folder === undefined) throw noApp();
    const isSame = stored?.folder === folder;
    const own = wish?.command ?? (isSame ? stored.command : null);
    const task = this.#sandboxOf(threadId);
    const command = own ?? (await serverCommand(task.workspace, folder));
    const started = JSON.stringify([folder, command]);
    const known = open.server;
    const runs = known?.state.kind === 'running' || known?.state.kind === 'starting';
    if (known !== null && runs && open.started === started && wish?.restart !== true) return known;
    await this.#endServer(open);
    const template = isSame ? (stored?.template ?? null) : null;
    const packages = template === null ? null : await this.#packs.ensure(template);
    open.preview ??= await this.#openPreview(threadId, open, stored?.address ?? null);
    const { address } = open.preview;
    this.#put(threadId, { folder, template, command: own, comesBack: true, address });
    open.log.clear();
    open.started = started;
    open.shown = null;
    const server = new DevServer({
      shell: task.shell(SHELLS.server),
      script: { folder, command, packages },
      log: open.log,
      onChange: () => {
        if (open.server === server) this.#changed(threadId);
      },
    });
    open.server = server;
    this.use(threadId);
    this.#changed(threadId);
    return server;
  }

  async #build(
    { threadId, stored, started }: { threadId: string; stored: StoredApp; started: () => void },
    signal: AbortSignal,
  ): Promise<AppBuild> {
    const task = this.#sandboxOf(threadId);
    const { folder, template } = stored;
    const scripts = await productionScripts(task.workspace.withoutLinks(), folder);
    started();
    const { checkPage, startMs = START_MS } = this.#parts;
    const packages = template === null ? null : await this.#packs.ensure(template);
    const [reportScript, checking] = await Promise.all([this.#report(), this.#pageCheck()]);
    const checkScript = String(checking);
    return await buildApp({
      ...{ folder, scripts, packages, checkPage, reportScript, checkScript, startMs, signal },
      shell: task.shell(SHELLS.build),
    });
  }

  async #openPreview(
    threadId: string,
    open: OpenApp,
    address: PreviewAddress | null,
  ): Promise<PreviewServer> {
    return await PreviewServer.open({
      framedBy: this.#parts.framedBy,
      reportScript: await this.#report(),
      ...(address === null ? {} : { address }),
      target: () => {
        const { server } = open;
        const [port] = this.state(threadId).ports;
        if (server === null || port === undefined) return null;
        return { port, connect: () => server.connect(port) };
      },
      onUse: () => this.use(threadId),
    });
  }

  #sandboxOf(threadId: string): TaskSandbox {
    return this.#parts.sandbox.forTask(threadId, this.#parts.choiceOf(threadId));
  }

  /** Stops the server and closes its preview, whose address stays its own. */
  async #end(threadId: string): Promise<void> {
    const open = this.#open.get(threadId);
    if (open === undefined) return;
    await this.#inTurn(open, async () => {
      if (open.idle !== null) clearTimeout(open.idle);
      open.idle = null;
      await this.#endServer(open);
      await open.preview?.[Symbol.asyncDispose]();
      open.preview = null;
    });
    this.#changed(threadId);
  }

  async #endServer(open: OpenApp): Promise<void> {
    const { server } = open;
    open.server = null;
    open.started = null;
    await server?.[Symbol.asyncDispose]();
  }

  #inTurn<T>(open: OpenApp, work: () => Promise<T>): Promise<T> {
    const turn = open.queue.then(work);
    // The caller gets the failure; the next in the queue still runs.
    open.queue = turn.catch(() => undefined);
    return turn;
  }

  #opened(threadId: string): OpenApp {
    const known = this.#open.get(threadId);
    if (known !== undefined) return known;
    const none = { server: null, started: null, preview: null, shown: null, idle: null };
    const rest = { log: new ServerLog(), build: new BuildSlot(), queue: Promise.resolve() };
    const open: OpenApp = { ...none, ...rest, waiting: 0 };
    this.#open.set(threadId, open);
    return open;
  }

  #put(threadId: string, app: StoredApp): void {
    const isOther = this.#parts.store.get(threadId)?.folder !== app.folder;
    if (isOther) this.#open.get(threadId)?.build.clear();
    this.#parts.store.put(threadId, app);
  }

  #changed(threadId: string): void {
    if (!this.#isDisposed) this.#parts.onChange(this.state(threadId));
  }
}
