import { mkdir, rm } from 'node:fs/promises';
import path from 'node:path';
import type { Browser } from 'playwright-core';
import type { BrowserInput, BrowserSelection, BrowserState } from '#contract/browser.ts';
import { AppError } from '#contract/errors.ts';
import type { Clock } from '../base/clock.ts';
import type { Logger } from '../base/logger.ts';
import { closedEgress } from '../egress/closed-egress.ts';
import type { EgressClient } from '../egress/types.ts';
import { shortReason } from './action-failed.ts';
import { browserEnvironment } from './browser-environment.ts';
import {
  makeBrowserFolder,
  noteProfile,
  removeLeftoverFolders,
  START_MS,
} from './browser-folder.ts';
import { BrowserProxy } from './browser-proxy.ts';
import { checkBrowserProgram, killGroup } from './check-browser-program.ts';
import { checkPage } from './check-page.ts';
import { ChromiumTask } from './chromium-task.ts';
import { installHint } from './find-browser.ts';
import { inTime } from './in-time.ts';
import {
  CLOSE_MS,
  type ContextWish,
  type OpenContext,
  openContext,
  type Running,
} from './open-context.ts';
import { pagePicture } from './page-picture.ts';
import { registerPageScript } from './page-script.ts';
import type { OwnPreview } from './preview-egress.ts';
import { PageRenderer } from './render-page.ts';
import type { SignIn } from './sign-in.ts';
import type {
  BrowserDestination,
  BrowserService,
  FrameViewer,
  GivenFiles,
  HandBack,
  PageCheck,
  PageCheckWish,
  PagePictureWish,
  RenderedPage,
  RenderOptions,
  TaskBrowser,
} from './types.ts';

export interface BrowsersParts {
  /** Null where there is none on this computer. */
  readonly findBrowser: () => Promise<string | null>;
  /** `resources/browser`. */
  readonly resourcesDir: string;
  /** The network of the user's own browsing, while no run is active. */
  readonly userEgress: () => EgressClient;
  /** The preview of the app of a task; null where none is open. */
  readonly previewOf?: (threadId: string) => OwnPreview | null;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly onChange: (state: BrowserState) => void;
  /** The page that a run was at when it was cut off; null for none. */
  readonly lastPage: (runId: string) => string | null;
  /** After so long without use, the browser of a task ends; 30 minutes unless given. */
  readonly idleMs?: number;
}

const IDLE_MS = 30 * 60_000;

/**
 * What browsers do by themselves: asking their maker about forms, pages and searches, hints, experiments. Chromium
 * takes one list only, so Playwright's own is part of it.
 */
const FEATURES_OFF: readonly string[] = [
  ...[
    'AutofillServerCommunication',
    'WebRtcHideLocalIpsWithMdns',
    'OptimizationHints',
    'OptimizationGuideModelDownloading',
  ],
  ...['NetworkTimeServiceQuerying', 'PreconnectToSearch', 'AimEnabled', 'MediaRouter', 'Translate'],
  ...['InterestFeedContentSuggestions', 'CertificateTransparencyComponentUpdater', 'LensOverlay'],
  ...['AvoidUnnecessaryBeforeUnloadCheckSync', 'DestroyProfileOnBrowserClose', 'PaintHolding'],
  ...['HttpsUpgrades', 'HttpsFirstBalancedModeAutoEnable', 'AvoidCorsURLLoaderRestartOnRedirect'],
  ...['TcpPortRandomizationWin', 'msForceBrowserSignIn'],
  'msEdgeUpdateLaunchServicesPreferredVersion',
];

/**
 * A middle click pastes nothing: what is selected in a page is on a clipboard that all tasks share. One list only, as
 * above: Playwright's own says that there is a mouse.
 */
const BLINK_SETTINGS: readonly string[] = [
  ...['primaryHoverType=2', 'availableHoverTypes=2'],
  ...['primaryPointerType=4', 'availablePointerTypes=4'],
  'middleClickPasteAllowed=false',
];

/**
 * What the system's browser is started with, besides Playwright's own flags. Its own sandbox stays on. It looks up no
 * names, sends nothing past its proxy (WebRTC included), and asks for no permissions.
 */
const FLAGS: readonly string[] = [
  `--disable-features=${FEATURES_OFF.join(',')}`,
  '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1',
  '--webrtc-ip-handling-policy=disable_non_proxied_udp',
  '--disable-quic',
  '--no-pings',
  '--deny-permission-prompts',
  '--dns-prefetch-disable',
  `--blink-settings=${BLINK_SETTINGS.join(',')}`,
];

