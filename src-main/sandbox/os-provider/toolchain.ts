import { execFile } from 'node:child_process';
import { constants } from 'node:fs';
import { access, realpath, stat } from 'node:fs/promises';
import { delimiter, dirname, join, sep } from 'node:path';
import { promisify } from 'node:util';
import { z } from 'zod';
import { parseOutsideJson } from '../../base/outside-json.ts';

const execFileAsync = promisify(execFile);

/** The user's own interpreters, as mounted inside: folders to bind read-only and a PATH. */
export const Toolchain = z.strictObject({
  /** Folders outside the system's, each bound read-only at its own path. */
  folders: z.array(z.string()).readonly(),
  /** Folders of programs, before the system's. */
  path: z.array(z.string()).readonly(),
  /** Packages that the user installed with `pip install --user`; null if none. */
  pythonUserBase: z.string().nullable(),
  /** Programs that were not found, or whose folder cannot be mounted. */
  missing: z.array(z.string()).readonly(),
});
export type Toolchain = z.infer<typeof Toolchain>;

const QUESTION_TIMEOUT_MS = 10_000;
/** Variables for launchers of version managers; they get nothing else of the environment. */
const LAUNCHER_VARIABLES = /^(PATH|HOME|LANG|(PYENV|ASDF|MISE|NVM|FNM|VOLTA|CONDA)_\w+)$/;

const PythonAnswer = z.object({
  executable: z.string(),
  prefixes: z.array(z.string()),
  userBase: z.string(),
  /** Null if the user has no packages of their own. */
  userSite: z.string().nullable(),
  canDraw: z.boolean(),
});
type PythonAnswer = z.infer<typeof PythonAnswer>;

const ASK_PYTHON = `
import importlib.util, json, os, site, sys
user = site.getusersitepackages()
print(json.dumps({
  "executable": sys.executable, "prefixes": sorted({sys.prefix, sys.base_prefix, sys.exec_prefix}),
  "userBase": site.getuserbase(), "userSite": user if os.path.isdir(user) else None,
  "canDraw": all(importlib.util.find_spec(m) for m in ("pandas", "matplotlib"))}))`;

export interface ToolchainQuestion {
  readonly environment: NodeJS.ProcessEnv;
  readonly home: string;
  /** Folders that the sandbox mounts anyway. */
  readonly systemFolders: readonly string[];
  /** The Node that the app brings; null where it brings none. */
  readonly shippedNode: string | null;
}

/**
 * Finds python3, node, npm and git on the PATH. A launcher of a version manager (pyenv, asdf, nvm, Homebrew)
 * is asked where the real program is, and only that version's folder is mounted. The first Python with
 * pandas and matplotlib wins, else the first one. Where the app brings a Node, it stands in for one that is missing or too
 * old for the app templates.
 */
export async function findToolchain(question: ToolchainQuestion): Promise<Toolchain> {
  const [python, node, git] = await Promise.all([
    findPython(question),
    findNode(question),
    findPlain('git', question),
  ]);
  const found = [python, node, git].filter((tool) => tool !== null);
  const unique = (items: readonly string[]): string[] => [...new Set(items)];
  return {
    folders: unique(found.flatMap((tool) => tool.folders)).sort(),
    path: unique(found.map((tool) => tool.bin).filter((bin) => !isSystem(bin, question))),
    pythonUserBase: python?.userBase ?? null,
    missing: [
      ...(python === null ? ['python3'] : []),
      ...(node === null ? ['node'] : []),
      ...(git === null ? ['git'] : []),
    ],
  };
}

interface FoundTool {
  readonly folders: readonly string[];
  readonly bin: string;
}

async function findPython(
  question: ToolchainQuestion,
): Promise<(FoundTool & { readonly userBase: string | null }) | null> {
  let first: (FoundTool & { userBase: string | null }) | null = null;
  for (const candidate of await candidates('python3', question)) {
    const answer = await askPython(candidate, question);
    if (answer === null) continue;
    const folders = foldersToShow(answer.prefixes, question);
    if (folders === null) continue;
    const { userBase, userSite } = answer;
    const tool = {
      folders: userSite === null ? folders : [...folders, userSite],
      bin: dirname(answer.executable),
      userBase: userSite === null ? null : userBase,
    };
    if (answer.canDraw) return tool;
    first ??= tool;
  }
  return first;
}

