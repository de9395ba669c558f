import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import { delimiter, join } from 'node:path';

/** Browsers that the agent can drive, in order of preference. */
const COMMANDS = [
  'chromium',
  'chromium-browser',
  'google-chrome',
  'google-chrome-stable',
  'microsoft-edge',
  'microsoft-edge-stable',
];
const MAC_APPS = [
  'Google Chrome.app/Contents/MacOS/Google Chrome',
  'Chromium.app/Contents/MacOS/Chromium',
  'Microsoft Edge.app/Contents/MacOS/Microsoft Edge',
];
const WINDOWS_PROGRAMS = [
  'Google\\Chrome\\Application\\chrome.exe',
  'Microsoft\\Edge\\Application\\msedge.exe',
  'Chromium\\Application\\chrome.exe',
];

/** The executable of a browser of the Chromium family; null when there is none. */
export async function findBrowser(env: NodeJS.ProcessEnv = process.env): Promise<string | null> {
  for (const path of candidates(env)) {
    if (await isExecutable(path)) return path;
  }
  return null;
}

function candidates(env: NodeJS.ProcessEnv): string[] {
  switch (process.platform) {
    case 'darwin':
      return ['/Applications', join(env.HOME ?? '/', 'Applications')].flatMap((folder) =>
        MAC_APPS.map((app) => join(folder, app)),
      );
    case 'win32':
      return [env.PROGRAMFILES, env['PROGRAMFILES(X86)'], env.LOCALAPPDATA].flatMap((folder) =>
        folder === undefined ? [] : WINDOWS_PROGRAMS.map((program) => join(folder, program)),
      );
    default: {
      const folders = (env.PATH ?? '').split(delimiter).filter((folder) => folder !== '');
      return COMMANDS.flatMap((command) => folders.map((folder) => join(folder, command)));
    }
  }
}

async function isExecutable(path: string): Promise<boolean> {
  try {
    await access(path, constants.X_OK);
    return true;
  } catch {
    // Missing, or not executable for us.
    return false;
  }
}

/** How to get one, in a sentence. */
export function installHint(): string {
  if (process.platform !== 'linux') return 'Install Google Chrome or Microsoft Edge.';
  return 'Install Chromium with the package manager (Debian, Ubuntu: apt install chromium).';
}
