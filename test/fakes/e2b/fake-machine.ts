import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';

/** What is taken away from the wall of a machine, so that probes have something to find. */
export type Hole =
  | { readonly kind: 'network' }
  | { readonly kind: 'kernel' }
  | { readonly kind: 'root' }
  | { readonly kind: 'files'; readonly dir: string };

export type MachineProcess = ChildProcessByStdio<Writable, Readable, Readable>;

const asRoot = process.getuid?.() === 0;
/** Process 1 of a machine: takes in what lost its parent, for ever. */
const INIT = 'echo up; while :; do sleep 9999 & wait $!; done';
const PASSWD = 'root:x:0:0::/root:/bin/bash\nuser:x:1000:1000::/home/user:/bin/bash\n';
const GROUP = 'root:x:0:\nuser:x:1000:\n';

/** By hand: with `--dev`, bwrap nests user namespaces, and then nobody but root can enter the machine. */
const DEVICES = [
  ...['--perms', '0755', '--tmpfs', '/dev', '--perms', '1777', '--dir', '/dev/shm'],
  ...['null', 'zero', 'full', 'random', 'urandom'].flatMap((name) => [
    ...['--dev-bind', `/dev/${name}`, `/dev/${name}`],
  ]),
  ...['--symlink', '/proc/self/fd', '/dev/fd', '--symlink', '/proc/self/fd/0', '/dev/stdin'],
  ...['--symlink', '/proc/self/fd/1', '/dev/stdout', '--symlink', '/proc/self/fd/2', '/dev/stderr'],
];

/** A computer of its own, as far as bubblewrap can make one. */
export class FakeMachine {
  readonly #init: ReturnType<typeof spawn>;
  readonly #pid: number;
  readonly #dir: string;
  readonly #hole: Hole | null;
  #removed: Promise<void> | null = null;

  private constructor(
    init: ReturnType<typeof spawn>,
    parts: { pid: number; dir: string; hole: Hole | null },
  ) {
    this.#init = init;
    this.#pid = parts.pid;
    this.#dir = parts.dir;
    this.#hole = parts.hole;
  }

  static async start(hole: Hole | null): Promise<FakeMachine> {
    const dir = await mkdtemp(join(tmpdir(), 'hyperagent-e2b-'));
    const put = async (name: string, text: string): Promise<string> => {
      await writeFile(join(dir, name), text);
      return join(dir, name);
    };
    const over = async (path: string, text: string): Promise<string[]> => [
      ...['--ro-bind', await put(path.replaceAll('/', '_'), text), path],
    ];
    const parts = [
      ...(asRoot ? [] : ['--unshare-user', '--uid', '1000', '--gid', '1000']),
      ...['--unshare-ipc', '--unshare-pid', '--unshare-uts', '--as-pid-1', '--die-with-parent'],
      ...['--new-session', '--hostname', 'e2b', '--info-fd', '3', '--clearenv'],
      ...(hole?.kind === 'network' ? [] : ['--unshare-net']),
      ...['--ro-bind', '/usr', '/usr', '--tmpfs', '/usr/local'],
      ...['--perms', '0755', '--dir', '/usr/local/bin'],
      ...['--ro-bind', await realpath(process.execPath), '/usr/local/bin/node'],
      ...['bin', 'sbin', 'lib', 'lib64'].flatMap((name) => [
        '--symlink',
        `usr/${name}`,
        `/${name}`,
      ]),
      ...['--proc', '/proc', ...DEVICES, '--perms', '0755', '--dir', '/etc'],
      ...['--ro-bind-try', '/etc/alternatives', '/etc/alternatives'],
      ...['--ro-bind-try', '/etc/ld.so.cache', '/etc/ld.so.cache'],
      ...(await over('/etc/passwd', PASSWD)),
      ...(await over('/etc/group', GROUP)),
      ...(await over('/proc/vmstat', 'oom_kill 0\n')),
      ...(hole?.kind === 'kernel'
        ? []
        : await over('/proc/sys/kernel/random/boot_id', 'another-computer\n')),
      ...['/run', '/home', '/home/user'].flatMap((path) => ['--perms', '0755', '--tmpfs', path]),
      ...['/tmp', '/var/tmp'].flatMap((path) => ['--perms', '1777', '--tmpfs', path]),
      ...['--perms', '0700', '--dir', '/root'],
      ...(hole?.kind === 'files' ? ['--bind', hole.dir, hole.dir] : []),
      ...['--', '/bin/bash', '-c', INIT],
    ];
    const init = spawn('bwrap', parts, { stdio: ['ignore', 'pipe', 'pipe', 'pipe'], env: {} });
    // Its process 1 is told before its file systems are there; it says itself when they are.
    const up = Promise.race([once(init.stdout as Readable, 'data'), once(init, 'exit')]);
    let refusal = '';
    init.stderr?.on('data', (text) => {
      refusal += String(text);
    });
    let info = '';
    for await (const chunk of init.stdio[3] as Readable) info += String(chunk);
    await up;
    const pid = Number(/"child-pid": (\d+)/.exec(info)?.[1] ?? 0);
    if (pid !== 0) {
      const machine = new FakeMachine(init, { pid, dir, hole });
      if ((await machine.run(['/bin/true'], 'user')).exitCode === 0) return machine;
      await machine.remove();
    }
    throw new Error(`no machine: ${refusal.trim() || 'its namespaces cannot be entered'}`);
  }

