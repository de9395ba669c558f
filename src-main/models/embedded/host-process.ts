import { fork } from 'node:child_process';

/** A child process that exchanges messages, however it was started. */
export interface HostProcess {
  /** Undefined until it runs. */
  readonly pid: number | undefined;
  send(message: unknown): void;
  kill(): void;
  onMessage(listener: (message: unknown) => void): void;
  /** Calls the listener with pieces of the child's standard error. */
  onErrorText(listener: (text: string) => void): void;
  /** Calls the listener with how the child ended, possibly twice. */
  onEnd(listener: (how: string) => void): void;
  /** While the child is busy, it keeps this process alive. */
  setBusy(isBusy: boolean): void;
}

/**
 * Starts one of the app's own programs with no environment variable but PATH. Node forks. Electron starts
 * a utility process, because a packaged app has the fuse set that prevents running it as Node.
 */
export type StartHostProcess = (
  program: string,
  args: readonly string[],
  confinement?: HostConfinement,
) => HostProcess;

/** For programs that read what others made. */
export interface HostConfinement {
  /** Limit of the JavaScript heap. */
  readonly heapMb: number;
  /**
   * Folders that the process may read. Beyond them it reads nothing, writes nothing, starts nothing and loads no
   * native code. Node enforces it; Electron has no such switch.
   */
  readonly readsOnly: readonly string[];
}

function confiningArguments({ heapMb, readsOnly }: HostConfinement): string[] {
  return [
    `--max-old-space-size=${heapMb}`,
    '--permission',
    ...readsOnly.map((folder) => `--allow-fs-read=${folder}`),
  ];
}

/** The environment of such a process. */
export function hostEnvironment(): Record<string, string> {
  return { PATH: process.env.PATH ?? '' };
}

export const startNodeHost: StartHostProcess = (program, args, confinement) => {
  const child = fork(program, args, {
    env: hostEnvironment(),
    execArgv: confinement === undefined ? [] : confiningArguments(confinement),
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
  // An idle model must not keep a command from ending.
  child.unref();
  child.channel?.unref();
  return {
    get pid() {
      return child.pid;
    },
    send: (message) => void child.send(message as object),
    kill: () => void child.kill('SIGKILL'),
    onMessage: (listener) => void child.on('message', listener),
    onErrorText: (listener) => void child.stderr?.setEncoding('utf8').on('data', listener),
    onEnd: (listener) => {
      child.on('error', (error) => listener(error.message));
      child.on('exit', (code, signal) => listener(signal ?? `exit code ${code}`));
    },
    setBusy: (isBusy) => {
      if (isBusy) child.channel?.ref();
      else child.channel?.unref();
    },
  };
};
