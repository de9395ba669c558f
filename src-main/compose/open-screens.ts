import path from 'node:path';
import type { Settings } from '#contract/settings.ts';
import type { Broadcast } from '../api/types.ts';
import { AppStates } from '../apps/app-states.ts';
import { TaskApps } from '../apps/task-apps.ts';
import type { Clock } from '../base/clock.ts';
import type { DisposalStack } from '../base/disposable.ts';
import type { Logger } from '../base/logger.ts';
import { ChromiumBrowsers } from '../browser/chromium-browsers.ts';
import { findBrowser } from '../browser/find-browser.ts';
import { MASK } from '../browser/private-values.ts';
import type { AppEgress } from '../egress/app-egress.ts';
import type { PolicyLimits } from '../policy/limits.ts';
import { turnOfRun } from '../run/new-run.ts';
import { insideFolder } from '../sandbox/inside-files.ts';
import type { WorkspaceSnapshots } from '../sandbox/snapshots/workspace-snapshots.ts';
import type { SandboxService } from '../sandbox/types.ts';
import type { DataStores } from '../storage/open-stores.ts';
import type { ComposeOptions } from './app.ts';

export interface ScreenParts {
  readonly root: string;
  readonly stores: Pick<
    DataStores,
    'paths' | 'runStores' | 'taskApps' | 'snapshots' | 'appPictures'
  >;
  readonly snapshots: Pick<WorkspaceSnapshots, 'changedSinceNewest'>;
  readonly egress: AppEgress;
  readonly sandbox: SandboxService;
  readonly settings: () => Settings;
  readonly limits: Pick<PolicyLimits, 'settings'>;
  readonly broadcast: Broadcast;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly closing: DisposalStack;
}

/** The page of the window: the desktop app's own scheme, or a port of this computer that is known only later. */
const WINDOWS: Readonly<Record<ComposeOptions['entryPoint'], readonly string[]>> = {
  desktop: ['app:'],
  browser: ['http://127.0.0.1:*', 'http://localhost:*'],
  terminal: [],
};

/** What a task shows beside its conversation: its app, and its browser. Windows see every change of them. */
export function openScreens(
  { entryPoint }: ComposeOptions,
  parts: ScreenParts,
): {
  readonly apps: TaskApps;
  readonly appStates: AppStates;
  readonly browsers: ChromiumBrowsers;
} {
  const { root, stores, egress, sandbox, settings, limits } = parts;
  const { broadcast, clock, logger, closing } = parts;
  const { events, runs } = stores.runStores;
  const apps = new TaskApps({
    ...{ root, sandbox, logger },
    insideDir: insideFolder(stores.paths.sandbox),
    choiceOf: (threadId) =>
      limits.settings.locked.sandbox ??
      runs.listOfThread(threadId).at(-1)?.options.sandbox ??
      settings().sandbox,
    store: stores.taskApps,
    framedBy: WINDOWS[entryPoint],
    checkPage: (wish) => browsers.check(wish),
    onChange: (app) => {
      broadcast({ kind: 'app_changed', app });
      appStates.appChanged(app);
    },
  });
  const browsers = new ChromiumBrowsers({
    ...{ clock, logger },
    findBrowser: () => findBrowser(),
    resourcesDir: path.join(root, 'resources', 'browser'),
    userEgress: () => egress.appClient('browser', [], { byUser: false }),
    previewOf: (threadId) => apps.preview(threadId),
    lastPage: (runId) => {
      const url = events.newestPage(runId);
      // What the user typed is in no log, and so this is not where the page was.
      return url === null || url.includes(MASK) ? null : url;
    },
    onChange: (browser) => broadcast({ kind: 'browser_changed', browser }),
  });
  const appStates = new AppStates({
    ...{ apps, logger, snapshots: stores.snapshots, pictures: stores.appPictures },
    changedSinceNewest: (threadId) => parts.snapshots.changedSinceNewest(threadId),
    messages: stores.runStores.messages,
    turnOf: (runId) => turnOfRun(runs, runId),
    takePicture: (wish) => browsers.picture(wish),
    onChange: (app) => broadcast({ kind: 'app_changed', app }),
  });
  closing.add(() => apps[Symbol.asyncDispose]());
  closing.add(() => browsers[Symbol.asyncDispose]());
  closing.add(() => appStates[Symbol.asyncDispose]());
  return { apps, appStates, browsers };
}
