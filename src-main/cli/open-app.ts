import type { App, ComposeOptions } from '../compose/app.ts';
import { dataDirFor } from '../data-dir.ts';
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
  const compose = await environment.loadCompose();
  return compose({
    dataDir: dataDirFor(options.dataDir, process.env),
    entryPoint: 'terminal',
    attended: options.attended,
    readOnly: options.readOnly,
    secondary: options.secondary ?? false,
    ownsProcess: !options.readOnly,
    seal: null,
    modelOverrides: options.modelOverrides,
  });
}
