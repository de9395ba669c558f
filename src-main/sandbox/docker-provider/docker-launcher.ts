import { Duplex } from 'node:stream';
import { AppError } from '#contract/errors.ts';
import type { Logger } from '../../base/logger.ts';
import { relayCommand } from '../inside.ts';
import type { SeenProcess, ShellProcess } from '../shell/shell-process.ts';
import type { ShellLauncher } from '../shell/shell-runtime.ts';
import { removeContainer } from './container-owner.ts';
import { ContainerShell } from './container-shell.ts';
import { CreateAnswer, ExecAnswer, TopAnswer } from './engine-answers.ts';
import { type EngineClient, EngineError, EngineGoneError } from './engine-client.ts';
import { demultiplex } from './frame-demultiplexer.ts';

export interface DockerLauncherParts {
  readonly client: EngineClient;
  /** See `containerConfig`. */
  readonly config: Readonly<Record<string, unknown>>;
  /** The system-call filter, installed before the shell starts. */
  readonly filter: Buffer;
  /** File inside that counts out-of-memory kills. */
  readonly oomCounterFile: string;
  readonly logger: Logger;
  /** Whether the engine's process ids are those of its host. */
  readonly seesProcesses: boolean;
  /** Whether to start a relay beside the shell. */
  readonly withRelay: boolean;
}

/**
 * Installs our system-call filter beside the engine's and executes the named program. Engines before 23
 * allow AF_VSOCK, which leads out of the virtual machine of Docker Desktop.
 */
const ENTER = `
import base64, ctypes, os, sys
code = base64.b64decode(sys.argv[1])
class Program(ctypes.Structure):
    _fields_ = [("length", ctypes.c_ushort), ("code", ctypes.c_char_p)]
program = Program(len(code) // 8, code)
libc = ctypes.CDLL(None, use_errno=True)
libc.prctl.argtypes = [ctypes.c_int] + [ctypes.c_ulong] * 4
if libc.prctl(38, 1, 0, 0, 0) or libc.prctl(22, 2, ctypes.addressof(program), 0, 0):
    sys.exit("the system-call filter was refused:  " + os.strerror(ctypes.get_errno()))
os.execvp(sys.argv[2], sys.argv[2:])
`;

/** Most characters of a listed command line. */
const COMMAND_CHARS = 2048;

/** Starts shells in one container, created with the first shell and restarted when everything in it must die. */
export class DockerLauncher implements ShellLauncher {
  readonly #parts: DockerLauncherParts;
  #containerId: string | null = null;
  /** A shell in it was lost, so its children can no longer be tracked. */
  #mustDie = false;

  constructor(parts: DockerLauncherParts) {
    this.#parts = parts;
  }

  async launch(signal: AbortSignal): Promise<ShellProcess> {
    try {
      const id = await this.#startContainer(signal);
      return await this.#startShell(id, signal);
    } catch (error) {
      if (signal.aborted) throw error;
      throw asAppError(error);
    }
  }

