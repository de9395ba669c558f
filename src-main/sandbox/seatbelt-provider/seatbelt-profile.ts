import { dirname } from 'node:path/posix';

/** What a program in Seatbelt may access. All paths are real: `/private/tmp`, not `/tmp`. */
export interface SeatbeltIsolation {
  readonly workspaceDir: string;
  /** The shell's folder, a home and temporary files; removed with the runtime. */
  readonly scratchDir: string;
  /** The user's interpreters outside the system folders. */
  readonly toolchainFolders: readonly string[];
}

/** The system as Apple ships it, without any user's files. */
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
/** What language runtimes ask about the computer; nothing reveals other processes. */
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
 * The profile for `sandbox-exec`: everything is denied unless listed. No network, no system services except
 * the user name lookup, no signals to processes outside, none of the user's files; writing only in the
 * workspace and the scratch folder.
 */
export function seatbeltProfile(isolation: SeatbeltIsolation): string {
  const { workspaceDir, scratchDir, toolchainFolders } = isolation;
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
    // To reach the allowed folders; other contents of these parents stay hidden.
    rule('allow file-read-metadata', ancestors.map(literal)),
    rule('allow file-write-data', DEVICES.map(literal)),
    rule('allow file-read* file-write*', own.map(subpath)),
    // Files that programs create must not become a privilege escalation for others.
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

/** A string of the profile language. Throws on control characters, which no quoting makes safe. */
function quote(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: searched for in order to refuse them
  if (/[\u0000-\u001f\u007f]/.test(text)) {
    throw new Error(
      `A path with control characters cannot be used in a sandbox: ${JSON.stringify(text)}`,
    );
  }
  return `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;
}

function foldersAbove(path: string): string[] {
  const folders: string[] = [];
  for (let folder = dirname(path); folder !== '/'; folder = dirname(folder)) folders.push(folder);
  return folders;
}
