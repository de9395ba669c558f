import { realpath } from 'node:fs/promises';
import { homedir } from 'node:os';
import { AppError } from '#contract/errors.ts';
import { checkFolder, folderPath, isWithin } from '../library/folder-rules.ts';

/** Most files of a folder that is given to a task, and most bytes of them together. */
export const FOLDER_FILES_LIMIT = 20_000;
export const FOLDER_BYTES_LIMIT = 1024 ** 3;

/**
 * Never copied and never written back: what tools fill and can fill again, and repositories, whose hooks run by
 * themselves and whose settings may hold credentials.
 */
const EXCLUDED = new Set([
  ...['.git', '.hg', '.svn', '.jj', '.hyperagent'],
  ...['node_modules', '.venv', '__pycache__', '.tox', '.mypy_cache', '.pytest_cache'],
]);

/** Of any folder, in any spelling that a file system takes for the same name. */
export function isExcluded(path: string): boolean {
  return path.split('/').some((part) => EXCLUDED.has(plainSpelling(part)));
}

/** What other programs run without being asked: tasks of editors, hooks, start files of shells, agents' own rules. */
const RUN_BY_THEMSELVES = [
  /(^|\/)\.(vscode|idea|zed|husky|githooks|cursor|claude|devcontainer|fleet)\//,
  /(^|\/)\.(github|gitea|forgejo)\/(workflows|actions)\//,
  /(^|\/)\.(envrc|mise\.toml|npmrc|yarnrc|yarnrc\.yml|pnpmfile\.cjs|gitlab-ci\.yml|gitmodules|gitattributes|gitconfig)$/,
  /(^|\/)\.(pre-commit-config\.yaml|lefthook\.yml|mcp\.json|exrc|nvimrc|dir-locals\.el|cursorrules|windsurfrules|travis\.yml)$/,
  /(^|\/)(\.nvim\.lua|mise\.toml|jenkinsfile|agents\.md|claude\.md|gemini\.md|copilot-instructions\.md)$/,
  /(^|\/)\.(circleci|cargo)\//,
  /(^|\/)\.(profile|login|[a-z]*shrc|[a-z]*sh_?profile|zshenv|zlogin|bash_login|bash_aliases|inputrc|pam_environment)$/,
  /(^|\/)\.(ssh|gnupg|config\/(autostart|systemd|fish))\//,
  /\.(desktop|lnk|url|scf|webloc|code-workspace|pth)$/,
  /(^|\/)(autorun\.inf|desktop\.ini|sitecustomize\.py|usercustomize\.py)$/,
];

export function runsByItself(path: string): boolean {
  const plain = path.split('/').map(plainSpelling).join('/');
  return RUN_BY_THEMSELVES.some((pattern) => pattern.test(plain));
}

/** Names that Windows takes for a device, for the short name of an excluded folder, or that it cannot hold. */
const DEVICE = /^(con|prn|aux|nul|com\d|lpt\d|conin\$|conout\$)(\.|$)/i;
const SHORT_NAME = /^(git|hg|svn|hypera|node_m)~\d+$/i;
const REFUSED_ON_WINDOWS = /[<>:"|?*\\]|[. ]$/;
/** Control and bidirectional characters: a name must be what it looks like. */
const MISLEADING = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u;
const LONGEST_NAME_BYTES = 255;

/** Whether a path may be written to the user's folder: relative, plain, and nothing that is excluded. */
export function isWritablePath(
  path: string,
  platform: NodeJS.Platform = process.platform,
): boolean {
  const parts = path.split('/');
  return parts.every((part) => isPlainName(part, platform)) && !isExcluded(path);
}

function isPlainName(name: string, platform: NodeJS.Platform): boolean {
  if (name === '' || name === '.' || name === '..' || MISLEADING.test(name)) return false;
  if (name.includes('\ufffd') || Buffer.byteLength(name) > LONGEST_NAME_BYTES) return false;
  // On every system: the folder may be synchronised to Windows.
  if (DEVICE.test(name) || SHORT_NAME.test(name)) return false;
  return platform !== 'win32' || !REFUSED_ON_WINDOWS.test(name);
}

/** File systems ignore case, some ignore dots and spaces at the end, others characters without a shape. */
function plainSpelling(name: string): string {
  return name
    .normalize('NFKC')
    .replace(/[\p{Cf}\p{Cc}]/gu, '')
    .replace(/(?<=[^. ])[. ]+$/, '')
    .toLowerCase();
}

/**
 * The real path of a folder that may be given to a task. Throws `BAD_REQUEST` for a whole disk, the home folder,
 * and the app's own data, and `LIBRARY_UNREADABLE` if it is missing, not a folder or not readable.
 */
export async function checkGivenFolder(typed: string, dataDir: string): Promise<string> {
  const { real } = await checkFolder(folderPath(typed), dataDir);
  const data = await realpath(dataDir).catch(() => dataDir);
  if (isWithin(data, real)) {
    throw new AppError('BAD_REQUEST', `${typed} holds this app's own data. Choose a folder in it.`);
  }
  const home = await realpath(homedir()).catch(() => homedir());
  if (isWithin(home, real)) {
    throw new AppError(
      'BAD_REQUEST',
      `${typed} is your whole home folder, or above it. Choose the folder that the task needs.`,
    );
  }
  if (isExcluded(real.replaceAll('\\', '/'))) {
    throw new AppError(
      'BAD_REQUEST',
      `${typed} is part of a repository's own data, or of what tools fill. Choose the folder above it.`,
    );
  }
  return real;
}
