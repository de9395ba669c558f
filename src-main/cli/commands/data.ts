import { existsSync } from 'node:fs';
import { relative } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { AppError } from '#contract/errors.ts';
import { CONFIRMATION_WORDS, type StoredKind } from '#contract/user-data.ts';
import type { App } from '../../compose/app.ts';
import { dataDirFor } from '../../data-dir.ts';
import { checkPolicy } from '../../policy/check-policy.ts';
import { systemPolicy } from '../../policy/read-policy.ts';
import { DataLock } from '../../storage/data-lock.ts';
import { dataPaths } from '../../storage/data-paths.ts';
import {
  checkConfirmation,
  completeDeletion,
  markForDeletion,
} from '../../user-data/delete-data.ts';
import type { CliEnvironment } from '../environment.ts';
import { EXIT, UsageError } from '../exit-codes.ts';
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
  connectors: 'Connectors',
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
  for (const { kind, path, bytes, files, isExported } of stored.parts) {
    const mark = isExported ? ', exported' : '';
    const place = relative(stored.dataDir, path).padEnd(16);
    print(`  ${NAMES[kind].padEnd(30)}${place}${sizeOf(bytes)}  ${files} files${mark}\n`);
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

/**
 * Deletes everything after a typed confirmation, or completes a deletion that was interrupted. Throws
 * `DATA_DIR_IN_USE` while the app is open.
 */
export async function deleteData(
  flags: DataFlags & { readonly models?: boolean; readonly yes?: boolean },
): Promise<number> {
  checkPolicy(systemPolicy());
  const dataDir = dataDirFor(flags.dataDir, process.env);
  if (!existsSync(dataDir)) {
    throw new AppError('NOT_FOUND', `There is no data in ${dataDir}.`, { details: { dataDir } });
  }
  // Before the question, so that no confirmation is refused afterwards.
  const holder = { pid: process.pid, entryPoint: 'terminal' };
  const lock = DataLock.acquire(dataPaths(dataDir), holder);
  lock.release(!lock.leftBehind);
  if (flags.yes !== true && !(await isTyped(dataDir, flags.models === true))) {
    printError('Nothing was deleted.\n');
    return EXIT.failed;
  }
  markForDeletion(dataDir, { keepModels: flags.models !== true });
  const deleted = await completeDeletion({ dataDir, entryPoint: 'terminal', readOnly: false });
  const { links, models } = deleted ?? { links: [], models: null };
  const lines = [
    `Deleted everything that HyperAgent stored in ${dataDir}.`,
    ...(models === null ? [] : [`Downloaded models are still in ${models}.`]),
    ...links.map(
      ({ path, target }) => `${path} was a link; what it leads to is untouched: ${target}`,
    ),
  ];
  print(
    flags.json ? jsonLine({ dataDir, links, models }) : `${lines.map(showControls).join('\n')}\n`,
  );
  return EXIT.complete;
}

async function isTyped(dataDir: string, withModels: boolean): Promise<boolean> {
  const [word] = CONFIRMATION_WORDS;
  if (process.stdin.isTTY !== true) {
    throw new UsageError(
      'Nothing was deleted: there is no terminal for the confirmation. Confirm with --yes.',
    );
  }
  const models = withModels ? ', with downloaded models' : '; downloaded models are kept';
  printError(
    `All tasks, their files, the index of the library, skills, keys and settings in ${showControls(dataDir)} will be deleted${models}. This cannot be undone. "hyperagent data export FILE" saves a copy first.\n`,
  );
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  try {
    checkConfirmation(await lines.question(`Type "${word}" to confirm: `));
    return true;
  } catch (error) {
    if (error instanceof AppError) return false;
    throw error;
  } finally {
    lines.close();
  }
}

function sizeOf(bytes: number): string {
  const [size, unit] = bytes >= 1e9 ? [bytes / 1e9, 'GB'] : [bytes / 1e6, 'MB'];
  return `${size.toFixed(1)} ${unit}`.padStart(10);
}

function open({ dataDir }: DataFlags, environment: CliEnvironment): Promise<App> {
  return openApp(environment, { dataDir, attended: false, readOnly: true });
}