/** The system's Chrome, Edge or Chromium: one process, started with the first page and ended with the last. */
export class ChromiumBrowsers implements BrowserService {
  readonly #parts: BrowsersParts;
  readonly #tasks = new Map<string, ChromiumTask>();
  readonly #idle = new Map<string, NodeJS.Timeout>();
  readonly #renderer = new PageRenderer((wish) => this.#openContext(wish));
  #running: Promise<Running> | null = null;
  #isDisposed = false;

  constructor(parts: BrowsersParts) {
    this.#parts = parts;
  }

  forTask(threadId: string): TaskBrowser {
    return this.#task(threadId);
  }

  render(url: string, options: RenderOptions): Promise<RenderedPage> {
    return this.#renderer.render(url, options);
  }

  check(wish: PageCheckWish): Promise<PageCheck> {
    return checkPage((context) => this.#openContext(context), wish);
  }

  picture(wish: PagePictureWish): Promise<Uint8Array> {
    return pagePicture((context) => this.#openContext(context), wish);
  }

  state(threadId: string): BrowserState {
    return this.#task(threadId).state();
  }

  watch(threadId: string, viewer: FrameViewer): void {
    this.#task(threadId).live.watch(viewer);
  }

  unwatch(threadId: string, viewer: FrameViewer): void {
    this.#tasks.get(threadId)?.live.unwatch(viewer);
  }

  drawn(threadId: string, number: number, viewer: FrameViewer): void {
    this.#tasks.get(threadId)?.live.drawn(number, viewer);
  }

  async take(threadId: string): Promise<BrowserState> {
    const task = this.#task(threadId);
    await task.take();
    return task.state();
  }

  async handBack(threadId: string, how?: HandBack): Promise<BrowserState> {
    const task = this.#task(threadId);
    await task.handBack(how);
    return task.state();
  }

  async input(threadId: string, inputs: readonly BrowserInput[]): Promise<void> {
    await this.#task(threadId).user.input(inputs);
  }

  selection(threadId: string): Promise<BrowserSelection> {
    return this.#task(threadId).user.selection();
  }

  async giveFiles(threadId: string, given: GivenFiles): Promise<BrowserState> {
    const task = this.#task(threadId);
    await task.user.giveFiles(given);
    return task.state();
  }

  async go(threadId: string, to: BrowserDestination): Promise<BrowserState> {
    const task = this.#task(threadId);
    await task.user.go(to);
    return task.state();
  }

  async readSignIn(threadId: string): Promise<SignIn> {
    return await this.#task(threadId).user.readSignIn();
  }

  async useSignIn(threadId: string, signIn: SignIn): Promise<BrowserState> {
    const task = this.#task(threadId);
    await task.user.useSignIn(signIn);
    return task.state();
  }

  leaveRun(threadId: string, runId: string): void {
    this.#tasks.get(threadId)?.leave(runId);
  }

  async close(threadId: string): Promise<BrowserState> {
    const task = this.#task(threadId);
    clearTimeout(this.#idle.get(threadId));
    this.#idle.delete(threadId);
    await task.close();
    this.#tasks.delete(threadId);
    return task.state();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isDisposed = true;
    for (const timer of this.#idle.values()) clearTimeout(timer);
    this.#idle.clear();
    await Promise.allSettled([...this.#tasks.values()].map((task) => task.close()));
    this.#tasks.clear();
    const running = await this.#running?.catch(() => null);
    await running?.end();
  }

  #task(threadId: string): ChromiumTask {
    const known = this.#tasks.get(threadId);
    if (known !== undefined) return known;
    const task = new ChromiumTask({
      threadId,
      open: (client) => this.#openContext({ client }),
      userEgress: this.#parts.userEgress,
      preview: () => this.#parts.previewOf?.(threadId) ?? null,
      noEgress: NO_EGRESS,
      onChange: this.#parts.onChange,
      lastPage: this.#parts.lastPage,
      onUse: () => this.#used(threadId),
    });
    this.#tasks.set(threadId, task);
    return task;
  }

  /** Ends the browser of a task that nobody uses; not while the user has control of it. */
  #used(threadId: string): void {
    clearTimeout(this.#idle.get(threadId));
    const end = (): void => {
      const task = this.#tasks.get(threadId);
      if (task === undefined) return;
      if (task.control === 'user' || task.isActing) this.#used(threadId);
      else
        void task
          .close()
          .catch((error) => this.#parts.logger.warn('A browser did not close', { error }));
    };
    this.#idle.set(threadId, setTimeout(end, this.#parts.idleMs ?? IDLE_MS).unref());
  }

  async #openContext(wish: ContextWish): Promise<OpenContext> {
    const running = await this.#start();
    try {
      return await openContext(running, { ...wish, onLast: () => this.#end(running) });
    } catch (error) {
      throw unavailable('The browser opened no page', error);
    }
  }

  #start(): Promise<Running> {
    if (this.#isDisposed) throw new AppError('BROWSER_UNAVAILABLE', 'The app is closing.');
    this.#running ??= this.#launch();
    const starting = this.#running;
    starting.catch(() => {
      if (this.#running === starting) this.#running = null;
    });
    return starting;
  }

  async #launch(): Promise<Running> {
    const { findBrowser, resourcesDir, logger } = this.#parts;
    const executablePath = await findBrowser();
    if (executablePath === null) {
      throw new AppError(
        'BROWSER_UNAVAILABLE',
        `There is no browser that the agent can use. ${installHint()}`,
      );
    }
    await checkBrowserProgram(executablePath);
    const { chromium, selectors } = await import('playwright-core');
    await registerPageScript(selectors, resourcesDir);
    const proxy = await BrowserProxy.open();
    await removeLeftoverFolders().catch((error) =>
      logger.warn('Folders of earlier browsers were not removed', { error }),
    );
    // With the browser it is gone.
    const dir = await makeBrowserFolder();
    const downloadsDir = path.join(dir, 'downloads');
    await mkdir(downloadsDir);
    const end = async (): Promise<void> => {
      await proxy[Symbol.asyncDispose]();
      await rm(dir, { recursive: true, force: true });
    };
    try {
      const browser = await chromium.launch({
        executablePath,
        chromiumSandbox: true,
        args: [...FLAGS],
        // What belongs to no task has no credential, and gets nowhere.
        proxy: { server: proxy.server },
        downloadsPath: downloadsDir,
        artifactsDir: path.join(dir, 'artifacts'),
        env: browserEnvironment(process.env),
        timeout: START_MS,
        handleSIGINT: false,
        handleSIGTERM: false,
        handleSIGHUP: false,
      });
      browser.on('disconnected', () => {
        void end().catch((error) =>
          logger.warn('A folder of the browser was not removed', { error }),
        );
        void this.#forget(browser);
      });
      const { pid, commandLine } = await processOf(browser);
      await noteProfile(dir, commandLine);
      const close = async (): Promise<void> => {
        if (!(await inTime(browser.close(), CLOSE_MS)) && pid !== null) killGroup(pid);
        await end();
      };
      return { browser, proxy, downloadsDir, contexts: new Set(), end: close };
    } catch (error) {
      await end();
      throw unavailable(`${executablePath} does not start`, error);
    }
  }

  async #end(running: Running): Promise<void> {
    await this.#forget(running.browser);
    // Another context was opened in the same moment, and ends it later.
    if (running.contexts.size > 0) return;
    await running.end();
  }

  /** The next context starts another browser; one that was started meanwhile stays. */
  async #forget(browser: Browser): Promise<void> {
    const starting = this.#running;
    const running = await starting?.catch(() => null);
    if (running?.browser === browser && this.#running === starting) this.#running = null;
  }
}

/** The process of the browser, to end it where it does not answer; null where it does not say. */
async function processOf(
  browser: Browser,
): Promise<{ readonly pid: number | null; readonly commandLine: string }> {
  try {
    const session = await browser.newBrowserCDPSession();
    const { processInfo } = await session.send('SystemInfo.getProcessInfo');
    const { commandLine } = await session.send('SystemInfo.getInfo');
    await session.detach();
    return { pid: processInfo.find(({ type }) => type === 'browser')?.id ?? null, commandLine };
  } catch {
    // A browser that does not say is ended by closing its pipe.
    return { pid: null, commandLine: '' };
  }
}

function unavailable(what: string, cause: unknown): AppError {
  const isLate = cause instanceof Error && cause.name === 'TimeoutError';
  const said = isLate
    ? `no answer within ${START_MS / 1000} s`
    : shortReason(cause instanceof Error ? cause.message : String(cause));
  const isRoot = process.getuid?.() === 0;
  const todo = isRoot
    ? 'Chromium does not start its sandbox for the root user: run the app as another user.'
    : 'Start it once by hand to see why, or install another one.';
  return new AppError('BROWSER_UNAVAILABLE', `${what} (${said.slice(0, 300)}). ${todo}`, { cause });
}

const NO_EGRESS = closedEgress('no_run', 'No run of this task is active.');
