import { dirname } from 'node:path';
import {
  ALLOWED_ENVIRONMENT,
  COMMON_ENVIRONMENT,
  INSIDE_FILES,
  INSIDE_HOME,
  NETWORK_ENVIRONMENT,
  PROXY_PORT,
  SCRIPT_DIR,
  scratchFolders,
  WORKSPACE,
} from '../inside.ts';
import type { InsideFacts } from '../isolation-probes/probe-targets.ts';
import type { OpenedFolder } from '../types.ts';
import { ORDINARY_UID } from '../workspace/owner.ts';
import type { Toolchain } from './toolchain.ts';

/** The user id of programs in every sandbox. */
export const INSIDE_UID = ORDINARY_UID;

/** Descriptor from which the system-call filter is read. */
export const SECCOMP_FD = 3;
/** Descriptor of the stream to the relay; the shell starts the relay and closes it. */
export const RELAY_FD = 4;

/** System folders with programs; mounted read-only. */
export const SYSTEM_FOLDERS = ['/usr', '/bin', '/sbin', '/lib', '/lib32', '/lib64'];

/** The parts of /etc that programs need to start, draw and use TLS. No accounts, keys or host names. */
export const ETC_ENTRIES = [
  'ld.so.cache',
  'ld.so.conf',
  'ld.so.conf.d',
  'alternatives',
  'ssl/certs',
  'ssl/openssl.cnf',
  'pki/tls/certs',
  'pki/ca-trust/extracted',
  'ca-certificates',
  'fonts',
  'localtime',
  'libreoffice',
  'mime.types',
  'magic',
  'matplotlibrc',
  'perl',
  'python3',
  'terminfo',
];

export interface BubblewrapIsolation {
  readonly toolchain: Toolchain;
  readonly workspaceDir: string;
  /** Folder of the host with generated files for /etc. */
  readonly etcDir: string;
  readonly etcFiles: readonly string[];
  /** Folder of the host that is `/opt/hyperagent` inside. */
  readonly insideDir: string;
  /** System folders of this host: each a link (`/bin` → `usr/bin`) or a folder. */
  readonly systemFolders: readonly { readonly path: string; readonly linkTo: string | null }[];
  /** Paths of the programs that drop root; null unless the app runs as root. */
  readonly dropRoot: { readonly setpriv: string; readonly bwrap: string } | null;
  readonly memoryBytes: number;
  /** Folders that the user opened; none if absent. */
  readonly folders?: readonly OpenedFolder[];
}

/**
 * The isolation as arguments of bwrap: a fresh root with the system's programs and the user's
 * interpreters read-only, the workspace, and nothing else of the host; separate namespaces, no network, no
 * capabilities, no terminal, an empty initial environment, a system-call filter.
 *
 * No argument creates anything below a folder that commands can write, only below fresh ones in memory:
 * bwrap up to 0.11 follows links there while it builds the root (GHSA-pxhw-h44j-8pfx), and a bind source that
 * commands can replace would be CVE-2024-42472. Bind sources belong to the system or the app, are folders that the
 * user opened, or are the workspace itself, whose parent no sandbox can write.
 */
export function bubblewrapArguments(isolation: BubblewrapIsolation): string[] {
  const { toolchain, dropRoot } = isolation;
  const scratchOf = scratchFolders(isolation.memoryBytes);
  // A file system in memory hides earlier mounts below it: an app in `/tmp` would lose its Node.
  const shown: readonly OpenedFolder[] = [
    ...toolchain.folders.map((path) => ({ path, access: 'read' as const })),
    ...(isolation.folders ?? []),
  ];
  const [inScratch, elsewhere] = partition(shown, ({ path: folder }) =>
    Object.keys(scratchOf).some((path) => folder.startsWith(`${path}/`)),
  );
  return [
    ...(dropRoot !== null
      ? []
      : ['--unshare-user', '--uid', `${INSIDE_UID}`, '--gid', `${INSIDE_UID}`]),
    ...['--unshare-ipc', '--unshare-pid', '--unshare-net', '--unshare-uts', '--unshare-cgroup-try'],
    ...['--die-with-parent', '--new-session', '--hostname', 'sandbox'],
    ...['--cap-drop', 'ALL', ...(dropRoot === null ? [] : KEPT_TO_DROP_ROOT)],
    ...isolation.systemFolders.flatMap(({ path, linkTo }) =>
      linkTo === null ? ['--ro-bind', path, path] : ['--symlink', linkTo, path],
    ),
    ...foldersAbove([
      ...etcPaths(isolation),
      ...elsewhere.map(({ path }) => path),
      ...[INSIDE_HOME, SCRIPT_DIR, INSIDE_FILES],
    ]),
    ...ETC_ENTRIES.flatMap((name) => ['--ro-bind-try', `/etc/${name}`, `/etc/${name}`]),
    ...isolation.etcFiles.flatMap((name) => [
      '--ro-bind',
      `${isolation.etcDir}/${name}`,
      `/etc/${name}`,
    ]),
    ...elsewhere.flatMap(bind),
    ...['--ro-bind', isolation.insideDir, INSIDE_FILES],
    ...['--proc', '/proc', '--dev', '/dev'],
    ...Object.entries(scratchOf).flatMap(scratch),
    ...foldersAbove(
      inScratch.map(({ path }) => path),
      Object.keys(scratchOf),
    ),
    ...inScratch.flatMap(bind),
    ...['--bind', isolation.workspaceDir, WORKSPACE],
    ...['--remount-ro', '/dev', '--remount-ro', '/'],
    // Root without capabilities may not enter another user's private folder.
    ...['--chdir', dropRoot === null ? WORKSPACE : '/', '--clearenv', ...environment(toolchain)],
    ...(dropRoot === null
      ? ['--seccomp', `${SECCOMP_FD}`, '--']
      : ['--', ...asOrdinaryUser(dropRoot)]),
    ...['/bin/bash', '--noprofile', '--norc'],
  ];
}

