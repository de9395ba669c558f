import { lstatSync, statSync } from 'node:fs';
import { mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type Diagnostics,
  type DiagnosticsSection,
  diagnosticsText,
} from '#contract/diagnostics.ts';
import type { SetupReport } from '#contract/entities.ts';
import { AppError } from '#contract/errors.ts';
import { Settings } from '#contract/settings.ts';
import { appRoot } from '../../app-root.ts';
import { systemClock } from '../../base/clock.ts';
import { KnownSecrets } from '../../base/known-secrets.ts';
import { dataDirFor } from '../../data-dir.ts';
import { collectDiagnostics } from '../../diagnostics/collect-diagnostics.ts';
import { systemPolicy } from '../../policy/read-policy.ts';
import { checkDataFolder } from '../../setup-check/data-folder-check.ts';
import { Connection } from '../../storage/connection.ts';
import { dataPaths } from '../../storage/data-paths.ts';
import { isConfirmed } from '../confirm.ts';
import type { CliEnvironment } from '../environment.ts';
import { EXIT, UsageError } from '../exit-codes.ts';
import { Interruption } from '../interruption.ts';
import { openApp } from '../open-app.ts';
import { print, printError } from '../output.ts';
import { showControls } from '../visible-text.ts';

const BUSY_TIMEOUT_MS = 1_000;

export interface DiagnosticsFlags {
  readonly dataDir?: string;
  readonly output?: string;
  readonly without?: readonly DiagnosticsSection[];
  readonly yes?: boolean;
}

/** `hyperagent diagnostics`: prints the document, or shows it, asks and writes it to a new file. */
export async function showDiagnostics(
  { dataDir, output, without = [], yes = false }: DiagnosticsFlags,
  environment: CliEnvironment,
): Promise<number> {
  if (yes && output === undefined) throw new UsageError('--yes needs --output.');
  if (output !== undefined) checkIsFree(output);
  const interruption = new Interruption();
  let text: string;
  try {
    const found = await collect({ dataDir, without }, environment, interruption.signal);
    text = diagnosticsText(found, new Set(without));
  } catch (error) {
    if (interruption.exitCode === null) throw error;
    return interruption.exitCode;
  } finally {
    interruption.dispose();
  }
  if (output === undefined || !yes) print(text);
  if (output === undefined) return EXIT.complete;
  if (!yes && !(await isConfirmed(`Write this text to ${showControls(output)}?`))) {
    printError('Nothing was written.\n');
    return EXIT.failed;
  }
  await writeNewFile(output, text);
  printError(
    `Wrote ${Buffer.byteLength(text)} bytes to ${showControls(output)}. Nothing was sent.\n`,
  );
  return EXIT.complete;
}

/** From the app on this data folder, or without it where the app cannot open there. */
async function collect(
  {
    dataDir: requestedDir,
    without,
  }: {
    readonly dataDir: string | undefined;
    readonly without: readonly DiagnosticsSection[];
  },
  environment: CliEnvironment,
  signal: AbortSignal,
): Promise<Diagnostics> {
  const policy = environment.policy ?? systemPolicy();
  const dataDir = dataDirFor(requestedDir, process.env, policy);
  let problem: unknown = null;
  // The app would make a folder that is missing, and its files in one that is empty or damaged.
  if (mayHaveDatabase(dataDir)) {
    try {
      readDatabase(dataDir);
      await using app = await openApp(environment, {
        ...{ dataDir, attended: false, readOnly: true },
      });
      return await app.api['diagnostics.get']({ without: [...without] }, { closed: signal });
    } catch (error) {
      signal.throwIfAborted();
      problem = error;
    }
  }
  return await collectDiagnostics(
    {
      ...{ version: environment.version, entryPoint: 'terminal', dataDir, policy },
      ...{ root: appRoot(), env: process.env, secrets: new KnownSecrets(), clock: systemClock },
      checksDatabase: true,
      without,
      settings: () => {
        if (problem !== null) throw problem;
        // Nothing is stored yet.
        const { defaults = {}, locked = {} } = policy.state === 'holds' ? policy.policy : {};
        return Settings.parse({ ...defaults, ...locked });
      },
      setupCheck: () => checkElsewhere(dataDir, environment, signal),
    },
    signal,
  );
}

/** Whether there is a database, or something else where the data folder should be. */
function mayHaveDatabase(dataDir: string): boolean {
  const folder = statSync(dataDir, { throwIfNoEntry: false });
  if (folder === undefined) return false;
  const { database } = dataPaths(dataDir);
  return !folder.isDirectory() || lstatSync(database, { throwIfNoEntry: false }) !== undefined;
}

/** Throws if the database cannot be read. Opened for reading, it is not changed. */
function readDatabase(dataDir: string): void {
  const { database: file } = dataPaths(dataDir);
  const options = { file, dataDir, readonly: true, busyTimeoutMs: BUSY_TIMEOUT_MS };
  const connection = new Connection(options);
  try {
    connection.sql('SELECT name, value FROM settings').all();
  } finally {
    connection.close();
  }
}

/** The setup check on a folder that exists only meanwhile, with default settings; with the state of the real one. */
async function checkElsewhere(
  dataDir: string,
  environment: CliEnvironment,
  signal: AbortSignal,
): Promise<SetupReport> {
  const folder = await mkdtemp(join(tmpdir(), 'hyperagent-diagnostics-'));
  try {
    const compose = await environment.loadCompose();
    await using app = await compose({
      ...{ dataDir: folder, entryPoint: 'terminal', attended: false, readOnly: true, seal: null },
      policy: environment.policy ?? systemPolicy(),
    });
    const report = await app.api['setup.check']({}, { closed: signal });
    const real = await checkDataFolder(dataDir);
    const items = report.items.map((item) => (item.id === real.id ? real : item));
    const text = `With default settings: ${report.verdict.text}`;
    return { ...report, verdict: { ...report.verdict, text }, items };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Before anything is collected, so that nobody waits for a refusal. */
function checkIsFree(file: string): void {
  if (lstatSync(file, { throwIfNoEntry: false }) !== undefined) throw alreadyThere(file);
}

function alreadyThere(file: string, cause?: unknown): AppError {
  return new AppError(
    'BAD_REQUEST',
    `${file} already exists, and is not replaced. Name a new file.`,
    { details: { file }, cause },
  );
}

/** Only the user may read it. A file that is already there stays, and so does what a link leads to. */
async function writeNewFile(file: string, text: string): Promise<void> {
  try {
    const handle = await open(file, 'wx', 0o600);
    try {
      await handle.writeFile(text);
      await handle.sync();
    } catch (error) {
      await rm(file, { force: true });
      throw error;
    } finally {
      await handle.close();
    }
  } catch (cause) {
    const { code = 'unknown' } = cause as NodeJS.ErrnoException;
    if (code === 'EEXIST') throw alreadyThere(file, cause);
    throw new AppError(
      'BAD_REQUEST',
      `Nothing can be written to ${file} (${code}). Name a file in a folder that exists and that you may write.`,
      { details: { file }, cause },
    );
  }
}
