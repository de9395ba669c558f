import { createInterface } from 'node:readline/promises';
import { AppError } from '#contract/errors.ts';
import { systemClock } from '../../base/clock.ts';
import { dataDirFor } from '../../data-dir.ts';
import { findBackup, findDamage, restoreDatabase } from '../../storage/restore-database.ts';
import { EXIT, UsageError } from '../exit-codes.ts';
import { jsonLine, print, printError } from '../output.ts';
import { showControls } from '../visible-text.ts';

export interface RestoreFlags {
  readonly dataDir?: string;
  readonly yes?: boolean;
  readonly fresh?: boolean;
  readonly json?: boolean;
}

/** `hyperagent restore`: puts the last backup in the place of a damaged database, after a yes. */
export async function restore(flags: RestoreFlags): Promise<number> {
  const dataDir = dataDirFor(flags.dataDir, process.env);
  const damage = findDamage(dataDir);
  if (damage === null) {
    tell(flags, { restored: false }, 'The database is sound; nothing was changed.');
    return EXIT.complete;
  }
  const backup = flags.fresh === true ? null : findBackup(dataDir);
  if (backup === null && flags.fresh !== true) {
    throw new AppError(
      'NOT_FOUND',
      `There is no backup in ${dataDir} that can be read. Begin with an empty database: hyperagent restore --fresh. The damaged file is kept.`,
    );
  }
  const what =
    backup === null
      ? 'an empty database: tasks, settings and rules are not in it'
      : `the backup of ${new Date(backup.takenAt).toLocaleString()}: what came later is not in it`;
  printError(
    `The database is damaged (${showControls(String(damage.details.finding))}).\nIn its place comes ${what}. The damaged file is kept.\n`,
  );
  if (flags.yes !== true && !(await isAgreed())) {
    printError('Nothing was changed.\n');
    return EXIT.failed;
  }
  const { keptAs } = restoreDatabase(backup, {
    dataDir,
    entryPoint: 'terminal',
    clock: systemClock,
  });
  const done = { restored: true, backup: backup?.file ?? null, keptAs };
  const kept = keptAs === null ? '' : ` The damaged one is ${keptAs}.`;
  tell(flags, done, `Restored.${kept}`);
  return EXIT.complete;
}

function tell({ json }: RestoreFlags, result: unknown, line: string): void {
  print(json === true ? jsonLine(result) : `${showControls(line)}\n`);
}

async function isAgreed(): Promise<boolean> {
  if (process.stdin.isTTY !== true) {
    throw new UsageError('Nothing was changed: nobody can be asked here. Agree with --yes.');
  }
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return /^y(es)?$/i.test((await lines.question('Restore it? [y/N] ')).trim());
  } finally {
    lines.close();
  }
}
