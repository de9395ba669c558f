import { AppError } from '#contract/errors.ts';
import type { SavedSignIn } from '#contract/sign-ins.ts';
import { isConfirmed } from '../confirm.ts';
import type { CliEnvironment } from '../environment.ts';
import { EXIT } from '../exit-codes.ts';
import { openApp } from '../open-app.ts';
import { jsonLine, print, printError } from '../output.ts';
import { showControls } from '../visible-text.ts';
import type { ReadFlags } from './runs.ts';

/** The saved sign-ins: names, sites and times. */
export async function listSignIns(flags: ReadFlags, environment: CliEnvironment): Promise<number> {
  const { dataDir, json } = flags;
  await using app = await openApp(environment, { dataDir, attended: false, readOnly: true });
  const { signIns } = app.api['signIns.list']();
  if (json) print(jsonLine(signIns));
  else if (signIns.length === 0) {
    print('No sign-in is saved. The desktop app saves them, in the Browser tab of a task.\n');
  } else for (const signIn of signIns) print(describe(signIn));
  return EXIT.complete;
}

/** Deletes a sign-in by its name or id, after a confirmation. Throws `NOT_FOUND`. */
export async function deleteSignIn(
  wanted: string,
  flags: ReadFlags & { readonly yes?: boolean },
  environment: CliEnvironment,
): Promise<number> {
  const { dataDir } = flags;
  await using app = await openApp(environment, { dataDir, attended: false, readOnly: false });
  const { signIns } = app.api['signIns.list']();
  const found =
    signIns.find(({ id }) => id === wanted) ?? signIns.find(({ name }) => sameName(name, wanted));
  if (found === undefined) {
    throw new AppError(
      'NOT_FOUND',
      `There is no saved sign-in "${wanted}". List them with: hyperagent sign-ins list`,
    );
  }
  const question = `Delete the sign-in "${showControls(found.name)}"? Tasks where it is in use stay signed in.`;
  if (flags.yes !== true && !(await isConfirmed(question))) {
    printError('Nothing was deleted.\n');
    return EXIT.failed;
  }
  app.api['signIns.delete']({ signInId: found.id });
  print(flags.json ? jsonLine(found) : `Deleted the sign-in "${showControls(found.name)}".\n`);
  return EXIT.complete;
}

function sameName(one: string, other: string): boolean {
  return one.toLowerCase() === other.trim().toLowerCase();
}

function describe({ id, name, site, savedAt, usedAt }: SavedSignIn): string {
  const used = usedAt === null ? 'not used yet' : `last used ${new Date(usedAt).toISOString()}`;
  const saved = new Date(savedAt).toISOString();
  return `${showControls(name)}  ${showControls(site)}  ${id}\n  saved ${saved}, ${used}\n`;
}
