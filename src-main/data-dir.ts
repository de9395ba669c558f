import { homedir } from 'node:os';
import { join, resolve } from 'node:path';

/**
 * The data folder, the same for all entry points: the requested one, else `HYPERAGENT_DATA_DIR`, else
 * the platform's folder for app data. Always absolute.
 */
export function dataDirFor(requested: string | undefined, env: NodeJS.ProcessEnv): string {
  const named = requested || env.HYPERAGENT_DATA_DIR;
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
