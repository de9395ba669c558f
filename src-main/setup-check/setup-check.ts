import type { CheckItem, SetupReport } from '#contract/entities.ts';
import type { Settings } from '#contract/settings.ts';
import type { ModelService } from '../models/types.ts';
import type { PolicyState } from '../policy/types.ts';
import type { SandboxService } from '../sandbox/types.ts';
import type { SearchService } from '../search/types.ts';
import { checkBrowser } from './browser-check.ts';
import { checkDataFolder } from './data-folder-check.ts';
import { checkOfPolicy } from './policy-check.ts';
import { checkSearch } from './search-check.ts';
import { verdictOn } from './verdict.ts';

export interface SetupCheckParts {
  readonly version: string;
  readonly dataDir: string;
  readonly models: Pick<ModelService, 'listServers'>;
  readonly sandbox: Pick<SandboxService, 'report'>;
  readonly search: Pick<SearchService, 'providers'>;
  readonly settings: () => Settings;
  readonly policy: PolicyState;
}

/**
 * The setup check: inspects everything in parallel. A part that cannot be inspected becomes a failed line of
 * the report and does not affect the others. Rejects only with the signal's reason.
 */
export function createSetupCheck(
  parts: SetupCheckParts,
): (signal: AbortSignal) => Promise<SetupReport> {
  const { version, dataDir, models, sandbox, search, settings, policy } = parts;
  return async (signal) => {
    const failures: CheckItem[] = [];
    const attempt = async <T>(label: string, look: () => Promise<T[]>): Promise<T[]> => {
      try {
        return await look();
      } catch (error) {
        signal.throwIfAborted();
        failures.push(failedLook(label, error));
        return [];
      }
    };
    const [servers, sandboxes, items] = await Promise.all([
      attempt('Models', () => models.listServers(signal)),
      attempt('Sandboxes', () => sandbox.report({ probe: true, signal })),
      Promise.all([
        checkBrowser(),
        checkSearch(search, settings()),
        checkDataFolder(dataDir),
        checkNode(),
      ]),
    ]);
    const found = { servers, sandboxes, items: [...failures, ...checkOfPolicy(policy), ...items] };
    return { version, verdict: verdictOn(found, settings()), ...found };
  };
}

function failedLook(label: string, error: unknown): CheckItem {
  const detail = error instanceof Error ? error.message : String(error);
  return {
    id: label.toLowerCase(),
    label,
    status: 'failed',
    detail: `could not be checked: ${detail}`,
    remedy: 'Run the setup check again.',
  };
}

/** The runtime of the app. An older one never gets here: the entry points refuse to start on it. */
function checkNode(versions: NodeJS.ProcessVersions = process.versions): CheckItem {
  const { node, electron } = versions;
  const shell = electron === undefined ? '' : `, Electron ${electron}`;
  return { id: 'node', label: 'Node', status: 'ok', detail: `${node}${shell}`, remedy: null };
}
