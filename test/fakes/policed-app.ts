import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { RequestName } from '#contract/requests.ts';
import { silentLogger } from '#main/base/logger.ts';
import type { App, ComposeOptions } from '#main/compose/app.ts';
import { compose } from '#main/compose.ts';
import type { PolicyState } from '#main/policy/types.ts';
import { RequestRouter } from '#main/transport/request-router.ts';

/** A window that asks and follows nothing. */
export const CALLER = {
  closed: new AbortController().signal,
  subscribe: () => undefined,
} as never;

const OPTIONS = { entryPoint: 'browser', attended: true, readOnly: false, seal: null } as const;

/** A data folder for one test. */
export function newFolder(): string {
  const dataDir = mkdtempSync(join(tmpdir(), 'hyperagent-policy-'));
  onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }));
  return dataDir;
}

/** The whole app under a policy until the test ends, and what a window gets for a request. */
export async function openUnder(
  policy: PolicyState,
  dataDir: string = newFolder(),
  more: Partial<ComposeOptions> = {},
) {
  const app = await compose({ ...OPTIONS, dataDir, policy, ...more });
  onTestFinished(() => app[Symbol.asyncDispose]());
  const router = new RequestRouter(app.api, silentLogger);
  const ask = (name: RequestName, input: unknown = {}) => router.handle(name, input, CALLER);
  return { app, dataDir, ask };
}

/** Does something with the app before there is a policy. */
export async function withoutPolicy<T>(
  dataDir: string,
  work: (app: App) => T | Promise<T>,
): Promise<T> {
  await using app = await compose({ ...OPTIONS, dataDir, policy: { state: 'none' } });
  return await work(app);
}
