import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { BrowserState } from '#contract/browser.ts';
import type { EgressConnection } from '#contract/egress.ts';
import { Settings } from '#contract/settings.ts';
import type { NetworkPolicy } from '#contract/vocabulary.ts';
import { systemClock } from '#main/base/clock.ts';
import { silentLogger } from '#main/base/logger.ts';
import { type BrowsersParts, ChromiumBrowsers } from '#main/browser/chromium-browsers.ts';
import { findBrowser } from '#main/browser/find-browser.ts';
import type { ActingRun, BrowserEventDraft, BrowserService } from '#main/browser/types.ts';
import { testEgress } from '../egress.ts';

export interface OpenBrowsersOptions {
  /** Names of sites; each leads to 127.0.0.1, and may be reached on any port. */
  readonly sites?: readonly string[];
  /** Names that lead to 127.0.0.1 too, but that nobody allowed. */
  readonly innerNames?: readonly string[];
  readonly network?: NetworkPolicy;
  /** For `allowlist`: host patterns such as `shop.test:*`. */
  readonly allowHosts?: readonly string[];
  readonly viewTokens?: number;
  /** The browser to start; the one of this computer unless given. Null for none. */
  readonly browserPath?: string | null;
  readonly idleMs?: number;
  /** The previews of the apps of tasks; none unless given. */
  readonly previewOf?: BrowsersParts['previewOf'];
  /** Where a run was when the app ended. */
  readonly lastPage?: string;
}

export interface OpenBrowsers extends AsyncDisposable {
  readonly browsers: BrowserService;
  /** Every connection that was asked for, allowed or not. */
  readonly connections: readonly EgressConnection[];
  readonly events: readonly BrowserEventDraft[];
  readonly states: readonly BrowserState[];
  /** Stands for the workspace of the task. */
  readonly workspaceDir: string;
  /** A run that acts in the browser. */
  run(changes?: Partial<ActingRun>): ActingRun;
}

/** The real browsers over the real egress broker, with sites on this computer instead of the web. */
export async function openBrowsers(options: OpenBrowsersOptions = {}): Promise<OpenBrowsers> {
  const { sites = ['site.test'], network = 'open', allowHosts = [], viewTokens = 2_000 } = options;
  const settings = Settings.parse({
    egress: 'open',
    egressPrivateHosts: sites.map((site) => `${site}:*`),
  });
  const allNames = [...sites, ...(options.innerNames ?? [])];
  const names = Object.fromEntries(allNames.map((name) => [name, ['127.0.0.1']]));
  const bench = testEgress({ settings: { current: settings }, names });
  const workspaceDir = await mkdtemp(path.join(tmpdir(), 'hyperagent-browser-'));
  const events: BrowserEventDraft[] = [];
  const states: BrowserState[] = [];
  const browsers = new ChromiumBrowsers({
    findBrowser: async () =>
      options.browserPath === undefined ? await browserForTests() : options.browserPath,
    resourcesDir: path.resolve(import.meta.dirname, '../../../resources/browser'),
    userEgress: () => bench.egress.appClient('browser', [], { byUser: false }),
    clock: systemClock,
    logger: silentLogger,
    onChange: (state) => states.push(state),
    lastPage: () => options.lastPage ?? null,
    ...(options.idleMs === undefined ? {} : { idleMs: options.idleMs }),
    ...(options.previewOf === undefined ? {} : { previewOf: options.previewOf }),
  });
  const egress = bench.egress.forRun({ runId: 'run_1', threadId: 'thr_1', network, allowHosts });
  let calls = 0;
  return {
    ...{ browsers, events, states, workspaceDir, connections: bench.store.lines },
    run: (changes = {}) => {
      calls += 1;
      return {
        ...{ runId: 'run_1', toolCallId: `call_${calls}`, egress, viewTokens },
        signal: AbortSignal.timeout(60_000),
        emit: (event) => events.push(event),
        workspace: {
          read: (file) => readFile(path.join(workspaceDir, file)),
          add: async (name, hostPath) => {
            const file = path.posix.join('downloads', path.basename(name));
            await writeFile(path.join(workspaceDir, path.basename(name)), await readFile(hostPath));
            return file;
          },
        },
        ...changes,
      };
    },
    [Symbol.asyncDispose]: async () => {
      egress[Symbol.dispose]();
      await browsers[Symbol.asyncDispose]();
      await rm(workspaceDir, { recursive: true, force: true });
    },
  };
}

let wrapper: Promise<string | null> | null = null;

/**
 * The browser of this computer. As root, Chromium only starts without its own sandbox, and the app never asks for
 * that: tests give it a program that does.
 */
export function browserForTests(): Promise<string | null> {
  wrapper ??= (async () => {
    const found = await findBrowser();
    if (found === null || process.getuid?.() !== 0) return found;
    const file = path.join(await mkdtemp(path.join(tmpdir(), 'hyperagent-chromium-')), 'chromium');
    await writeFile(file, `#!/bin/sh\nexec '${found}' --no-sandbox --disable-gpu "$@"\n`, {
      mode: 0o755,
    });
    return file;
  })();
  return wrapper;
}
