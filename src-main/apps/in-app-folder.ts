import { WORKSPACE } from '../sandbox/inside.ts';
import { quote } from '../sandbox/shell/shell-text.ts';

/** Shell text that goes to the folder of an app and puts the programs of its packages on the PATH. */
export function enterApp(folder: string): string {
  const dir = folder === '' ? WORKSPACE : `${WORKSPACE}/${folder}`;
  return `cd -- ${quote(dir)} && export PATH="$PWD/node_modules/.bin:$PATH"`;
}

/** A command in the folder of an app; the shell stays where it is. */
export function inAppFolder(folder: string, command: string): string {
  return `( ${enterApp(folder)} || exit\n${command}\n)`;
}
