import type { RunOptions, Settings } from '#contract/entities.ts';
import { AppError } from '#contract/errors.ts';
import type { RequestInput } from '#contract/requests.ts';

/** What was asked for, completed by the settings. Throws `NO_MODEL` where neither names one. */
export function completeRunOptions(
  asked: RequestInput<'runs.start'>['options'],
  settings: Settings,
): RunOptions {
  const model = asked.model ?? settings.model;
  if (model === null) {
    throw new AppError(
      'NO_MODEL',
      'No model is chosen. Choose one in the settings, name one with --model ollama:NAME, or try the scripted demonstration (--model demo).',
    );
  }
  return {
    mode: asked.mode ?? 'task',
    model,
    sandbox: asked.sandbox ?? settings.sandbox,
    network: asked.network ?? settings.network,
    allowHosts: asked.allowHosts ?? [],
    approve: asked.approve ?? settings.approve,
    timeoutSeconds: asked.timeoutSeconds ?? null,
  };
}
