/** The oldest Node that the database's native module runs on; an older one dies of a segfault. */
const OLDEST_NODE = { major: 22, minor: 12 };
const RELAUNCHED = 'HYPERAGENT_RELAUNCHED';

export interface Launch {
  /** `import.meta.url` of the entry. */
  readonly entryUrl: string;
  /** Loads and runs the program; only called on a Node that is new enough. */
  readonly start: () => Promise<void>;
}

/**
 * Starts an entry point on a Node that can carry it. On an older one it runs the entry again on the Node
 * that npm installed beside the app, with the same terminal, signals and exit code.
 */
export function launch({ entryUrl, start }: Launch): void {
  const isRelaunched = process.env[RELAUNCHED] !== undefined;
  delete process.env[RELAUNCHED];
  if (isNewEnough(process.versions.node)) {
    if (isRelaunched) endWithLauncher();
    enableCompileCache();
    void start();
  } else if (isRelaunched) {
    sayTooOld();
  } else {
    void relaunch(entryUrl);
  }
}

function isNewEnough(version: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return major > OLDEST_NODE.major || (major === OLDEST_NODE.major && minor >= OLDEST_NODE.minor);
}

function sayTooOld(): void {
  const { major, minor } = OLDEST_NODE;
  process.stderr.write(
    `HyperAgent needs Node ${major}.${minor} or later and runs on ${process.versions.node}: install a newer Node, or run npm ci in the app's folder.\n`,
  );
  process.exitCode = 1;
}

async function relaunch(entryUrl: string): Promise<void> {
  const { findPackagedNode, runOn } = await import('./relaunch.ts');
  const node = findPackagedNode(entryUrl);
  if (node === null) sayTooOld();
  else runOn(node, { entryUrl, env: { [RELAUNCHED]: '1' } });
}

/** A launcher that was killed takes the program with it, as if there were only one process. */
function endWithLauncher(): void {
  process.once('disconnect', () => process.kill(process.pid, 'SIGKILL'));
  process.channel?.unref();
}

/**
 * Keeps compiled code between starts, which halves the time to load the bundle. It lies in the
 * person's own cache, never in a shared temporary folder, where others could plant code. A folder
 * that cannot be written only makes the start slower.
 */
function enableCompileCache(): void {
  // Not imported: on an old Node these would fail to link, and linking them costs a start 10 ms.
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
