import { spawn } from 'node:child_process';
import { writeSync } from 'node:fs';
import net from 'node:net';
import type { Duplex } from 'node:stream';
import { RelayMux } from '../relay/relay-mux.ts';
import { sharedHostCalls } from './call-numbers.ts';
import { CallSupervisor } from './call-supervisor.ts';
import { enterSandbox } from './enter-sandbox.ts';
import {
  adoptOrphans,
  confineSignals,
  landlockVersion,
  setNoNewPrivileges,
  takeDescriptor,
  watchQuestions,
} from './kernel-calls.ts';
import type { LandlockPlan } from './landlock-plan.ts';

/**
 * The program that stands between the app and a sandbox of Landlock, in a process of its own:
 *
 *   landlock-launcher version        prints the version of Landlock
 *   landlock-launcher guard PLAN     starts the shell, and stays until everything that it started has ended
 *   landlock-launcher enter PLAN     restricts itself and becomes the shell; started by `guard`
 *
 * The guard is not in the sandbox. It adopts orphans, so that every program stays its descendant, and has a Landlock
 * domain of its own around that of the sandbox that does nothing but limit signals: so one `kill` of everything it
 * may reach ends the programs of this sandbox, all at once, and nothing else. It ends with the shell, and when the
 * stream to the app (descriptor 3) closes, also because the app was killed.
 */

const APP_FD = 3;
const COUNT_EVERY_MS = 2_000;

function guard(plan: LandlockPlan, text: string): void {
  adoptOrphans();
  if (plan.noNewPrivileges) setNoNewPrivileges();
  const killAll = confineSignals();
  const end = (code: number): never => {
    killAll();
    process.exit(code);
  };
  const mux = new RelayMux({
    channel: new net.Socket({ fd: APP_FD }),
    isInside: true,
    onStream: (_, stream) => stream.destroy(),
    onLost: () => end(1),
  });
  process.on('SIGTERM', () => end(1));
  const shell = spawn(
    process.execPath,
    [...process.execArgv, import.meta.filename, 'enter', text],
    { stdio: ['inherit', 'inherit', 'inherit', 'pipe'], env: {}, detached: true },
  );
  shell.on('error', () => end(1));
  shell.on('exit', (code, signal) => end(code ?? 128 + signalNumber(signal)));
  const handshake = shell.stdio[APP_FD] as Duplex;
  handshake.on('error', () => undefined);
  handshake.once('data', (line: Buffer) => {
    const listener = takeDescriptor(shell.pid ?? 0, Number(line.toString()));
    const calls = sharedHostCalls(process.arch);
    if (calls === undefined) throw new Error(`no call numbers for ${process.arch}`);
    const supervisor = new CallSupervisor({
      listener,
      calls,
      plan,
      shellPid: shell.pid ?? 0,
      connect: (kind) => mux.openToApp(kind),
    });
    const questions = watchQuestions(listener, () => supervisor.handle());
    const counting = setInterval(() => supervisor.countTasks(), COUNT_EVERY_MS);
    process.once('exit', () => {
      questions[Symbol.dispose]();
      clearInterval(counting);
    });
    mux.sayHello();
    handshake.end('.');
  });
}

function signalNumber(signal: NodeJS.Signals | null): number {
  return signal === null ? 0 : process.getBuiltinModule('node:os').constants.signals[signal];
}

/** Why a start failed, for the app, which reads it where the output of programs would be. */
function fail(error: unknown): never {
  writeSync(2, `landlock: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
}

const [mode, text = ''] = process.argv.slice(2);
try {
  if (mode === 'version') writeSync(1, `${landlockVersion()}\n`);
  else if (mode === 'guard') guard(JSON.parse(text) as LandlockPlan, text);
  else if (mode === 'enter') enterSandbox(JSON.parse(text) as LandlockPlan);
} catch (error) {
  if (mode === 'version') writeSync(1, `${error instanceof Error ? error.message : error}\n`);
  else fail(error);
}
