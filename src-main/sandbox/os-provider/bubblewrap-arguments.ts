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
import { ORDINARY_UID } from '../workspace/owner.ts';
import type { Toolchain } from './toolchain.ts';

/** Who programs are inside, in every sandbox of ours. */
export const INSIDE_UID = ORDINARY_UID;

/** Where the filter of system calls is read from. */
export const SECCOMP_FD = 3;
/** The stream to the relay; the shell starts it and closes this. */
export const RELAY_FD = 4;

/** Folders of the system that programs live in; shown read-only. */
export const SYSTEM_FOLDERS = ['/usr', '/bin', '/sbin', '/lib', '/lib32', '/lib64'];

/** What of /etc programs need to start, draw and speak TLS. No accounts, keys or host names. */
const ETC_ENTRIES = [
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
  /** Folder of the host with the files of /etc that we write ourselves, by name. */
  readonly etcDir: string;
  readonly etcFiles: readonly string[];
  /** Folder of the host that is `/opt/hyperagent` inside. */
  readonly insideDir: string;
  /** How system folders look on this host: a link (`/bin` → `usr/bin`) or a folder. */
  readonly systemFolders: readonly { readonly path: string; readonly linkTo: string | null }[];
  /** Paths on the host of the programs that take root away; null unless the app runs as root. */
  readonly dropRoot: { readonly setpriv: string; readonly bwrap: string } | null;
  readonly memoryBytes: number;
}

/**
 * The wall as arguments of bwrap: a fresh root that shows the system's programs and the person's
 * interpreters read-only, the workspace, and nothing else of the host; every namespace its own, no
 * network, no capability, no terminal, an environment made from nothing, a filter of system calls.
 *
 * No argument makes anything below a folder that commands could have written to, only below fresh ones in
 * memory: bwrap up to 0.11 follows links there while it builds the root (GHSA-pxhw-h44j-8pfx), and a bind
 * source that commands can replace would be CVE-2024-42472. Sources here are the system's, ours, or the workspace itself, whose parent
 * no sandbox can write.
 */
export function bubblewrapArguments(wall: BubblewrapIsolation): string[] {
  const { toolchain, dropRoot } = wall;
  const scratchOf = scratchFolders(wall.memoryBytes);
  // What is in memory covers what was shown below it before: an app in `/tmp` would lose its Node.
  const [inScratch, elsewhere] = partition(toolchain.folders, (folder) =>
    Object.keys(scratchOf).some((path) => folder.startsWith(`${path}/`)),
  );
  return [
    ...(dropRoot !== null
      ? []
      : ['--unshare-user', '--uid', `${INSIDE_UID}`, '--gid', `${INSIDE_UID}`]),
    ...['--unshare-ipc', '--unshare-pid', '--unshare-net', '--unshare-uts', '--unshare-cgroup-try'],
    ...['--die-with-parent', '--new-session', '--hostname', 'sandbox'],
    ...['--cap-drop', 'ALL', ...(dropRoot === null ? [] : KEPT_TO_DROP_ROOT)],
    ...wall.systemFolders.flatMap(({ path, linkTo }) =>
      linkTo === null ? ['--ro-bind', path, path] : ['--symlink', linkTo, path],
    ),
    ...foldersAbove([...etcPaths(wall), ...elsewhere, ...[INSIDE_HOME, SCRIPT_DIR, INSIDE_FILES]]),
    ...ETC_ENTRIES.flatMap((name) => ['--ro-bind-try', `/etc/${name}`, `/etc/${name}`]),
    ...wall.etcFiles.flatMap((name) => ['--ro-bind', `${wall.etcDir}/${name}`, `/etc/${name}`]),
    ...elsewhere.flatMap((folder) => ['--ro-bind', folder, folder]),
    ...['--ro-bind', wall.insideDir, INSIDE_FILES],
    ...['--proc', '/proc', '--dev', '/dev'],
    ...Object.entries(scratchOf).flatMap(scratch),
    ...foldersAbove(inScratch, Object.keys(scratchOf)),
    ...inScratch.flatMap((folder) => ['--ro-bind', folder, folder]),
    ...['--bind', wall.workspaceDir, WORKSPACE],
    ...['--remount-ro', '/dev', '--remount-ro', '/'],
    // Root without its capabilities may not enter a folder that is somebody else's alone.
    ...['--chdir', dropRoot === null ? WORKSPACE : '/', '--clearenv', ...environment(toolchain)],
    ...(dropRoot === null
      ? ['--seccomp', `${SECCOMP_FD}`, '--']
      : ['--', ...asOrdinaryUser(dropRoot)]),
    ...['/bin/bash', '--noprofile', '--norc'],
  ];
}

function etcPaths({ etcFiles }: BubblewrapIsolation): string[] {
  return [...ETC_ENTRIES, ...etcFiles].map((name) => `/etc/${name}`);
}

/** bwrap makes missing folders unreadable for others, and an app run as root is another inside. */
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

/** A file system in memory, writable by whoever the programs are. */
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

/** What the probes are told about the wall. */
export function bubblewrapInside(wall: BubblewrapIsolation): InsideFacts {
  const scratch = Object.keys(scratchFolders(wall.memoryBytes));
  return {
    workspace: WORKSPACE,
    scriptDir: SCRIPT_DIR,
    allowedEnvironment: [...ALLOWED_ENVIRONMENT, 'PYTHONUSERBASE'],
    mounts: [
      ...['/', '/proc', '/dev', WORKSPACE, ...scratch],
      ...wall.systemFolders.map(({ path }) => path),
      ...etcPaths(wall),
      ...wall.toolchain.folders,
      INSIDE_FILES,
    ],
    writableMounts: [WORKSPACE, '/proc', '/dev/pts', ...scratch],
    namespaces: ['pid', 'net', 'ipc', 'uts', 'mnt', 'user', 'cgroup'],
    rootIsNobody: false,
    proxyPort: PROXY_PORT,
  };
}

/** Root's only use inside is to stop being root. */
const KEPT_TO_DROP_ROOT = ['SETUID', 'SETGID'].flatMap((name) => ['--cap-add', `CAP_${name}`]);

/**
 * An app that runs as root builds the outer wall as root, because only root can open its folders;
 * then the programs become an ordinary user of the host (not just of a namespace: root mapped to
 * somebody else would still be root to /proc, and exempt from the limit of processes) and enter a
 * user namespace of their own behind a second bwrap, which carries the filter.
 */
function asOrdinaryUser({ setpriv, bwrap }: { setpriv: string; bwrap: string }): string[] {
  const id = `${INSIDE_UID}`;
  return [
    ...[setpriv, '--reuid', id, '--regid', id, '--clear-groups', '--'],
    ...[bwrap, '--unshare-user', '--uid', id, '--gid', id, '--die-with-parent'],
    ...['--dev-bind', '/', '/', '--chdir', WORKSPACE, '--seccomp', `${SECCOMP_FD}`, '--'],
  ];
}
