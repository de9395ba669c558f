import { AppError } from '#contract/errors.ts';
import { systemClock } from '../../base/clock.ts';
import { dataDirFor } from '../../data-dir.ts';
import { checkPolicy } from '../../policy/check-policy.ts';
import { systemPolicy } from '../../policy/read-policy.ts';
import { findBackup, findDamage, restoreDatabase } from '../../storage/restore-database.ts';
import { isConfirmed } from '../confirm.ts';
import { EXIT } from '../exit-codes.ts';
import { jsonLine, print, printError } from '../output.ts';
import { showControls } from '../visible-text.ts';

export interface RestoreFlags {
  readonly dataDir?: string;
  readonly yes?: boolean;
  readonly fresh?: boolean;
  readonly json?: boolean;
}

/** `hyperagent restore`: replaces a damaged database with the last backup, after confirmation. */
export async function restore(flags: RestoreFlags): Promise<number> {
  checkPolicy(systemPolicy());
  const dataDir = dataDirFor(flags.dataDir, process.env);
  const damage = findDamage(dataDir);
  if (damage === null) {
    printResult(flags, { restored: false }, 'The database is not damaged. Nothing was changed.');
    return EXIT.complete;
  }
  const backup = flags.fresh === true ? null : findBackup(dataDir);
  if (backup === null && flags.fresh !== true) {
    throw new AppError(
      'NOT_FOUND',
      `There is no readable backup in ${dataDir}. To start with an empty database, run "hyperagent restore --fresh". The damaged file is kept.`,
    );
  }
  const replacement =
    backup === null
      ? 'an empty database, without your tasks, settings and rules'
      : `the backup of ${new Date(backup.takenAt).toLocaleString()}, without later changes`;
  printError(
    `The database is damaged (${showControls(String(damage.details.finding))}).\nIt will be replaced with ${replacement}. The damaged file is kept.\n`,
  );
  if (flags.yes !== true && !(await isConfirmed('Replace the database?'))) {
    printError('Nothing was changed.\n');
    return EXIT.failed;
  }
  const { keptAs } = restoreDatabase(backup, {
    dataDir,
    entryPoint: 'terminal',
    clock: systemClock,
  });
  const done = { restored: true, backup: backup?.file ?? null, keptAs };
  const kept = keptAs === null ? '' : ` The damaged file is now ${keptAs}.`;
  printResult(flags, done, `Restored.${kept}`);
  return EXIT.complete;
}

function printResult({ json }: RestoreFlags, result: unknown, line: string): void {
  print(json === true ? jsonLine(result) : `${showControls(line)}\n`);
}
