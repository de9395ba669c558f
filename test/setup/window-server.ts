import type { BrowserServer } from 'playwright-core';
import type { TestProject } from 'vitest/node';
import { cpuMsOfTree } from '../../scripts/test/cpu-time.ts';
import { chromiumPath, serveChromium } from './chromium.ts';
import { note, SHARED_BROWSER } from './notes.ts';
import { openWindowHarness, type WindowHarness } from './window-harness.ts';

/** Where the window with a fake main is served, and where the one Chromium of this run is reached. */
export interface WindowServer {
  readonly url: string;
  readonly chromium: string;
}

declare module 'vitest' {
  interface ProvidedContext {
    /** Null where there is no Chromium: what needs it is skipped by name. */
    readonly windowServer: WindowServer | null;
  }
}

let harness: WindowHarness | null = null;
let chromium: BrowserServer | null = null;

/** Before the files of the suite `window`: builds the window once, and starts one Chromium for all of them. */
export async function setup(project: TestProject): Promise<void> {
  if (chromiumPath === null) {
    project.provide('windowServer', null);
    return;
  }
  harness = await openWindowHarness();
  chromium = await serveChromium();
  project.provide('windowServer', { url: harness.url, chromium: chromium.wsEndpoint() });
}

export async function teardown(): Promise<void> {
  const pid = chromium?.process().pid;
  if (pid !== undefined) {
    note({ kind: 'cost', suite: 'window', file: SHARED_BROWSER, cpuMs: cpuMsOfTree(pid) });
  }
  await chromium?.close();
  await harness?.[Symbol.asyncDispose]();
}
