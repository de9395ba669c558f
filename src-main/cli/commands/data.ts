import type { StoredKind } from '#contract/user-data.ts';
import type { App } from '../../compose/app.ts';
import type { CliEnvironment } from '../environment.ts';
import { EXIT } from '../exit-codes.ts';
import { Interruption } from '../interruption.ts';
import { openApp } from '../open-app.ts';
import { jsonLine, print, printError } from '../output.ts';
import { showControls } from '../visible-text.ts';

interface DataFlags {
  readonly dataDir?: string;
  readonly json?: boolean;
}

const NAMES: Readonly<Record<StoredKind, string>> = {
  tasks: 'Tasks, settings, rules, keys',
  files: 'Files of tasks',
  history: 'Earlier versions of files',
  attachments: 'Pictures and uploads',
  library: 'Index of the library',
  skills: 'Markdown skills',
  models: 'Downloaded models',
  backups: 'Backups',
  logs: 'Logs',
  sandbox: 'Sandbox',
  window: 'Storage of the window',
};

/** Prints what is stored, where, and how large it is. */
export async function showData(flags: DataFlags, environment: CliEnvironment): Promise<number> {
  await using app = await open(flags, environment);
  const closed = new AbortController().signal;
  const { export: _, ...stored } = await app.api['data.get']({}, { closed });
  if (flags.json) {
    print(jsonLine(stored));
    return EXIT.complete;
  }
  print(`${showControls(stored.dataDir)}\n`);
  for (const { kind, bytes, files, isExported } of stored.parts) {
    const mark = isExported ? 'exported' : '';
    print(`  ${NAMES[kind].padEnd(30)}${sizeOf(bytes)}  ${`${files} files`.padEnd(14)}${mark}\n`);
  }
  const keys = stored.keys.length === 0 ? 'none' : showControls(stored.keys.join(', '));
  print(`${stored.tasks} tasks. Stored keys, never exported: ${keys}.\n`);
  return EXIT.complete;
}

/** Writes everything to a zip file. Works while another process has the folder. */
export async function exportData(
  file: string,
  flags: DataFlags,
  environment: CliEnvironment,
): Promise<number> {
  const interruption = new Interruption();
  try {
    await using app = await open(flags, environment);
    const isShown = process.stderr.isTTY === true;
    const done = await app.dataExporter.toFile(file, {
      signal: interruption.signal,
      onProgress: ({ doneTasks, tasks, bytes }) => {
        if (isShown) printError(`\r\u001b[K${doneTasks} of ${tasks} tasks, ${sizeOf(bytes)}`);
      },
    });
    if (isShown) printError('\r\u001b[K');
    const { files, bytes, leftOut } = done;
    const missing = leftOut === 0 ? '' : ` ${leftOut} files are not in it; README.txt names them.`;
    const line = `Exported ${done.doneTasks} tasks and ${files} files to ${showControls(file)} (${sizeOf(bytes).trim()}).${missing} API keys and downloaded models are not exported.\n`;
    print(flags.json ? jsonLine({ ...done, file }) : line);
    return EXIT.complete;
  } catch (error) {
    if (interruption.exitCode === null) throw error;
    printError('\nStopped. The file was removed.\n');
    return interruption.exitCode;
  } finally {
    interruption.dispose();
  }
}

function sizeOf(bytes: number): string {
  const [size, unit] = bytes >= 1e9 ? [bytes / 1e9, 'GB'] : [bytes / 1e6, 'MB'];
  return `${size.toFixed(1)} ${unit}`.padStart(10);
}

function open({ dataDir }: DataFlags, environment: CliEnvironment): Promise<App> {
  return openApp(environment, { dataDir, attended: false, readOnly: true });
}
