import type { Run } from '#contract/entities.ts';
import type { PushMessage } from '#contract/requests.ts';
import type { AppBridge } from '../bridge/app-bridge.ts';
import { systemSpeech } from '../bridge/speech.ts';
import { appStrings } from '../strings/app.ts';
import { readAloudStrings } from '../strings/read-aloud.ts';
import { type AppActions, createAppActions } from './app-actions.ts';
import { type AppState, fileKey, initialState, type Route } from './app-state.ts';
import { type ArtifactActions, createArtifactActions } from './artifact-actions.ts';
import { type BrowserActions, createBrowserActions } from './browser-actions.ts';
import { type ActionContext, ask, dismissToast, showToast } from './context.ts';
import { createDraftActions, type DraftActions } from './draft-actions.ts';
import { FileCache } from './file-cache.ts';
import { createImageProgress, type ImageProgress } from './image-progress.ts';
import { createLibraryActions, type LibraryActions } from './library-actions.ts';
import { createLocalModelActions, type LocalModelActions } from './local-model-actions.ts';
import { createModelActions, type ModelActions } from './model-actions.ts';
import { createNetworkActions, type NetworkActions } from './network-actions.ts';
import { createPlanActions, type PlanActions } from './plan-actions.ts';
import { createReadAloud, type ReadAloud } from './read-aloud.ts';
import { createRunActions, type RunActions } from './run-actions.ts';
import { RunFeed } from './run-feed.ts';
import type { RunView } from './run-view.ts';
import { isFinal, openThreadId } from './selectors.ts';
import { createSettingsActions, type SettingsActions } from './settings-actions.ts';
import { createSkillActions, type SkillActions } from './skill-actions.ts';
import { createStore, type Store } from './store.ts';
import {
  createThreadActions,
  dropThread,
  type ThreadActions,
  withRuns,
  withThread,
} from './thread-actions.ts';

/** The window's state and every action of the user. */
export interface Session {
  readonly store: Store<AppState>;
  readonly bridge: AppBridge;
  readonly threads: ThreadActions;
  readonly drafts: DraftActions;
  readonly runs: RunActions;
  readonly settings: SettingsActions;
  readonly models: ModelActions;
  readonly localModels: LocalModelActions;
  readonly network: NetworkActions;
  readonly library: LibraryActions;
  readonly plans: PlanActions;
  readonly skills: SkillActions;
  readonly artifacts: ArtifactActions;
  readonly apps: AppActions;
  readonly browsers: BrowserActions;
  readonly files: FileCache;
  readonly readAloud: ReadAloud;
  readonly imageProgress: ImageProgress;
  /** What is typed into forms and not saved, for as long as the window is open. */
  readonly kept: Store<ReadonlyMap<string, unknown>>;
  /** A file of a task may have changed: what shows it reads it again. */
  rereadFile(threadId: string, path: string): void;
  dismissToast(id: number): void;
  showError(message: string): void;
  /**
   * Loads what the first screen needs, then shows the task or another page, or the first steps the first
   * time.
   */
  start(threadId: string | null, page?: PageRoute | null): Promise<void>;
  /** Shows a page in place of the conversation. */
  showPage(page: PageRoute): void;
  dispose(): void;
}

/** What stands in the middle in place of a conversation, and has an address. */
export type PageRoute = Extract<Route, { kind: 'skills' | 'artifacts' }>;

export interface SessionOptions {
  readonly bridge: AppBridge;
  /** Calls back once per frame of the screen. */
  readonly schedule: (callback: () => void) => void;
}

const BUILD_LINES_KEPT = 500;

