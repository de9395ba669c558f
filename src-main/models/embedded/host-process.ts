import { fork } from 'node:child_process';

/** A child that talks in messages, whatever it was started by. */
export interface HostProcess {
  /** Undefined until it runs. */
  readonly pid: number | undefined;
  send(message: unknown): void;
  kill(): void;
  onMessage(listener: (message: unknown) => void): void;
  /** Told in pieces what it writes to standard error. */
  onErrorText(listener: (text: string) => void): void;
  /** Told how it ended; may be told twice. */
  onEnd(listener: (how: string) => void): void;
  /** Whether this process waits for it before it ends by itself. */
  hold(isBusy: boolean): void;
}

/**
 * Starts a program of ours with nothing of the environment but PATH. Plain Node forks; Electron cannot,
 * once it is packaged with the fuse that keeps it from being used as Node, and starts a utility process.
 */
export type StartHostProcess = (program: string, args: readonly string[]) => HostProcess;

/** What such a process finds in its environment. */
export function hostEnvironment(): Record<string, string> {
  return { PATH: process.env.PATH ?? '' };
}

export const startNodeHost: StartHostProcess = (program, args) => {
  const child = fork(program, args, {
    env: hostEnvironment(),
    execArgv: [],
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
  // A model that waits for its next request keeps no command from ending.
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
    hold: (isBusy) => {
      if (isBusy) child.channel?.ref();
      else child.channel?.unref();
    },
  };
};
