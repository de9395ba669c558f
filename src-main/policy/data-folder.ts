import { userInfo } from 'node:os';
import { posix, win32 } from 'node:path';
import { hasHidden } from '#contract/visible-text.ts';

const VARIABLE = /\{([^}]*)\}/g;

/** What is wrong with the `dataFolder` of a policy; null where nothing is. */
export function problemOfDataFolder(
  folder: string,
  platform: NodeJS.Platform = process.platform,
): string | null {
  const stranger = [...folder.matchAll(VARIABLE)].find(([, name]) => !isKnown(name));
  if (stranger !== undefined) return `it can hold {home} and {user}, not ${stranger[0]}.`;
  const rest = folder.replace(/^\{home\}/, '').replaceAll('{user}', '');
  if (/[{}]/.test(rest)) return '{home} can only stand at its beginning, and other braces nowhere.';
  if (/^\{home\}[^/\\]/.test(folder)) return 'a separator has to follow {home}.';
  if (/[\n\t]/.test(folder) || hasHidden(folder))
    return 'it holds a character that no path should hold.';
  if (folder.split(/[/\\]/).includes('..')) return 'it cannot lead upwards with "..".';
  const { isAbsolute } = platform === 'win32' ? win32 : posix;
  const isWhole = isAbsolute(folder.replace(/^\{home\}/, platform === 'win32' ? 'C:\\' : '/'));
  return isWhole ? null : 'it has to be an absolute path, or begin with {home}.';
}

/** The folder for the user of this process. */
export function dataFolderFor(folder: string): string {
  return folder.replace(VARIABLE, (whole, name: string) => {
    // Not from the environment, which the user can change.
    if (name === 'home') return userInfo().homedir;
    return name === 'user' ? userInfo().username : whole;
  });
}

function isKnown(name: string | undefined): boolean {
  return name === 'home' || name === 'user';
}
