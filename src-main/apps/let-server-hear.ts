import { delay } from '../base/abort.ts';
import type { Workspace } from '../sandbox/types.ts';
import type { AppService } from './types.ts';

/** Programs that watch files hear of no second change before that. */
const MISSED_MS = 60;

/** Lets the server of a task's app hear of a file that was just written, whatever it missed meanwhile. */
export async function letServerHear(
  path: string,
  {
    threadId,
    apps,
    workspace,
    signal,
  }: {
    readonly threadId: string;
    readonly apps: Pick<AppService, 'state'>;
    readonly workspace: Pick<Workspace, 'touch'>;
    readonly signal: AbortSignal;
  },
): Promise<void> {
  if (apps.state(threadId).server === 'stopped') return;
  await delay(MISSED_MS, signal);
  await workspace.touch(path);
}