  /** Kills made for lack of memory are counted by the kernel; here, by the test. */
  async setMemoryKills(count: number): Promise<void> {
    await writeFile(
      join(this.#dir, '_proc_vmstat'),
      `nr_free_pages 1\noom_kill ${count}\nzone 0\n`,
    );
  }

  spawn(command: readonly string[], user: 'user' | 'root'): MachineProcess {
    const isUser = user === 'user' && this.#hole?.kind !== 'root';
    const ordinary = ['--reuid', '1000', '--regid', '1000', '--clear-groups', '--'];
    const namespace = ['--user', '--map-user=1000', '--map-group=1000', '--'];
    const become = isUser ? ['setpriv', ...ordinary, 'unshare', ...namespace] : [];
    return spawn(
      'nsenter',
      [
        ...['-t', `${this.#pid}`, '-m', '-p', '-i', '-u'],
        ...(this.#hole?.kind === 'network' ? [] : ['-n']),
        ...(asRoot ? ['--', ...become] : ['-U', '--preserve-credentials', '--']),
        ...command,
      ],
      {
        stdio: ['pipe', 'pipe', 'pipe'],
        // What the service itself puts into the environment; ours must not show it.
        env: { PATH: '/usr/local/bin:/usr/bin:/bin', HOME: '/home/user', E2B_SANDBOX: 'true' },
        cwd: '/',
      },
    );
  }

  async run(
    command: readonly string[],
    user: 'user' | 'root',
    input?: Buffer,
  ): Promise<{ exitCode: number | null; stdout: Buffer }> {
    const child = this.spawn(command, user);
    child.stdin.on('error', () => undefined);
    child.stdin.end(input ?? '');
    child.stderr.resume();
    const chunks: Buffer[] = [];
    child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk));
    await once(child, 'close');
    return { exitCode: child.exitCode, stdout: Buffer.concat(chunks) };
  }

  /** Process 1 dies, and everything in the machine with it. */
  remove(): Promise<void> {
    this.#removed ??= this.#remove();
    return this.#removed;
  }

  async #remove(): Promise<void> {
    if (this.#init.exitCode === null && this.#init.signalCode === null) {
      const ended = once(this.#init, 'exit');
      try {
        process.kill(this.#pid, 'SIGKILL');
      } catch {
        // It has ended by itself.
      }
      await ended;
    }
    await rm(this.#dir, { recursive: true, force: true });
  }
}
