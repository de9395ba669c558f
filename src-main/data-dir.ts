import { homedir } from 'node:os';
import { join, resolve } from 'node:path';

/**
 * Where the app keeps everything, the same for all doors: what was asked for, else
 * `HYPERAGENT_DATA_DIR`, else the folder that the platform has for an app's data. Absolute.
 */
export function dataDirFor(asked: string | undefined, env: NodeJS.ProcessEnv): string {
  const named = asked || env.HYPERAGENT_DATA_DIR;
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
