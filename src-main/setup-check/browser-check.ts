import type { CheckItem } from '#contract/entities.ts';
import { findBrowser, installHint } from '../browser/find-browser.ts';

/** Whether there is a browser that the agent can drive. */
export async function checkBrowser(
  env: NodeJS.ProcessEnv = process.env,
  isRoot: boolean = process.getuid?.() === 0,
): Promise<CheckItem> {
  const path = await findBrowser(env);
  const item = { id: 'browser', label: 'Browser' };
  if (path !== null && isRoot) {
    return {
      ...{ ...item, status: 'missing', detail: `${path} does not start for the root user` },
      remedy: 'Run the app as another user: the sandbox of the browser stays on.',
    };
  }
  if (path !== null) return { ...item, status: 'ok', detail: path, remedy: null };
  return {
    ...item,
    status: 'missing',
    detail: 'no Chromium, Chrome or Edge was found',
    remedy: installHint(),
  };
}
