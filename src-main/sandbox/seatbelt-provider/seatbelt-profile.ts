import { dirname } from 'node:path/posix';

/** What a program behind Seatbelt may touch. All paths are real ones: `/private/tmp`, not `/tmp`. */
export interface SeatbeltIsolation {
  readonly workspaceDir: string;
  /** The shell's own folder, a home and a place for temporary files; gone with the runtime. */
  readonly scratchDir: string;
  /** The person's interpreters, outside of the system's folders. */
  readonly toolchainFolders: readonly string[];
}

/** The system as Apple ships it: no file of a person lies here. */
const SYSTEM_FOLDERS = [
  ...['/usr', '/bin', '/sbin', '/System', '/Library/Apple', '/Library/Frameworks'],
  ...['/Library/Developer/CommandLineTools', '/Library/Preferences/Logging'],
  ...['/private/etc/ssl', '/private/var/db/timezone', '/private/var/db/dyld'],
];
const SYSTEM_FILES = [
  ...['/', '/etc', '/tmp', '/var', '/private', '/private/etc', '/private/var', '/private/tmp'],
  ...[
    '/private/etc/localtime',
    '/private/etc/passwd',
    '/private/etc/group',
    '/private/etc/protocols',
  ],
];
const DEVICES = ['/dev/null', '/dev/zero', '/dev/random', '/dev/urandom', '/dev/fd'];
/** What language runtimes ask of the machine; nothing of it tells about other processes. */
const SYSCTLS = [
  ...[
    'hw.activecpu',
    'hw.byteorder',
    'hw.cachelinesize',
    'hw.cpufamily',
    'hw.cputype',
    'hw.machine',
  ],
  ...['hw.logicalcpu', 'hw.logicalcpu_max', 'hw.memsize', 'hw.model', 'hw.ncpu', 'hw.nperflevels'],
  ...[
    'hw.pagesize',
    'hw.pagesize_compat',
    'hw.physicalcpu',
    'hw.physicalcpu_max',
    'hw.tbfrequency',
  ],
  ...['kern.argmax', 'kern.hostname', 'kern.iossupportversion', 'kern.maxfilesperproc'],
  ...['kern.osproductversion', 'kern.osrelease', 'kern.ostype', 'kern.osvariant_status'],
  ...['kern.osversion', 'kern.usrstack64', 'kern.version', 'sysctl.proc_cputype', 'vm.loadavg'],
];

/**
 * The profile for `sandbox-exec`: nothing is allowed but what is named. No network, no services of
 * the system but the one that knows user names, no signals to processes outside, no files of the
 * person; writing in the workspace and the scratch folder alone.
 */
export function seatbeltProfile(wall: SeatbeltIsolation): string {
  const { workspaceDir, scratchDir, toolchainFolders } = wall;
  const own = [workspaceDir, scratchDir];
  const ancestors = [...new Set([...own, ...toolchainFolders].flatMap(foldersAbove))].sort();
  return [
    '(version 1)',
    '(deny default)',
    '(allow process-exec)',
    '(allow process-fork)',
    '(allow signal (target same-sandbox))',
    '(allow process-info* (target same-sandbox))',
    '(allow ipc-posix-sem)',
    '(allow mach-lookup (global-name "com.apple.system.opendirectoryd.libinfo"))',
    rule(
      'allow sysctl-read',
      SYSCTLS.map((name) => `(sysctl-name ${quote(name)})`),
    ),
    rule('allow file-read*', [
      ...[...SYSTEM_FOLDERS, ...toolchainFolders].map(subpath),
      ...[...SYSTEM_FILES, ...DEVICES].map(literal),
      subpath('/dev/fd'),
    ]),
    // To walk down to what is allowed; what else lies in these folders is not shown.
    rule('allow file-read-metadata', ancestors.map(literal)),
    rule('allow file-write-data', DEVICES.map(literal)),
    rule('allow file-read* file-write*', own.map(subpath)),
    // What programs make must not become a way back in for others.
    '(deny file-write-setugid)',
    '(deny file-link)',
    rule('allow file-link', own.map(subpath)),
    '',
  ].join('\n');
}

function rule(head: string, parts: readonly string[]): string {
  return `(${head}\n${parts.map((part) => `  ${part}`).join('\n')})`;
}

function subpath(path: string): string {
  return `(subpath ${quote(path)})`;
}

function literal(path: string): string {
  return `(literal ${quote(path)})`;
}

/** A string of the profile language. Throws on what no path of ours has and no quoting makes safe. */
function quote(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are looked for to be refused
  if (/[\u0000-\u001f\u007f]/.test(text)) {
    throw new Error(
      `A path with control characters cannot be let into a sandbox: ${JSON.stringify(text)}`,
    );
  }
  return `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;
}

function foldersAbove(path: string): string[] {
  const folders: string[] = [];
  for (let folder = dirname(path); folder !== '/'; folder = dirname(folder)) folders.push(folder);
  return folders;
}
