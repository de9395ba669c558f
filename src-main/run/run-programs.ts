import { makeVisible } from '#contract/visible-text.ts';
import type { BackgroundPrograms, SandboxService } from '../sandbox/types.ts';
import type { RunContext } from './types.ts';

export interface RunProgramsParts {
  readonly sandbox: Pick<SandboxService, 'beginRun' | 'leaveRun'>;
  /** See `SandboxRun`. */
  readonly network: () => string;
}

/** Programs that are named; of more, only how many. */
const NAMED = 5;
const COMMAND_CHARS = 80;
/** So long the sandbox lives, unless somebody ends them. */
const LEFT = 'In the background until the app ends, or 30 minutes after the last command';

/**
 * Does `work`, which lets programs out of the sandbox, after all that was started under another network
 * policy has ended; and says what goes on in the background when the work is done. What a run leaves that
 * failed or was stopped, the run service ends.
 */
export async function withPrograms<Result>(
  { run, emit }: Pick<RunContext, 'run' | 'emit'>,
  { sandbox, network }: RunProgramsParts,
  work: () => Promise<Result>,
): Promise<Result> {
  const user = { runId: run.id, network };
  const say = (description: string): void =>
    emit({ type: 'stage', name: 'background', status: 'completed', description });
  const ended = await sandbox.beginRun(run.threadId, user);
  if (ended.programs.length > 0 || !ended.isKnown) {
    say(
      `Ended, because this run has another policy for network or approvals: ${describePrograms(ended)}`,
    );
  }
  try {
    const result = await work();
    const left = await sandbox.leaveRun(run.threadId, user);
    if (left.programs.length > 0) {
      say(`${LEFT}: ${describePrograms(left)}`);
    } else if (!left.isKnown) {
      say('Programs may go on in the background; this sandbox does not tell.');
    }
    return result;
  } catch (error) {
    // Where the run rests, they go on.
    await sandbox.leaveRun(run.threadId, user);
    throw error;
  }
}

/** As one line; hidden characters of what programs call themselves are named. */
export function describePrograms({ programs, isKnown }: BackgroundPrograms): string {
  if (programs.length === 0) return 'what may have run there';
  const count = `${programs.length} ${programs.length === 1 ? 'program' : 'programs'}`;
  const names = programs.slice(0, NAMED).map(({ command, pid }) => {
    const line = makeVisible(command.replace(/\s+/g, ' ').slice(0, COMMAND_CHARS));
    return `${line} (pid ${pid})`;
  });
  const more = programs.length > NAMED || !isKnown ? '; …' : '';
  return `${count}: ${names.join('; ')}${more}`;
}