function bind({ path, access }: OpenedFolder): string[] {
  return [access === 'read' ? '--ro-bind' : '--bind', path, path];
}

function etcPaths({ etcFiles }: BubblewrapIsolation): string[] {
  return [...ETC_ENTRIES, ...etcFiles].map((name) => `/etc/${name}`);
}

/** bwrap makes missing parents unreadable for others, and programs of an app run as root are another user inside. */
function foldersAbove(paths: readonly string[], known: readonly string[] = []): string[] {
  const folders = new Set<string>();
  for (const path of paths) {
    for (let folder = dirname(path); folder !== '/'; folder = dirname(folder)) folders.add(folder);
  }
  return [...folders]
    .filter((folder) => !known.some((path) => path === folder || path.startsWith(`${folder}/`)))
    .sort()
    .flatMap((folder) => ['--perms', '0755', '--dir', folder]);
}

function partition<Item>(
  items: readonly Item[],
  isFirst: (item: Item) => boolean,
): readonly [readonly Item[], readonly Item[]] {
  return [items.filter(isFirst), items.filter((item) => !isFirst(item))];
}

/** A file system in memory, writable by any user. */
function scratch([path, bytes]: [path: string, bytes: number]): string[] {
  return ['--perms', '1777', '--size', `${bytes}`, '--tmpfs', path];
}

function environment({ path, pythonUserBase }: Toolchain): string[] {
  const variables: Record<string, string> = {
    PATH: [...path, '/usr/local/bin', '/usr/bin', '/bin', '/usr/sbin', '/sbin'].join(':'),
    ...COMMON_ENVIRONMENT,
    ...NETWORK_ENVIRONMENT,
    ...(pythonUserBase === null ? {} : { PYTHONUSERBASE: pythonUserBase }),
  };
  return Object.entries(variables).flatMap(([name, value]) => ['--setenv', name, value]);
}

/** Facts about the inside, for the probes. */
export function bubblewrapInside(isolation: BubblewrapIsolation): InsideFacts {
  const scratch = Object.keys(scratchFolders(isolation.memoryBytes));
  return {
    workspace: WORKSPACE,
    scriptDir: SCRIPT_DIR,
    allowedEnvironment: [...ALLOWED_ENVIRONMENT, 'PYTHONUSERBASE'],
    mounts: [
      ...['/', '/proc', '/dev', WORKSPACE, ...scratch],
      ...isolation.systemFolders.map(({ path }) => path),
      ...etcPaths(isolation),
      ...isolation.toolchain.folders,
      INSIDE_FILES,
    ],
    writableMounts: [WORKSPACE, '/proc', '/dev/pts', ...scratch],
    namespaces: ['pid', 'net', 'ipc', 'uts', 'mnt', 'user', 'cgroup'],
    rootIsNobody: false,
    proxyPort: PROXY_PORT,
  };
}

/** Root keeps only what it needs to drop root. */
const KEPT_TO_DROP_ROOT = ['SETUID', 'SETGID'].flatMap((name) => ['--cap-add', `CAP_${name}`]);

/**
 * An app that runs as root builds the outer sandbox as root, because only root can open its folders; then
 * the programs become an ordinary user of the host (not just of a namespace: root mapped to another user
 * would still be root to /proc, and exempt from the process limit) and enter their own user namespace in
 * a second bwrap, which carries the filter.
 */
function asOrdinaryUser({ setpriv, bwrap }: { setpriv: string; bwrap: string }): string[] {
  const id = `${INSIDE_UID}`;
  return [
    ...[setpriv, '--reuid', id, '--regid', id, '--clear-groups', '--'],
    ...[bwrap, '--unshare-user', '--uid', id, '--gid', id, '--die-with-parent'],
    ...['--dev-bind', '/', '/', '--chdir', WORKSPACE, '--seccomp', `${SECCOMP_FD}`, '--'],
  ];
}
