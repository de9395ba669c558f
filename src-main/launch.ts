/** The oldest Node that the database's native module supports; older ones crash with a segfault. */
const OLDEST_NODE = { major: 22, minor: 12 };
const RELAUNCHED = 'HYPERAGENT_RELAUNCHED';

export interface Launch {
  /** `import.meta.url` of the entry. */
  readonly entryUrl: string;
  /** Loads and runs the program. Called only on a supported Node. */
  readonly start: () => Promise<void>;
}

/**
 * Starts an entry point on a supported Node. An older Node runs the entry again on the Node that npm
 * installed with the app, with the same terminal, signals and exit code.
 */
export function launch({ entryUrl, start }: Launch): void {
  const isRelaunched = process.env[RELAUNCHED] !== undefined;
  delete process.env[RELAUNCHED];
  if (isSupported(process.versions.node)) {
    if (isRelaunched) endWithLauncher();
    enableCompileCache();
    void start();
  } else if (isRelaunched) {
    reportTooOld();
  } else {
    void relaunch(entryUrl);
  }
}

function isSupported(version: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return major > OLDEST_NODE.major || (major === OLDEST_NODE.major && minor >= OLDEST_NODE.minor);
}

function reportTooOld(): void {
  const { major, minor } = OLDEST_NODE;
  process.stderr.write(
    `HyperAgent needs Node ${major}.${minor} or later, but this is ${process.versions.node}. Install Node 24 from https://nodejs.org, or run "npm ci" in the app folder, which brings one.\n`,
  );
  process.exitCode = 1;
}

async function relaunch(entryUrl: string): Promise<void> {
  const { findPackagedNode, runOn } = await import('./relaunch.ts');
  const node = findPackagedNode(entryUrl);
  if (node === null) reportTooOld();
  else runOn(node, { entryUrl, env: { [RELAUNCHED]: '1' } });
}

/** If the launcher is killed, the program dies with it, as if they were one process. */
function endWithLauncher(): void {
  process.once('disconnect', () => process.kill(process.pid, 'SIGKILL'));
  process.channel?.unref();
}

/**
 * Keeps compiled code between starts, which halves the time to load the bundle. The cache is in the
 * user's own folder, never in a shared temporary folder, where others could plant code. If the folder
 * is not writable, only the start is slower.
 */
function enableCompileCache(): void {
  // Not imported: linking would fail on an old Node, and costs 10 ms on every start.
  const { join } = process.getBuiltinModule('node:path');
  const { homedir } = process.getBuiltinModule('node:os');
  const base =
    process.platform === 'win32'
      ? process.env.LOCALAPPDATA
      : process.platform === 'darwin'
        ? join(homedir(), 'Library', 'Caches')
        : process.env.XDG_CACHE_HOME || join(homedir(), '.cache');
  if (!base) return;
  const cache = join(base, 'hyperagent', 'compile-cache');
  process.getBuiltinModule('node:module').enableCompileCache(cache);
}
