import path from 'node:path';
import type { Broadcast } from '../api/types.ts';
import type { Clock } from '../base/clock.ts';
import type { Logger } from '../base/logger.ts';
import { ChromiumBrowsers } from '../browser/chromium-browsers.ts';
import { findBrowser } from '../browser/find-browser.ts';
import type { AppEgress } from '../egress/app-egress.ts';

/** The browsers of tasks; windows see every change of them. */
export function openBrowsers({
  root,
  egress,
  broadcast,
  ...common
}: {
  readonly root: string;
  readonly egress: AppEgress;
  readonly broadcast: Broadcast;
  readonly clock: Clock;
  readonly logger: Logger;
}): ChromiumBrowsers {
  return new ChromiumBrowsers({
    ...common,
    findBrowser: () => findBrowser(),
    resourcesDir: path.join(root, 'resources', 'browser'),
    userEgress: () => egress.appClient('browser', [], { byUser: false }),
    onChange: (browser) => broadcast({ kind: 'browser_changed', browser }),
  });
}
