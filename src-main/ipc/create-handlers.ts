import { appHandlers } from './handlers/app.ts';
import { egressHandlers } from './handlers/egress.ts';
import { fileHandlers } from './handlers/files.ts';
import { libraryHandlers } from './handlers/library.ts';
import { modelHandlers } from './handlers/models.ts';
import { planHandlers } from './handlers/plans.ts';
import { reportHandlers } from './handlers/reports.ts';
import { runHandlers } from './handlers/runs.ts';
import { sandboxHandlers } from './handlers/sandbox.ts';
import { searchHandlers } from './handlers/search.ts';
import { settingsHandlers } from './handlers/settings.ts';
import { skillHandlers } from './handlers/skills.ts';
import { snapshotHandlers } from './handlers/snapshots.ts';
import { threadHandlers } from './handlers/threads.ts';
import type { PushHub } from './push-hub.ts';
import type { AppServices, RequestHandlers } from './types.ts';

/** Handlers for every request of the contract. A missing one does not compile. */
export function createHandlers(services: AppServices, hub: PushHub): RequestHandlers {
  return {
    ...appHandlers(services),
    ...threadHandlers(services),
    ...runHandlers(services, hub),
    ...planHandlers(services),
    ...searchHandlers(services),
    ...reportHandlers(services),
    ...modelHandlers(services, hub.broadcast),
    ...settingsHandlers(services),
    ...sandboxHandlers(services, hub.broadcast),
    ...egressHandlers(services),
    ...fileHandlers(services),
    ...libraryHandlers(services),
    ...skillHandlers(services),
    ...snapshotHandlers(services),
  };
}
