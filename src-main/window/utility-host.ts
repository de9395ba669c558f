import { utilityProcess } from 'electron';
import { hostEnvironment, type StartHostProcess } from '../models/embedded/host-process.ts';

/**
 * Starts one of our programs in an Electron utility process. The packaged app cannot run as Node (see
 * `electronFuses` in `electron-builder.json`), so `child_process.fork` would start a second app. Must
 * run after the app is ready. The process ends with the app.
 */
export const startUtilityHost: StartHostProcess = (program, args, confinement) => {
  const child = utilityProcess.fork(program, [...args], {
    env: hostEnvironment(),
    execArgv:
      confinement === undefined ? [] : [`--js-flags=--max-old-space-size=${confinement.heapMb}`],
    stdio: ['ignore', 'ignore', 'pipe'],
    serviceName: confinement === undefined ? 'HyperAgent model' : 'HyperAgent pictures',
  });
  return {
    get pid() {
      return child.pid;
    },
    send: (message) => child.postMessage(message),
    kill: () => void child.kill(),
    onMessage: (listener) => void child.on('message', listener),
    onErrorText: (listener) => {
      child.stderr?.on('data', (bytes: Buffer) => listener(bytes.toString('utf8')));
    },
    onEnd: (listener) => {
      child.on('error', (type, location) => listener(`${type} at ${location}`));
      child.on('exit', (code) => listener(`exit code ${code}`));
    },
    // The windows decide how long the app runs.
    setBusy: () => undefined,
  };
};
