import { dataDirFor } from '../data-dir.ts';
import type { App, ComposeOptions } from '../ipc/types.ts';
import type { CliEnvironment } from './environment.ts';

export interface OpenAppOptions {
  readonly dataDir: string | undefined;
  readonly attended: boolean;
  /** Only looks: another process may work on the same folder. */
  readonly readOnly: boolean;
  /** Only answers questions, beside a process that does the work. */
  readonly secondary?: boolean;
  readonly modelOverrides?: ComposeOptions['modelOverrides'];
}

/** The app of a terminal command. Logs go to the file only: standard error is for the person. */
export async function openApp(environment: CliEnvironment, options: OpenAppOptions): Promise<App> {
  const compose = await environment.loadCompose();
  return compose({
    dataDir: dataDirFor(options.dataDir, process.env),
    entryPoint: 'terminal',
    attended: options.attended,
    readOnly: options.readOnly,
    secondary: options.secondary ?? false,
    logTo: null,
    ownsProcess: !options.readOnly,
    seal: null,
    ...(options.modelOverrides === undefined ? {} : { modelOverrides: options.modelOverrides }),
  });
}
