import { dialog } from 'electron';
import { AppError } from '#contract/errors.ts';
import { systemClock } from '../base/clock.ts';
import { findBackup, restoreDatabase } from '../storage/restore-database.ts';

/**
 * Asks about a damaged database before there is a window: restore the last backup, start with an empty
 * database, or quit. True if the database was replaced; false for quitting and for any other error.
 */
export async function offerRestore(error: unknown, dataDir: string): Promise<boolean> {
  if (!(error instanceof AppError && error.code === 'DATABASE_CORRUPT')) return false;
  const backup = findBackup(dataDir);
  const date = backup === null ? null : new Date(backup.takenAt).toLocaleString();
  const lost =
    date === null
      ? 'There is no readable backup.'
      : `The last backup is from ${date}. It does not contain later changes.`;
  const choices = [
    ...(date === null ? [] : [{ label: 'Restore backup', from: backup }]),
    { label: 'Start with an empty database', from: null },
  ];
  const { response } = await dialog.showMessageBox({
    type: 'error',
    title: 'HyperAgent',
    message: 'The HyperAgent database is damaged',
    detail: `${lost}\n\nThe damaged file is kept, and the files of your tasks are not changed.\n\n${String(error.details.finding)}`,
    buttons: [...choices.map(({ label }) => label), 'Quit'],
    // The Enter key alone must not start with an empty database.
    defaultId: date === null ? choices.length : 0,
    cancelId: choices.length,
    noLink: true,
  });
  const choice = choices[response];
  if (choice === undefined) return false;
  restoreDatabase(choice.from, { dataDir, entryPoint: 'desktop', clock: systemClock });
  return true;
}
