import { statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import {
  ALLOWED_ENVIRONMENT,
  CALL_PORT,
  COMMON_ENVIRONMENT,
  INSIDE_FILES,
  NETWORK_ENVIRONMENT,
  PROXY_PORT,
} from '../inside.ts';
import type { InsideFacts } from '../isolation-probes/probe-targets.ts';
import { ETC_ENTRIES, SYSTEM_FOLDERS } from '../os-provider/bubblewrap-arguments.ts';
import type { Toolchain } from '../os-provider/toolchain.ts';
import type { OpenedFolder, SandboxLimits } from '../types.ts';
import { workspaceOwner } from '../workspace/owner.ts';
import { type FolderName, type LandlockFolders, WRITABLE } from './landlock-folders.ts';
import {
  ALL_RIGHTS,
  type LandlockPlan,
  NETWORK_RIGHTS,
  type OwnMounts,
  READ,
  SCOPE,
  USE_DEVICE,
  WRITE,
} from './landlock-plan.ts';

/**
 * The oldest Landlock that closes what this sandbox must close: files (1 to 3), TCP (4), devices (5), signals and
 * abstract sockets (6). Linux 6.12.
 */
export const OLDEST_LANDLOCK = 6;

const DEVICES = ['/dev/null', '/dev/zero', '/dev/full', '/dev/random', '/dev/urandom'];
/**
 * What language runtimes ask about the computer. Nothing of processes, not even of one's own: Landlock cannot tell
 * those of the sandbox from others.
 */
const KERNEL_FACTS = [
  ...['/proc/cpuinfo', '/proc/meminfo', '/proc/stat', '/proc/uptime', '/proc/loadavg'],
  ...['/proc/version', '/proc/filesystems', '/proc/sys/vm/overcommit_memory'],
  ...['/sys/devices/system/cpu', '/sys/kernel/mm/transparent_hugepage'],
];

export interface LandlockIsolation {
  readonly folders: LandlockFolders;
  readonly toolchain: Toolchain;
  readonly limits: SandboxLimits;
  readonly filter: Buffer;
  readonly hasChannel: boolean;
  /** Folders that the user opened; none if absent. */
  readonly opened?: readonly OpenedFolder[];
}

/** The isolation, as the launcher sets it up. */
export function planSandbox(isolation: LandlockIsolation): LandlockPlan {
  const { folders, toolchain, limits, filter, hasChannel, opened = [] } = isolation;
  const written = opened.flatMap(({ path, access }) => (access === 'write' ? [path] : []));
  const alias = (name: FolderName): string => join(folders.aliasDir, name);
  const rules = (paths: readonly string[], access: number) =>
    paths.map((path) => ({ path, access }));
  const user = workspaceOwner();
  return {
    command: ['/bin/bash', '--noprofile', '--norc'],
    environment: environmentOf(isolation),
    workingDir: alias('workspace'),
    user,
    ownMounts: user === null ? null : mountsForRoot(isolation),
    rules: [
      ...rules([...SYSTEM_FOLDERS, ...toolchain.folders, alias('inside'), alias('etc')], READ),
      ...rules([...ETC_ENTRIES.map((name) => `/etc/${name}`), ...KERNEL_FACTS], READ),
      ...rules(WRITABLE.map(alias), WRITE),
      ...rules(
        opened.map(({ path }) => path),
        READ,
      ),
      ...rules(written, WRITE),
      ...rules(DEVICES, USE_DEVICE),
    ],
    handled: {
      files: ALL_RIGHTS,
      network: NETWORK_RIGHTS.bindTcp | NETWORK_RIGHTS.connectTcp,
      scoped: SCOPE.abstractSockets | SCOPE.signals,
    },
    noNewPrivileges: true,
    filter: filter.toString('base64'),
    asks: true,
    writableFolders: [
      ...WRITABLE.flatMap((name) => [alias(name), folders.targets[name]]),
      ...written,
    ],
    maxTasks: limits.pids,
    ports: hasChannel ? { proxy: PROXY_PORT, call: CALL_PORT } : null,
  };
}

function mountsForRoot({ folders, toolchain, opened = [] }: LandlockIsolation): OwnMounts {
  const entries = Object.entries(folders.targets);
  const shown = [...toolchain.folders, ...opened.map(({ path }) => path)];
  const closed = shown.flatMap((folder) => {
    const top = closedAbove(folder);
    return top === null ? [] : [{ folder, top }];
  });
  return {
    covers: [...new Set(closed.map(({ top }) => top))],
    mounts: [
      ...entries.map(([name, from]) => ({ from, to: join(folders.aliasDir, name) })),
      ...closed.map(({ folder }) => ({ from: folder, to: folder })),
    ],
  };
}

/** The topmost folder above `path` that only its owner may enter; null if there is none. */
function closedAbove(path: string): string | null {
  let found: string | null = null;
  for (let folder = dirname(path); folder !== '/'; folder = dirname(folder)) {
    const mode = statSync(folder, { throwIfNoEntry: false })?.mode ?? 0;
    if ((mode & 0o001) === 0) found = folder;
  }
  return found;
}

function environmentOf({ folders, toolchain }: LandlockIsolation): Record<string, string> {
  const { path, pythonUserBase } = toolchain;
  const alias = (name: FolderName): string => join(folders.aliasDir, name);
  const network = Object.entries(NETWORK_ENVIRONMENT).map(
    ([name, value]) => [name, value.replace(INSIDE_FILES, alias('inside'))] as const,
  );
  return {
    PATH: [...path, '/usr/local/bin', '/usr/bin', '/bin', '/usr/sbin', '/sbin'].join(':'),
    ...COMMON_ENVIRONMENT,
    ...Object.fromEntries(network),
    HOME: alias('home'),
    TMPDIR: alias('tmp'),
    GIT_CONFIG_SYSTEM: join(alias('etc'), 'gitconfig'),
    ...(pythonUserBase === null ? {} : { PYTHONUSERBASE: pythonUserBase }),
  };
}

/** Facts about the inside, for the probes. */
export function landlockInside(folders: LandlockFolders): InsideFacts {
  return {
    workspace: join(folders.aliasDir, 'workspace'),
    scriptDir: join(folders.aliasDir, 'script'),
    allowedEnvironment: [...ALLOWED_ENVIRONMENT, 'PYTHONUSERBASE', 'GIT_CONFIG_SYSTEM'],
    mounts: [],
    writableMounts: [],
    namespaces: [],
    rootIsNobody: false,
    proxyPort: PROXY_PORT,
    sharesHost: true,
    ownFolders: [folders.aliasDir, folders.scratchDir, folders.targets.workspace],
  };
}
