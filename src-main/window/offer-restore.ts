import { dialog } from 'electron';
import { AppError } from '#contract/errors.ts';
import { systemClock } from '../base/clock.ts';
import { findBackup, restoreDatabase } from '../storage/restore-database.ts';

/**
 * Asks about a damaged database before there is a window: restore the last backup, begin with an empty one,
 * or quit. Whether something was put in its place; false for any other failure of a start, and for quitting.
 */
export async function offerRestore(error: unknown, dataDir: string): Promise<boolean> {
  if (!(error instanceof AppError && error.code === 'DATABASE_CORRUPT')) return false;
  const backup = findBackup(dataDir);
  const date = backup === null ? null : new Date(backup.takenAt).toLocaleString();
  const lost =
    date === null
      ? 'There is no backup that can be read.'
      : `The last backup is of ${date}. What came later is not in it.`;
  const choices = [
    ...(date === null ? [] : [{ label: 'Restore the backup', from: backup }]),
    { label: 'Start empty', from: null },
  ];
  const { response } = await dialog.showMessageBox({
    type: 'error',
    title: 'HyperAgent',
    message: 'The database of HyperAgent is damaged',
    detail: `${lost}\n\nThe damaged file is kept, and files of tasks are not touched.\n\n${String(error.details.finding)}`,
    buttons: [...choices.map(({ label }) => label), 'Quit'],
    // Nothing is begun anew by the Enter key alone.
    defaultId: date === null ? choices.length : 0,
    cancelId: choices.length,
    noLink: true,
  });
  const choice = choices[response];
  if (choice === undefined) return false;
  restoreDatabase(choice.from, { dataDir, entryPoint: 'desktop', clock: systemClock });
  return true;
}
