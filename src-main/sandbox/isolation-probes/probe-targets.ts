import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import dgram from 'node:dgram';
import { once } from 'node:events';
import { chown, lstat, mkdir, mkdtemp, readlink, rm, stat, writeFile } from 'node:fs/promises';
import net from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DisposalStack } from '../../base/disposable.ts';
import { workspaceOwner } from '../workspace/owner.ts';

/** Facts about the inside that the back-end knows. */
export interface InsideFacts {
  readonly workspace: string;
  readonly scriptDir: string;
  /** Names of every variable that programs may see. */
  readonly allowedEnvironment: readonly string[];
  /** Every allowed mount point, except those in /proc, /dev and /sys. */
  readonly mounts: readonly string[];
  /** Those of them that may be writable. */
  readonly writableMounts: readonly string[];
  /** Namespaces that must not be the host's. */
  readonly namespaces: readonly string[];
  /** Uid 0 inside is an ordinary user outside (rootless engines). */
  readonly rootIsNobody: boolean;
  /** Port of the relay on the loopback inside; null where the runtime has no channel. */
  readonly proxyPort: number | null;
  /**
   * Programs have the host's mounts, process numbers and file names: there, what counts is what can be opened, and
   * not what can be seen.
   */
  readonly sharesHost?: boolean;
  /** Folders of the host that programs may use, where they share it. */
  readonly ownFolders?: readonly string[];
}

/** Facts about the host that probes try to reach. */
export interface HostFactsForProbes {
  readonly home: string;
  /** The app's data folder: the secret is put there, beside the workspaces. */
  readonly dataDir: string;
  readonly environment: NodeJS.ProcessEnv;
  readonly engineSockets: readonly string[];
}

/** Bait on the host, and what happened to it. */
export interface ProbeTargets {
  /** The facts for the program inside. */
  readonly description: Readonly<Record<string, unknown>>;
  /** What reached the host, seen from the host, under the name of each probe. */
  findBreaches(): Promise<{ probe: string; fact: string }[]>;
  dispose(): Promise<void>;
}

const FOLDERS_OUTSIDE =
  '/ /usr /usr/bin /usr/lib /usr/local /etc /bin /lib /opt /var /boot /srv /mnt';
/** Files and folders that a sandbox must not share with the host. */
const HOST_FILES =
  '/ /etc /etc/passwd /etc/group /etc/shadow /etc/hosts /etc/machine-id /root /home /var /var/log /boot /run /tmp /dev /sys'.split(
    ' ',
  );
/** macOS has no mounts: programs see the system, but must not see the user's files. */
const HOST_FILES_OF_MACOS = ['/private/var/log', '/private/var/db', '/Library/Keychains'];
const PRIVATE_FOLDERS = ['/tmp', '/var/tmp', '/dev/shm', '/run'];

