import { realpathSync } from 'node:fs';
import { homedir, hostname, userInfo } from 'node:os';
import { basename, dirname } from 'node:path';

/** What says whose computer this is. */
export interface Identity {
  /** Folders of the user, in each spelling that the system has for them. */
  readonly homes: readonly string[];
  readonly users: readonly string[];
  readonly hosts: readonly string[];
}

/** Names of accounts and computers that say nothing of anyone, and occur in other texts. */
const OF_NOBODY: ReadonlySet<string> = new Set([
  ...['root', 'user', 'users', 'admin', 'administrator', 'guest', 'default', 'node', 'app'],
  ...['ubuntu', 'debian', 'localhost', 'localdomain', 'local', 'home', 'host', 'computer'],
]);

/** Who uses this computer, as the system and the environment say. */
export function identityOf(env: NodeJS.ProcessEnv): Identity {
  const account = accountOf();
  const homes = [homedir(), env.HOME, env.USERPROFILE, account?.homedir]
    .filter((home) => home !== undefined && home.length > 1)
    .flatMap((home = '') => [home, realPath(home)]);
  const ofHomes = homes
    .filter((home) => /^(?:home|users)$/i.test(basename(dirname(home))))
    .map((home) => basename(home));
  const [host = '', ...domain] = hostname().split('.');
  return {
    homes: distinct(homes),
    users: names([account?.username, env.USER, env.LOGNAME, env.USERNAME, ...ofHomes]),
    hosts: names([[host, ...domain].join('.'), host, env.COMPUTERNAME]),
  };
}

function accountOf(): { readonly username: string; readonly homedir: string } | null {
  try {
    return userInfo();
  } catch {
    // The system does not know this account, as in a container.
    return null;
  }
}

function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    // It does not exist.
    return path;
  }
}

function names(given: readonly (string | undefined)[]): string[] {
  return distinct(given.filter((name) => name !== undefined)).filter(
    (name) => name.length > 1 && !OF_NOBODY.has(name.toLowerCase()),
  );
}

/** The longest first, so that none hides a part of another. */
function distinct(texts: readonly string[]): string[] {
  return [...new Set(texts)].sort((a, b) => b.length - a.length);
}
