import path from 'node:path';
import type { Broadcast } from '../api/types.ts';
import type { Clock } from '../base/clock.ts';
import type { Logger } from '../base/logger.ts';
import { ChromiumBrowsers } from '../browser/chromium-browsers.ts';
import { findBrowser } from '../browser/find-browser.ts';
import { MASK } from '../browser/private-values.ts';
import type { AppEgress } from '../egress/app-egress.ts';
import type { EventReader } from '../storage/types.ts';

/** The browsers of tasks; windows see every change of them. */
export function openBrowsers({
  root,
  egress,
  broadcast,
  events,
  ...common
}: {
  readonly root: string;
  readonly egress: AppEgress;
  readonly broadcast: Broadcast;
  readonly events: Pick<EventReader, 'newestPage'>;
  readonly clock: Clock;
  readonly logger: Logger;
}): ChromiumBrowsers {
  return new ChromiumBrowsers({
    ...common,
    findBrowser: () => findBrowser(),
    resourcesDir: path.join(root, 'resources', 'browser'),
    userEgress: () => egress.appClient('browser', [], { byUser: false }),
    lastPage: (runId) => {
      const url = events.newestPage(runId);
      // What the user typed is in no log, and so this is not where the page was.
      return url === null || url.includes(MASK) ? null : url;
    },
    onChange: (browser) => broadcast({ kind: 'browser_changed', browser }),
  });
}
