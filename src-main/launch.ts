import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
// Not by name: an old Node, which this file must survive, lacks some of them.
import nodeModule from 'node:module';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';

/** The oldest Node that the database's native module runs on; an older one dies of a segfault. */
const OLDEST_NODE = { major: 22, minor: 12 };
const RELAUNCHED = 'HYPERAGENT_RELAUNCHED';
const FORWARDED = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

export interface Launch {
  /** URL of the entry's own module. */
  readonly entryUrl: string;
  readonly entryPath: string;
  /** Loads and runs the program; only called on a Node that is new enough. */
  readonly start: () => Promise<void>;
}

/**
 * Starts a door on a Node that can carry it. On an older one it runs the entry again on the Node
 * that npm installed beside the app, with the same terminal, signals and exit code.
 */
export function launch({ entryUrl, entryPath, start }: Launch): void {
  if (isNewEnough(process.versions.node)) {
    if (process.env[RELAUNCHED] !== undefined) endWithLauncher();
    enableCompileCache();
    void start();
    return;
  }
  const node = process.env[RELAUNCHED] === undefined ? findPackagedNode(entryUrl) : null;
  if (node === null) {
    process.stderr.write(
      `HyperAgent needs Node ${OLDEST_NODE.major}.${OLDEST_NODE.minor} or later and runs on ${process.versions.node}: install a newer Node, or run npm ci in the app's folder.\n`,
    );
    process.exitCode = 1;
    return;
  }
  relaunch(node, entryPath);
}

function isNewEnough(version: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return major > OLDEST_NODE.major || (major === OLDEST_NODE.major && minor >= OLDEST_NODE.minor);
}

/** The `node` package of npm, which brings a runtime as a file. */
function findPackagedNode(entryUrl: string): string | null {
  try {
    const manifest = nodeModule.createRequire(entryUrl).resolve('node/package.json');
    const name = process.platform === 'win32' ? 'node.exe' : 'node';
    const file = join(dirname(manifest), 'bin', name);
    return existsSync(file) ? file : null;
  } catch {
    // Not installed: the caller says what to do.
    return null;
  }
}

function relaunch(node: string, entryPath: string): void {
  const child = spawn(node, [...process.execArgv, entryPath, ...process.argv.slice(2)], {
    // The channel carries nothing; its end tells the child that this process is gone.
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
    env: { ...process.env, [RELAUNCHED]: '1' },
  });
  for (const signal of FORWARDED) process.on(signal, () => child.kill(signal));
  child.on('error', (error) => {
    process.stderr.write(`HyperAgent could not start ${node}: ${error.message}\n`);
    process.exitCode = 1;
  });
  child.on('exit', (code, signal) => {
    if (signal === null) {
      process.exit(code ?? 1);
    }
    for (const forwarded of FORWARDED) process.removeAllListeners(forwarded);
    process.kill(process.pid, signal);
  });
}

/** A launcher that was killed takes the program with it, as if there were only one process. */
function endWithLauncher(): void {
  delete process.env[RELAUNCHED];
  process.once('disconnect', () => process.kill(process.pid, 'SIGKILL'));
  process.channel?.unref();
}

/**
 * Keeps compiled code between starts, which halves the time to load the bundle. It lies in the
 * person's own cache, never in a shared temporary folder, where others could plant code. A folder
 * that cannot be written only makes the start slower.
 */
function enableCompileCache(): void {
  const base =
    process.platform === 'win32'
      ? process.env.LOCALAPPDATA
      : process.platform === 'darwin'
        ? join(homedir(), 'Library', 'Caches')
        : process.env.XDG_CACHE_HOME || join(homedir(), '.cache');
  if (base) nodeModule.enableCompileCache(join(base, 'hyperagent', 'compile-cache'));
}
