import type { App, ComposeOptions } from '../compose/app.ts';
import { dataDirFor } from '../data-dir.ts';
import { checkPolicy } from '../policy/check-policy.ts';
import { systemPolicy } from '../policy/read-policy.ts';
import type { CliEnvironment } from './environment.ts';

export interface OpenAppOptions {
  readonly dataDir: string | undefined;
  readonly attended: boolean;
  /** Reads only, so that another process may use the same folder. */
  readonly readOnly: boolean;
  /** Attaches to the folder of a running process: answers questions and starts nothing. */
  readonly secondary?: boolean;
  readonly modelOverrides?: ComposeOptions['modelOverrides'];
}

/** Opens the app for a CLI command. Logs go to the file only; standard error is for the user. */
export async function openApp(environment: CliEnvironment, options: OpenAppOptions): Promise<App> {
  const policy = environment.policy ?? systemPolicy();
  // A command that only reads works under an invalid policy, too.
  if (!options.readOnly) checkPolicy(policy);
  const compose = await environment.loadCompose();
  return compose({
    policy,
    dataDir: dataDirFor(options.dataDir, process.env, policy),
    entryPoint: 'terminal',
    attended: options.attended,
    readOnly: options.readOnly,
    secondary: options.secondary ?? false,
    ownsProcess: !options.readOnly,
    seal: null,
    modelOverrides: options.modelOverrides,
  });
}
