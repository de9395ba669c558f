/** What every sandbox looks like to the programs in it, whichever provider runs it. */

export const WORKSPACE = '/workspace';
/** The shell's own folder, for the text of commands. */
export const SCRIPT_DIR = '/run/hyperagent';
export const INSIDE_HOME = '/home/agent';

/** The whole environment of commands, except PATH. */
export const COMMON_ENVIRONMENT: Readonly<Record<string, string>> = {
  HOME: INSIDE_HOME,
  USER: 'agent',
  LOGNAME: 'agent',
  SHELL: '/bin/bash',
  LANG: 'C.UTF-8',
  TERM: 'dumb',
  TMPDIR: '/tmp',
  // Charts go to files, because there is no screen; output is unbuffered; no caches in the workspace.
  MPLBACKEND: 'Agg',
  PYTHONUNBUFFERED: '1',
  PYTHONDONTWRITEBYTECODE: '1',
};

/** The app's own files inside, read-only. */
export const INSIDE_FILES = '/opt/hyperagent';
/** Ports of the relay, on the sandbox's own loopback. */
export const PROXY_PORT = 8118;
export const CALL_PORT = 8119;

const PROXY = `http://127.0.0.1:${PROXY_PORT}`;
const AUTHORITIES = `${INSIDE_FILES}/ca.pem`;

/** Points programs to the proxy and to the certificate authorities to trust. */
export const NETWORK_ENVIRONMENT: Readonly<Record<string, string>> = {
  HTTP_PROXY: PROXY,
  HTTPS_PROXY: PROXY,
  ALL_PROXY: PROXY,
  http_proxy: PROXY,
  https_proxy: PROXY,
  all_proxy: PROXY,
  NO_PROXY: 'localhost,127.0.0.1,::1',
  no_proxy: 'localhost,127.0.0.1,::1',
  NODE_USE_ENV_PROXY: '1',
  SSL_CERT_FILE: AUTHORITIES,
  REQUESTS_CA_BUNDLE: AUTHORITIES,
  CURL_CA_BUNDLE: AUTHORITIES,
  NODE_EXTRA_CA_CERTS: AUTHORITIES,
  PIP_DISABLE_PIP_VERSION_CHECK: '1',
  // Packages go to the home of the sandbox; the system's own are read-only anyway.
  PIP_BREAK_SYSTEM_PACKAGES: '1',
  // `import hyperagent`
  PYTHONPATH: `${INSIDE_FILES}/lib`,
};

/** The command that starts the relay; the two descriptors are its stream to the app. */
export function relayCommand(input: number, output: number): string[] {
  const ports = [`${PROXY_PORT}`, `${CALL_PORT}`];
  return ['python3', '-I', '-S', `${INSIDE_FILES}/relay.py`, `${input}`, `${output}`, ...ports];
}

/** Variables that bash and the app set for the program that a command starts. */
const SHELL_ENVIRONMENT = ['PATH', 'PWD', 'OLDPWD', 'SHLVL', '_', 'PYTHONPATH'];

/** Every variable that programs may see. */
export const ALLOWED_ENVIRONMENT: readonly string[] = [
  ...Object.keys(COMMON_ENVIRONMENT),
  ...Object.keys(NETWORK_ENVIRONMENT),
  ...SHELL_ENVIRONMENT,
];

const MEGABYTE = 1024 * 1024;

/** Writable file systems in memory, and their sizes in bytes. */
export function scratchFolders(memoryBytes: number): Readonly<Record<string, number>> {
  const share = (part: number): number => Math.max(Math.floor(memoryBytes / part), MEGABYTE);
  return {
    '/tmp': share(2),
    '/dev/shm': share(4),
    [INSIDE_HOME]: share(4),
    [SCRIPT_DIR]: 16 * MEGABYTE,
  };
}
