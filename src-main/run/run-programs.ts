import { makeVisible } from '#contract/visible-text.ts';
import type { BackgroundPrograms, SandboxService } from '../sandbox/types.ts';
import type { RunContext } from './types.ts';

export interface RunProgramsParts {
  readonly sandbox: Pick<SandboxService, 'beginRun' | 'leaveRun'>;
  /** See `SandboxRun`. */
  readonly network: () => string;
}

/** How many programs are listed by name. */
const MAX_NAMED = 5;
const COMMAND_CHARS = 80;
/** Background programs live as long as their sandbox, unless something ends them. */
const STILL_RUNNING = 'In the background until the app ends, or 30 minutes after the last command';

/**
 * Does `work`, in which sandboxed programs may use the network. First ends programs that were started under
 * another network policy; afterwards reports what still runs in the background. The run service ends what a
 * failed or stopped run leaves behind.
 */
export async function withPrograms<Result>(
  { run, emit }: Pick<RunContext, 'run' | 'emit'>,
  { sandbox, network }: RunProgramsParts,
  work: () => Promise<Result>,
): Promise<Result> {
  const user = { runId: run.id, network };
  const report = (description: string): void =>
    emit({ type: 'stage', name: 'background', status: 'completed', description });
  const ended = await sandbox.beginRun(run.threadId, user);
  if (ended.programs.length > 0 || !ended.isKnown) {
    report(
      `Ended, because this run has a different network or approval policy: ${describePrograms(ended)}`,
    );
  }
  try {
    const result = await work();
    const left = await sandbox.leaveRun(run.threadId, user);
    if (left.programs.length > 0) {
      report(`${STILL_RUNNING}: ${describePrograms(left)}`);
    } else if (!left.isKnown) {
      report('Programs may still run in the background; this sandbox cannot list them.');
    }
    return result;
  } catch (error) {
    // While a run is parked, its programs continue.
    await sandbox.leaveRun(run.threadId, user);
    throw error;
  }
}

/** One line; makes hidden characters in command lines visible. */
export function describePrograms({ programs, isKnown }: BackgroundPrograms): string {
  if (programs.length === 0) return 'any programs that ran there';
  const count = `${programs.length} ${programs.length === 1 ? 'program' : 'programs'}`;
  const names = programs.slice(0, MAX_NAMED).map(({ command, pid }) => {
    const line = makeVisible(command.replace(/\s+/g, ' ').slice(0, COMMAND_CHARS));
    return `${line} (pid ${pid})`;
  });
  const more = programs.length > MAX_NAMED || !isKnown ? '; …' : '';
  return `${count}: ${names.join('; ')}${more}`;
}