export function createSession({ bridge, schedule }: SessionOptions): Session {
  const store = createStore(initialState(bridge.connection.state()));
  const feed = new RunFeed({
    bridge,
    schedule,
    publish: (views) => publishViews(views),
    onProblem: (_runId, message) => showToast(store, 'error', message),
  });
  const context: ActionContext = { bridge, store, feed };
  const threads = createThreadActions(context);
  const settings = createSettingsActions(context);
  const models = createModelActions(context, settings.refreshServers);
  const localModels = createLocalModelActions(context, settings.refreshServers);
  const runs = createRunActions(context, { ...threads, ...models });
  const network = createNetworkActions(context, settings);
  const library = createLibraryActions(context);
  const plans = createPlanActions(context);
  const skills = createSkillActions(context, threads);
  const readAloud = createReadAloud(store, systemSpeech(), () =>
    showToast(store, 'error', readAloudStrings.failed),
  );
  const imageProgress = createImageProgress(store);
  const artifacts = createArtifactActions(context, threads);
  const browsers = createBrowserActions(context);
  const drafts = createDraftActions(context);
  const apps = createAppActions(context, drafts);
  const showPage = (route: PageRoute): void =>
    route.kind === 'artifacts' ? artifacts.show() : skills.show(route.page);

  function publishViews(views: readonly RunView[]): void {
    store.update((state) => {
      const all = new Map(state.views);
      for (const view of views) all.set(view.runId, view);
      return { ...state, views: all };
    });
  }

  function receive(message: PushMessage): void {
    switch (message.kind) {
      case 'events':
        feed.receive(message.runId, message.events);
        endImages(message);
        break;
      case 'run_changed':
        changeRun(message.run);
        break;
      case 'thread_changed':
        store.update((state) => withThread(state, message.thread));
        break;
      case 'thread_deleted':
        dropThread(context, message.threadId, threads.forget);
        artifacts.changed();
        break;
      case 'waiting_changed':
        store.update((state) => ({ ...state, waiting: message.questions }));
        break;
      case 'settings_changed':
        store.update((state) => ({ ...state, settings: message.settings }));
        break;
      case 'egress':
        network.receive(message.connection);
        break;
      case 'library_changed':
        library.receive(message.library);
        break;
      case 'model_check':
        models.receiveCheck(message);
        break;
      case 'model_pull':
        models.receivePull(message.pull);
        break;
      case 'model_download':
        localModels.receive(message.download);
        break;
      case 'data_export':
        store.update((state) => ({ ...state, dataExport: message.export }));
        break;
      case 'plan_changed':
        plans.receive(message.plan);
        break;
      case 'database_damaged':
        showToast(store, 'error', appStrings.databaseDamaged);
        break;
      case 'artifacts_changed':
        artifacts.changed();
        break;
      case 'file_changed':
        rereadFile(message.threadId, message.path);
        break;
      case 'image_progress':
        imageProgress.receive(message.progress);
        break;
      case 'browser_changed':
        browsers.receive(message.browser);
        break;
      case 'app_changed':
        apps.receive(message.app);
        break;
      case 'browser_frame':
        browsers.draw(message.frame);
        break;
      case 'connectors_changed':
        store.update((state) => ({
          ...state,
          connectorsRevision: state.connectorsRevision + 1,
        }));
        break;
      case 'skills_changed':
        skills.changed();
        break;
      case 'sandbox_progress':
        store.update((state) => ({
          ...state,
          buildLines: [...state.buildLines, message.line].slice(-BUILD_LINES_KEPT),
        }));
        break;
    }
  }

  function rereadFile(threadId: string, path: string): void {
    store.update((state) => {
      const savedFiles = new Map(state.savedFiles);
      for (const key of [fileKey(threadId, path), fileKey(threadId, '')]) {
        savedFiles.set(key, (savedFiles.get(key) ?? 0) + 1);
      }
      return { ...state, savedFiles };
    });
  }

  /** Calls that ended make no more progress. */
  function endImages({ runId, events }: Extract<PushMessage, { kind: 'events' }>): void {
    const threadId = store.get().runs.get(runId)?.threadId;
    if (threadId === undefined) return;
    for (const event of events) {
      if (event.type === 'tool_result') imageProgress.ended(threadId, event.toolCallId);
    }
  }

  function changeRun(run: Run): void {
    if (run.status === 'paused' || isFinal(run.status)) imageProgress.rested(run.threadId);
    const before = store.get().runs.get(run.id);
    if (before === undefined) {
      void adoptRun(run.threadId);
      return;
    }
    store.update((state) => withRuns(state, [run]));
    if (run.status !== 'running') runs.rested(run.id);
    if (isFinal(before.status) || !isFinal(run.status)) return;
    runs.runEnded(run.threadId, run.status === 'completed' || run.status === 'unverified');
  }

  /** Another window started a run in a task that this one shows. */
  async function adoptRun(threadId: string): Promise<void> {
    if (store.get().openThreads.get(threadId)?.phase === 'ready') await threads.reload(threadId);
  }

  function reconnected(): void {
    const shown = openThreadId(store.get());
    void threads.refresh();
    void readWaiting();
    skills.changed();
    artifacts.changed();
    if (shown !== null) void threads.reload(shown);
  }

  async function readWaiting(): Promise<void> {
    const data = await ask(context, 'runs.waiting', {});
    if (data !== null) store.update((state) => ({ ...state, waiting: data.questions }));
  }

  const stopPushes = bridge.onEvent(receive);
  const stopConnection = bridge.connection.onChange((connection) => {
    const wasLost = store.get().connection === 'lost';
    store.update((state) => ({ ...state, connection }));
    if (connection === 'open' && wasLost) reconnected();
  });

  return {
    store,
    bridge,
    threads,
    runs,
    settings,
    models,
    localModels,
    network,
    library,
    plans,
    skills,
    artifacts,
    browsers,
    apps,
    showPage,
    files: new FileCache(bridge),
    readAloud,
    imageProgress,
    rereadFile,
    kept: createStore<ReadonlyMap<string, unknown>>(new Map()),
    drafts,
    dismissToast: (id) => dismissToast(store, id),
    showError: (message) => showToast(store, 'error', message),
    start: async (threadId, page = null) => {
      const [info, current] = await Promise.all([
        ask(context, 'app.info', {}),
        ask(context, 'settings.get', {}),
        threads.refresh(),
        readWaiting(),
      ]);
      store.update((state) => ({
        ...state,
        info,
        settings: current?.settings ?? null,
        started: true,
      }));
      // With an invalid policy no step can be taken.
      const isFirst = info?.policy?.state !== 'invalid' && current?.settings.checkupSeen === false;
      if (isFirst && threadId === null) {
        settings.showFirstStart();
        return;
      }
      void settings.refreshServers();
      if (page !== null) showPage(page);
      else await threads.open(threadId);
    },
    dispose: () => {
      stopPushes();
      stopConnection();
      readAloud.dispose();
    },
  };
}
