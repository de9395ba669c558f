import { AppError } from '#contract/errors.ts';
import type { SandboxChoice } from '#contract/vocabulary.ts';
import type { SandboxRuntime } from './types.ts';

/** Why what runs in a sandbox is not certain to stay on this computer; null where its isolation was checked here. */
export async function whyUncontained(
  choice: SandboxChoice,
  runtime: () => Promise<Pick<SandboxRuntime, 'level'>>,
  signal: AbortSignal,
): Promise<string | null> {
  if (choice === 'e2b') return IN_CLOUD;
  try {
    // A runtime starts only once every isolation check has passed.
    const { level } = await runtime();
    return level === 'e2b' ? IN_CLOUD : null;
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof AppError)) throw error;
    return 'the isolation of the sandbox could not be checked';
  }
}

const IN_CLOUD = 'this sandbox is a computer in the cloud';
