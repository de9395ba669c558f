import type { CheckItem, CheckupReport } from '#contract/entities.ts';
import type { Logger } from '../../base/logger.ts';
import type { ModelService } from '../llm/types.ts';
import type { SandboxService } from '../sandbox/types.ts';
import { checkBrowser } from './browser-check.ts';
import { checkDataFolder } from './data-folder-check.ts';
import { checkNode } from './node-check.ts';

export interface CheckupParts {
  readonly version: string;
  readonly dataDir: string;
  readonly models: Pick<ModelService, 'listServers'>;
  readonly sandbox: Pick<SandboxService, 'report'>;
  readonly logger: Logger;
}

/**
 * Looks at everything at once. A part that cannot be looked at becomes a failed line of the report
 * and does not keep the others out of it. Rejects only with the signal's reason.
 */
export async function runCheckup(parts: CheckupParts, signal: AbortSignal): Promise<CheckupReport> {
  const failures: CheckItem[] = [];
  const attempt = async <T>(id: string, label: string, look: () => Promise<T[]>): Promise<T[]> => {
    try {
      return await look();
    } catch (error) {
      signal.throwIfAborted();
      parts.logger.error('A part of the check-up failed', { part: id, error });
      failures.push(failedLook(id, label, error));
      return [];
    }
  };
  const [servers, sandboxes, items] = await Promise.all([
    attempt('models', 'Models', () => parts.models.listServers(signal)),
    attempt('sandboxes', 'Sandboxes', () => parts.sandbox.report({ probe: true, signal })),
    attempt('machine', 'This machine', () =>
      Promise.all([checkBrowser(), checkDataFolder(parts.dataDir), checkNode()]),
    ),
  ]);
  return { version: parts.version, servers, sandboxes, items: [...failures, ...items] };
}

function failedLook(id: string, label: string, error: unknown): CheckItem {
  const detail = error instanceof Error ? error.message : String(error);
  const remedy = 'Run the check-up again; if this stays, the log in the data folder says more.';
  return { id, label, status: 'failed', detail: `could not be looked at: ${detail}`, remedy };
}