  async dispose(): Promise<void> {
    const id = this.#containerId;
    this.#containerId = null;
    if (id === null) return;
    try {
      await removeContainer(this.#parts.client, id);
    } catch (error) {
      // The next start of the app finds and removes it by its label.
      this.#parts.logger.warn('A sandbox container could not be removed', { id, error });
    }
  }

  async #startContainer(signal: AbortSignal): Promise<string> {
    const { client, config } = this.#parts;
    if (this.#containerId !== null) {
      const path = `/containers/${this.#containerId}`;
      try {
        if (this.#mustDie) await this.#killAll(this.#containerId);
        await client.request({ method: 'POST', path: `${path}/start`, signal });
        return this.#containerId;
      } catch (error) {
        if (!(error instanceof EngineError && error.status === 404)) throw error;
        // Something removed it; files are in the workspace, so a new container will do.
        this.#containerId = null;
      }
    }
    // Not aborted half-way: an unknown container would never be removed.
    const created = await client.request({
      method: 'POST',
      path: '/containers/create',
      json: config,
    });
    const id = CreateAnswer.parse(created).Id;
    this.#containerId = id;
    await client.request({ method: 'POST', path: `/containers/${id}/start`, signal });
    return id;
  }

  async #startShell(containerId: string, signal: AbortSignal): Promise<ShellProcess> {
    const { client, filter, oomCounterFile, withRelay } = this.#parts;
    const exec = async (
      command: readonly string[],
    ): Promise<{ id: string; connection: Duplex }> => {
      const json = { AttachStdin: true, AttachStdout: true, AttachStderr: true, Cmd: command };
      const path = `/containers/${containerId}/exec`;
      const created = await client.request({ method: 'POST', path, json, signal });
      const { Id: id } = CreateAnswer.parse(created);
      const start = {
        method: 'POST',
        path: `/exec/${id}/start`,
        json: { Detach: false, Tty: false },
      } as const;
      return { id, connection: await client.hijack({ ...start, idleMs: null }) };
    };
    // Programs inside could trace a process without the filter and make it do what they may not.
    const enter = ['python3', '-I', '-S', '-c', ENTER, filter.toString('base64')];
    const [shell, relay] = await Promise.all([
      exec([...enter, 'bash', '--noprofile', '--norc']),
      withRelay ? exec([...enter, ...relayCommand(0, 1)]) : null,
    ]);
    return new ContainerShell({
      ...(relay === null ? {} : { relay: framedDuplex(relay.connection) }),
      ...shell,
      askEnd: async () => {
        const answer = await client.request({ method: 'GET', path: `/exec/${shell.id}/json` });
        const { Running, ExitCode } = ExecAnswer.parse(answer);
        return Running ? null : (ExitCode ?? 0);
      },
      // A new process in the same control group: the counter covers the whole container.
      countMemoryKills: async () => {
        const { connection } = await exec(['cat', oomCounterFile]);
        const { stdout, stderr } = demultiplex(connection);
        stderr.resume();
        let text = '';
        for await (const chunk of stdout) text += String(chunk);
        return Number(/^oom_kill (\d+)$/m.exec(text)?.[1] ?? 0);
      },
      killAll: () => this.#killAll(containerId),
      ...(this.#parts.seesProcesses ? { processes: () => this.#processes(containerId) } : {}),
      onLost: () => {
        this.#mustDie = true;
      },
    });
  }

  /** The processes, as the engine sees them from outside the container. */
  async #processes(containerId: string): Promise<SeenProcess[]> {
    const path = `/containers/${containerId}/top?ps_args=${encodeURIComponent('-eo pid,etimes,args')}`;
    const answer = await this.#parts.client.request({ method: 'GET', path });
    const now = Date.now();
    return TopAnswer.parse(answer).Processes.map(([id = '', seconds = '0', command = '']) => {
      const startedAt = startOf(seconds, now);
      return { id, pid: Number(id), command: command.slice(0, COMMAND_CHARS), startedAt };
    });
  }

  /** Kills the container, so that nothing in it survives; the next shell starts it again. */
  async #killAll(containerId: string): Promise<void> {
    try {
      const path = `/containers/${containerId}/kill`;
      await this.#parts.client.request({ method: 'POST', path });
    } catch (error) {
      // 409: not running; 404: gone.
      const isDead = error instanceof EngineError && [404, 409].includes(error.status);
      if (!isDead) throw error;
    }
    this.#mustDie = false;
  }
}

/** The streams of a program as one duplex: its output without the engine's frames, and its input. */
function framedDuplex(connection: Duplex): Duplex {
  const { stdout, stderr } = demultiplex(connection);
  stderr.resume();
  const duplex = new Duplex({
    read: () => void stdout.resume(),
    write: (chunk: Buffer, _encoding, done) => void connection.write(chunk, done),
    final: (done) => void connection.end(done),
    destroy: (error, done) => {
      connection.destroy();
      done(error);
    },
  });
  stdout.on('data', (chunk: Buffer) => {
    if (!duplex.push(chunk)) stdout.pause();
  });
  // Either way the program is unreachable; the `close` of the connection reports its error.
  for (const stream of [stdout, stderr]) stream.on('error', () => undefined);
  connection.once('close', () => duplex.destroy());
  return duplex;
}

function asAppError(error: unknown): unknown {
  if (error instanceof EngineGoneError) {
    return new AppError(
      'SANDBOX_LOST',
      'Docker no longer answers. Start Docker and send the message again; the files of the task are kept.',
      { cause: error },
    );
  }
  if (error instanceof EngineError) {
    return new AppError(
      'SANDBOX_UNAVAILABLE',
      `Docker refused to start the sandbox: ${error.message}`,
      { cause: error },
    );
  }
  return error;
}

/**
 * When a process began, by its age in seconds as `ps` prints it. Both in ms since the epoch. The age of one that
 * began within the current tick of the clock is below zero, which `ps` prints as a huge number.
 */
export function startOf(ageSeconds: string, now: number): number {
  const age = Number(ageSeconds) * 1000;
  return age >= 0 && age < now ? now - age : now;
}