async function askPython(
  candidate: string,
  question: ToolchainQuestion,
): Promise<PythonAnswer | null> {
  const answer = await ask(candidate, ['-c', ASK_PYTHON], question);
  if (answer === null) return null;
  try {
    // Startup files may print something first.
    return PythonAnswer.parse(parseOutsideJson(answer.split('\n').at(-1) ?? ''));
  } catch {
    // A launcher that printed something else.
    return null;
  }
}

/** The output of a program of the user; null for a launcher without an installed version. */
async function ask(
  program: string,
  args: readonly string[],
  { environment }: ToolchainQuestion,
): Promise<string | null> {
  const env = Object.fromEntries(
    Object.entries(environment).filter(([name]) => LAUNCHER_VARIABLES.test(name)),
  );
  const options = { timeout: QUESTION_TIMEOUT_MS, env, cwd: '/' };
  try {
    return (await execFileAsync(program, args, options)).stdout.trim();
  } catch {
    // As good as absent: the next one on the PATH is tried.
    return null;
  }
}

async function findNode(question: ToolchainQuestion): Promise<FoundTool | null> {
  const { shippedNode } = question;
  const shipped =
    shippedNode === null
      ? null
      : { folders: [dirname(dirname(shippedNode))], bin: dirname(shippedNode) };
  for (const candidate of await candidates('node', question)) {
    const real = await realpath(candidate);
    const executable = isSystem(real, question)
      ? real
      : await ask(candidate, ['-p', 'require("fs").realpathSync(process.execPath)'], question);
    if (executable === null) continue;
    const bin = dirname(executable);
    const folders = foldersToShow([dirname(bin)], question);
    if (folders === null) continue;
    if (shipped !== null && !(await isRecentNode(executable, question))) continue;
    return { folders, bin };
  }
  return shipped;
}

/** Whether a Node runs the packages of the app templates: Vite asks for the same version as this app. */
async function isRecentNode(executable: string, question: ToolchainQuestion): Promise<boolean> {
  const version = await ask(executable, ['-p', 'process.versions.node'], question);
  const [major = 0, minor = 0] = (version ?? '').split('.').map(Number);
  return major > 22 || (major === 22 && minor >= 12);
}

/** Finds a program in the system's folders or in a package manager's tree only. */
async function findPlain(name: string, question: ToolchainQuestion): Promise<FoundTool | null> {
  for (const candidate of await candidates(name, question)) {
    const real = await realpath(candidate);
    const folders = foldersToShow([dirname(dirname(real))], question);
    if (folders !== null) return { folders, bin: dirname(candidate) };
  }
  return null;
}

async function candidates(name: string, { environment }: ToolchainQuestion): Promise<string[]> {
  const found: string[] = [];
  for (const folder of (environment.PATH ?? '').split(delimiter)) {
    if (!folder.startsWith(sep)) continue;
    const file = join(folder, name);
    try {
      await access(file, constants.X_OK);
      if ((await stat(file)).isFile()) found.push(file);
    } catch {
      // Not in this folder of the PATH.
    }
  }
  return found;
}

/**
 * The folders to bind so that programs under `prefixes` run; null if that would expose more of the home
 * than an interpreter: `~`, `~/.local` and any folder that contains the home are never mounted.
 */
function foldersToShow(prefixes: readonly string[], question: ToolchainQuestion): string[] | null {
  const { home } = question;
  const folders = prefixes.filter((prefix) => !isSystem(prefix, question)).map(packageTree);
  const shared = [home, join(home, '.local'), join(home, '.config'), join(home, 'Library')];
  const tooWide = (folder: string): boolean =>
    shared.includes(folder) ||
    `${home}${sep}`.startsWith(folder.endsWith(sep) ? folder : folder + sep);
  return folders.some(tooWide) ? null : folders;
}

/** Nix and Homebrew spread a program over their whole tree. */
function packageTree(folder: string): string {
  if (folder.startsWith('/nix/store/')) return '/nix/store';
  const brew = folder.indexOf('/.linuxbrew/');
  if (brew >= 0) return folder.slice(0, brew + '/.linuxbrew'.length);
  return folder;
}

function isSystem(path: string, { systemFolders }: ToolchainQuestion): boolean {
  return systemFolders.some((folder) => path === folder || path.startsWith(folder + sep));
}
