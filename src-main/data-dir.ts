import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { AppError } from '#contract/errors.ts';
import { dataFolderFor } from './policy/data-folder.ts';
import { systemPolicy } from './policy/read-policy.ts';
import type { PolicyState } from './policy/types.ts';

/**
 * The data folder, the same for all entry points: that of the policy of this computer, else the requested one, else
 * `HYPERAGENT_DATA_DIR`, else the platform's folder for app data. Always absolute. Throws `MANAGED` where another one
 * than the policy's is requested.
 */
export function dataDirFor(
  requested: string | undefined,
  env: NodeJS.ProcessEnv,
  policy: PolicyState = systemPolicy(),
): string {
  const named = requested || env.HYPERAGENT_DATA_DIR;
  const held = policy.state === 'holds' ? policy.policy.document.dataFolder : undefined;
  if (held !== undefined) {
    const folder = resolve(dataFolderFor(held));
    if (!named || resolve(named) === folder) return folder;
    throw new AppError(
      'MANAGED',
      `The policy of this computer sets the data folder: ${folder}. Leave out --data-dir and HYPERAGENT_DATA_DIR.`,
    );
  }
  if (named) return resolve(named);
  switch (process.platform) {
    case 'win32':
      return join(env.APPDATA || join(homedir(), 'AppData', 'Roaming'), 'HyperAgent');
    case 'darwin':
      return join(homedir(), 'Library', 'Application Support', 'HyperAgent');
    default:
      return join(env.XDG_DATA_HOME || join(homedir(), '.local', 'share'), 'hyperagent');
  }
}
