import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { RunEvent, type RunEventOf, type RunEventType } from '#contract/events/run-event.ts';
import { build, isBuildStale, ROOT } from '../../scripts/build-state.ts';

/** Builds the app unless `out/` is what the sources say; `npm test` did so already. */
export function ensureBuilt(): void {
  if (isBuildStale() && !build()) throw new Error('The app does not build.');
}

export const CLI = join(ROOT, 'out/main/cli.js');

export interface TerminalResult {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
  /** Standard output as events; throws when it is anything else. */
  events(): RunEvent[];
}

export interface TerminalOptions {
  readonly env?: Readonly<Record<string, string>>;
  /** The built CLI, if not that of this repository. */
  readonly cli?: string;
  /** Node to run on, if not the one of the tests. */
  readonly node?: string;
  /** Called with each piece of standard output. */
  readonly onOutput?: (text: string, kill: (signal: NodeJS.Signals) => void) => void;
}

/** Runs the built CLI as a process of its own. */
export function runTerminal(
  args: readonly string[],
  { env = {}, cli = CLI, node = process.execPath, onOutput }: TerminalOptions = {},
): Promise<TerminalResult> {
  const child = spawn(node, [cli, ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, NO_COLOR: '1', ...env },
  });
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    stdout += chunk;
    onOutput?.(chunk, (signal) => child.kill(signal));
  });
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
    stderr += chunk;
  });
  const events = (): RunEvent[] =>
    stdout
      .split('\n')
      .slice(0, -1)
      .map((line) => RunEvent.parse(JSON.parse(line)));
  return new Promise((resolve) => {
    child.on('close', (code, signal) => resolve({ code, signal, stdout, stderr, events }));
  });
}

/** The events of one type, in order. */
export function eventsOf<Type extends RunEventType>(
  events: readonly RunEvent[],
  type: Type,
): RunEventOf<Type>[] {
  return events.filter((event): event is RunEventOf<Type> => event.type === type);
}