/** Creates a secret, listeners of every kind and a process, for one round of probes. */
export async function makeProbeTargets(
  inside: InsideFacts,
  host: HostFactsForProbes,
): Promise<ProbeTargets> {
  const stack = new DisposalStack();
  const nonce = randomBytes(8).toString('hex');
  const reached = new Map<string, string>();
  try {
    const secretDir = join(host.dataDir, `probe-${nonce}`);
    await mkdir(host.dataDir, { recursive: true, mode: 0o700 });
    // World-readable: the sandbox must protect it, not file permissions.
    await mkdir(secretDir);
    stack.add(() => rm(secretDir, { recursive: true, force: true }));
    const secret = join(secretDir, 'secret');
    await writeFile(secret, nonce);
    // Where they have the host's mounts: a file that its permissions would let them change.
    const ownFile = await makeOwnFile(stack);

    const socketDir = await mkdtemp(join(tmpdir(), 'ha-probe-'));
    stack.add(() => rm(socketDir, { recursive: true, force: true }));
    const tcp = listener(stack, () => reached.set('connect_loopback', 'a TCP connection arrived'));
    const path = listener(stack, () => reached.set('host_sockets', 'a UNIX connection arrived'));
    const abstract = listener(stack, () =>
      reached.set('host_sockets', 'an abstract UNIX connection arrived'),
    );
    const udp = dgram.createSocket('udp4', () =>
      reached.set('connect_loopback', 'a datagram arrived'),
    );
    stack.add(() => new Promise<void>((resolve) => udp.close(() => resolve())));
    const isLinux = process.platform === 'linux';
    const abstractName = `hyperagent-probe-${nonce}`;
    udp.bind(0, '127.0.0.1');
    const [port] = await Promise.all([
      listen(tcp, { port: 0, host: '127.0.0.1' }),
      listen(path, { path: join(socketDir, 'host') }),
      isLinux ? listen(abstract, { path: `\0${abstractName}` }) : null,
      once(udp, 'listening'),
    ]);

    const marker = `61.${BigInt(`0x${nonce}`)}`;
    // Of the user that programs run as: permissions alone must not be what protects it.
    const owner = workspaceOwner();
    const victim = spawn('sleep', [marker], {
      stdio: 'ignore',
      env: {},
      cwd: '/',
      ...(owner === null ? {} : owner),
    });
    stack.add(() => endProcess(victim));
    await once(victim, 'spawn');

    const runtimeDir = host.environment.XDG_RUNTIME_DIR ?? `/run/user/${process.getuid?.() ?? 0}`;
    const description = {
      nonce,
      ...{ sharesHost: false, ownFolders: [] },
      ...inside,
      foldersOutside: [...FOLDERS_OUTSIDE.split(' '), host.home, host.dataDir, secretDir],
      privateFolders: PRIVATE_FOLDERS,
      deviceFolders: ['/tmp', inside.workspace],
      ownFile,
      secrets: [secret, join(host.home, '.ssh/id_rsa'), join(host.home, '.ssh/id_ed25519')],
      hostFiles: await identify(hostFiles(inside, host)),
      tcpListeners: [['127.0.0.1', port]],
      udpListeners: [['127.0.0.1', udp.address().port]],
      engineSockets: host.engineSockets,
      hostSockets: [
        join(socketDir, 'host'),
        join(runtimeDir, 'bus'),
        '/run/dbus/system_bus_socket',
        '/tmp/.X11-unix/X0',
        ...(host.environment.SSH_AUTH_SOCK === undefined ? [] : [host.environment.SSH_AUTH_SOCK]),
      ],
      abstractSockets: isLinux ? [abstractName, '/tmp/.X11-unix/X0'] : [],
      victimPid: victim.pid,
      victimMarker: marker,
      hostNamespaces: isLinux ? await readNamespaces(inside.namespaces) : {},
    };
    return {
      description,
      findBreaches: async () => {
        const facts = [...reached].map(([probe, fact]) => ({ probe, fact }));
        if (victim.exitCode !== null || victim.signalCode !== null) {
          facts.push({ probe: 'signal_and_trace', fact: 'a process of the host was killed' });
        }
        return [
          ...facts,
          ...(await findStrayFiles(nonce, [...description.foldersOutside, ...PRIVATE_FOLDERS])),
        ];
      },
      dispose: () => stack.dispose(),
    };
  } catch (error) {
    await stack.dispose();
    throw error;
  }
}

/** A file of the user that programs run as, in a folder that everybody may enter. */
async function makeOwnFile(stack: DisposalStack): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'ha-own-'));
  stack.add(() => rm(folder, { recursive: true, force: true }));
  const file = join(folder, 'file');
  await writeFile(file, 'untouched');
  const owner = workspaceOwner();
  if (owner !== null) {
    await chown(folder, owner.uid, owner.gid);
    await chown(file, owner.uid, owner.gid);
  }
  return file;
}

/** Without mounts, the folders above the workspace must be accessible. */
function hostFiles(inside: InsideFacts, { home, dataDir }: HostFactsForProbes): string[] {
  if (process.platform === 'linux') return [...HOST_FILES, home, dataDir];
  const candidates = [...HOST_FILES_OF_MACOS, home, dataDir];
  return candidates.filter((path) => !inside.workspace.startsWith(`${path}/`));
}

function listener(stack: DisposalStack, onConnection: () => void): net.Server {
  const server = net.createServer((socket) => {
    onConnection();
    socket.destroy();
  });
  stack.add(() => new Promise<void>((resolve) => server.close(() => resolve())));
  return server;
}

/** Starts listening; returns the port, if there is one. */
async function listen(server: net.Server, options: net.ListenOptions): Promise<number | null> {
  server.listen(options);
  await once(server, 'listening');
  const address = server.address();
  return typeof address === 'object' && address !== null ? address.port : null;
}

async function endProcess(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGKILL');
  await ended;
}

/** Device and inode of existing paths: the same pair inside is the same file. */
async function identify(paths: readonly string[]): Promise<[string, [number, number]][]> {
  const found: [string, [number, number]][] = [];
  for (const path of paths) {
    const status = await stat(path).catch(() => null);
    if (status !== null) found.push([path, [status.dev, status.ino]]);
  }
  return found;
}

async function readNamespaces(kinds: readonly string[]): Promise<Record<string, string>> {
  const entries = kinds.map(
    async (kind) => [kind, await readlink(`/proc/self/ns/${kind}`)] as const,
  );
  return Object.fromEntries(await Promise.all(entries));
}

/** Files of the probes that appeared on the host; they are removed. */
async function findStrayFiles(
  nonce: string,
  folders: readonly string[],
): Promise<{ probe: string; fact: string }[]> {
  const found = [];
  for (const folder of folders) {
    const file = join(folder, `.hyperagent-probe-${nonce}`);
    if ((await lstat(file).catch(() => null)) === null) continue;
    await rm(file, { force: true });
    found.push({ probe: 'write_outside', fact: `${file} was written on the host` });
  }
  return found;
}
