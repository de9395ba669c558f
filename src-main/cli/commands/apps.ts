import type { AppBuild, AppPart } from '#contract/apps.ts';
import type { AppZip } from '../../apps/export/zip-app.ts';
import type { App } from '../../compose/app.ts';
import { writeWholeFile } from '../../storage/whole-file.ts';
import type { CliEnvironment } from '../environment.ts';
import { EXIT } from '../exit-codes.ts';
import { Interruption } from '../interruption.ts';
import { openApp } from '../open-app.ts';
import { jsonLine, print, printError } from '../output.ts';
import { size } from '../text-printer.ts';
import { showControls } from '../visible-text.ts';
import type { ReadFlags } from './runs.ts';

interface Wanted {
  readonly threadId: string;
  readonly file: string;
}

/** Writes the project of a task's app as a zip file. Works while another process has the data folder. */
export function zipApp(
  wanted: Wanted,
  { dataDir, json }: ReadFlags,
  environment: CliEnvironment,
): Promise<number> {
  return untilInterrupted(async (signal) => {
    await using app = await openApp(environment, { dataDir, attended: false, readOnly: true });
    const { leftOut } = await writeZip(app, { ...wanted, part: 'project', signal });
    print(json ? jsonLine({ file: wanted.file, leftOut }) : describeZip(wanted.file, leftOut));
    return EXIT.complete;
  });
}

/** Builds the app of a task, and writes what was built where a file is named. Ends with 1 where the build failed. */
export function buildApp(
  { threadId, file }: Omit<Wanted, 'file'> & { readonly file?: string },
  { dataDir, json }: ReadFlags,
  environment: CliEnvironment,
): Promise<number> {
  return untilInterrupted(async (signal) => {
    await using app = await openApp(environment, { dataDir, attended: false, readOnly: false });
    const { build } = await app.api['apps.build']({ threadId }, { closed: signal });
    signal.throwIfAborted();
    if (build === null) return EXIT.failed;
    const isBuilt = build.status === 'completed';
    if (isBuilt && file !== undefined) {
      await writeZip(app, { threadId, file, part: 'build', signal });
    }
    if (json) print(jsonLine(build));
    else if (isBuilt) print(`${describeBuild(build)}${file ? describeZip(file, []) : ''}`);
    else printError(`${showControls(build.problem ?? '')}\n`);
    return isBuilt ? EXIT.complete : EXIT.failed;
  });
}

async function writeZip(
  app: App,
  { threadId, file, part, signal }: Wanted & { part: AppPart; signal: AbortSignal },
): Promise<AppZip> {
  // A task that is not there says so before a file is written.
  app.api['apps.state']({ threadId });
  return await writeWholeFile(file, (write) => app.apps.zip(threadId, part, { write, signal }));
}

function describeZip(file: string, leftOut: readonly string[]): string {
  const left = leftOut.length === 0 ? '' : ` Not in it: ${leftOut.map(showControls).join(', ')}.`;
  return `Wrote ${showControls(file)}.${left}\n`;
}

function describeBuild({ folder, files, bytes, unchecked }: AppBuild): string {
  const count = files === 1 ? '1 file' : `${files} files`;
  const made = folder === null ? '' : `Built ${showControls(folder)}: ${count}, ${size(bytes)}. `;
  const checked = unchecked ?? 'It starts, and its page shows no problem.';
  return `${made}${showControls(checked)}\n`;
}

async function untilInterrupted(work: (signal: AbortSignal) => Promise<number>): Promise<number> {
  const interruption = new Interruption();
  try {
    return await work(interruption.signal);
  } catch (error) {
    if (interruption.exitCode === null) throw error;
    printError('\nStopped.\n');
    return interruption.exitCode;
  } finally {
    interruption.dispose();
  }
}
