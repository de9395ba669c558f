import { readFileSync, realpathSync } from 'node:fs';
import { homedir, hostname, userInfo } from 'node:os';
import { basename, dirname } from 'node:path';

/** What says whose computer this is. */
export interface Identity {
  /** Folders of the user, in each spelling that the system has for them. */
  readonly homes: readonly string[];
  readonly users: readonly string[];
  readonly hosts: readonly string[];
  /**
   * Names of the user or the computer that are words of the document, such as `model`. Alone they say nothing of
   * anyone; replacing them would, and would destroy what the document says.
   */
  readonly words: readonly string[];
}

/** Names of accounts and computers that say nothing of anyone, and occur in other texts. */
const OF_NOBODY: ReadonlySet<string> = new Set([
  ...['root', 'user', 'users', 'admin', 'administrator', 'guest', 'default', 'node', 'app'],
  ...['ubuntu', 'debian', 'localhost', 'localdomain', 'local', 'home', 'host', 'computer'],
]);

/** Words of the app and of its messages, and names of what it works with. */
const ORDINARY: ReadonlySet<string> = new Set([
  ...['max', 'pro', 'flash', 'lite', 'model', 'models', 'server', 'task', 'run', 'runs', 'agent'],
  ...['error', 'warn', 'info', 'debug', 'failed', 'missing', 'ok', 'ready', 'none', 'not', 'at'],
  ...['docker', 'bwrap', 'bubblewrap', 'sandbox', 'os', 'e2b', 'linux', 'windows', 'darwin', 'mac'],
  ...['macos', 'ollama', 'vllm', 'jan', 'llama', 'lm', 'studio', 'openai', 'anthropic', 'gemini'],
  ...[
    'google',
    'ask',
    'auto',
    'always',
    'never',
    'offline',
    'default',
    'policy',
    'settings',
    'log',
  ],
  ...[
    'data',
    'file',
    'folder',
    'index',
    'version',
    'memory',
    'chrome',
    'electron',
    'sqlite',
    'dev',
  ],
  ...[
    'demo',
    'test',
    'tester',
    'build',
    'main',
    'desktop',
    'laptop',
    'web',
    'cli',
    'browser',
    'net',
  ],
  ...['system', 'network', 'http', 'https', 'js', 'ts', 'src', 'out', 'lib', 'bin', 'opt', 'usr'],
  ...[
    'hyperagent',
    'the',
    'and',
    'is',
    'in',
    'of',
    'to',
    'it',
    'for',
    'an',
    'be',
    'no',
    'on',
    'or',
  ],
  ...['will', 'code', 'stack', 'message', 'bytes', 'request', 'answer', 'key', 'page'],
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
  const fullName = fullNameOf();
  const users = names([
    ...[account?.username, env.USER, env.LOGNAME, env.USERNAME, ...ofHomes, fullName],
    ...wordsOf(fullName),
  ]);
  const hosts = names([[host, ...domain].join('.'), host, env.COMPUTERNAME]);
  const isOrdinary = (name: string): boolean => ORDINARY.has(name.toLowerCase());
  return {
    homes: distinct(homes),
    users: users.filter((name) => !isOrdinary(name)),
    hosts: hosts.filter((name) => !isOrdinary(name)),
    words: [...users, ...hosts].filter(isOrdinary),
  };
}

/** The name that the account of this process has beside that of its user; only Linux has it in a file. */
function fullNameOf(): string {
  if (process.platform !== 'linux') return '';
  try {
    return fullNameIn(readFileSync('/etc/passwd', 'utf8'), process.getuid?.() ?? -1);
  } catch {
    // Not every system has it.
    return '';
  }
}

/** The full name of an account in the text of `/etc/passwd`. */
export function fullNameIn(accounts: string, uid: number): string {
  const fields = accounts
    .split('\n')
    .map((line) => line.split(':'))
    .find(([, , id]) => id === String(uid));
  return fields?.[4]?.split(',')[0]?.trim() ?? '';
}

/** The words of a name that are long enough not to occur everywhere. */
function wordsOf(name: string): string[] {
  return name.split(/[^\p{L}\p{M}]+/u).filter((word) => word.length >= 4);
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
