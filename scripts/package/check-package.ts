import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { FuseV1Options, getCurrentFuseWire } from '@electron/fuses';
import { sha256 } from '#main/base/canonical-json.ts';
import { commandOf, NODE_FILE } from './add-node-tree.ts';
import { describeNative, nativeFile } from './executable-header.ts';
import { NODE_VERSION } from './node-executable.ts';
import type { Packed } from './pack.ts';
import { closedFolders, filesIn, type PackageFile } from './package-files.ts';
import { archiveHashIn } from './pe-file.ts';
import { type ArchivedFile, headerHash, readArchive } from './read-archive.ts';
import { PACKS } from './stage-app.ts';
import { isHost, nameOf, SIZE_LIMITS, type Target } from './targets.ts';

export interface PackageFacts {
  readonly archivedFiles: number;
  readonly archiveBytes: number;
  /** What is beside the archive, without Node and the packages of the app templates. */
  readonly besideBytes: number;
  readonly packBytes: number;
  readonly nodeBytes: number;
  /** SHA-256 over the names and contents of all files of the package. */
  readonly digest: string;
  /** Each a full sentence; empty for a package that may be handed out. */
  readonly problems: readonly string[];
}

/** What went into a package, to compare with what is in it. */
export interface Expected {
  /** SHA-256 of the files of the app templates' packages, by their path. */
  readonly templates: ReadonlyMap<string, string>;
  /** SHA-256 of Node. */
  readonly node: string;
}

export interface Checked {
  readonly packed: Packed;
  readonly target: Target;
  /** The folder of the project, whose path no file may have. */
  readonly root: string;
  readonly expected: Expected;
}

interface Contents {
  readonly archived: readonly ArchivedFile[];
  /** Of the whole package, by their path below its folder. */
  readonly files: readonly PackageFile[];
  /** Of the resources, by their path there. */
  readonly resources: ReadonlyMap<string, PackageFile>;
  readonly hashOf: (file: PackageFile) => string;
}

const PROGRAMS = {
  linux: 'hyperagent-desktop',
  win32: 'HyperAgent.exe',
  darwin: 'HyperAgent.app/Contents/MacOS/HyperAgent',
};
const BESIDE = 'app.asar.unpacked/';
/** What electron-builder adds for updates, languages and icons. */
const OF_BUILDER = /^(?:app-update\.yml|elevate\.exe|[^/]+\.lproj\/.*|[^/]+\.icns)$/;
const DEVELOPERS_ONLY = [
  // The resources have sources that users change: templates of apps and of skills.
  /^(?:out|node_modules)\/.*\.tsx?$/,
  /^(?:out|node_modules)\/(?:.*\/)?\./,
  /\.(?:map|pyc|tsbuildinfo)$/,
  /^out\/(?!main\/|preload\/|renderer\/)/,
];

/**
 * Reads a packed app as a stranger would and compares it with what a package promises: each file is one that was meant,
 * unchanged, the same in the archive and beside it; native modules and Node are of the target; the fuses are blown;
 * everybody can read it, and nobody change it.
 */
export async function checkPackage(checked: Checked): Promise<PackageFacts> {
  const { packed, target, root } = checked;
  const contents = readContents(packed);
  const { archived, files, resources, hashOf } = contents;
  const sizeOf = (isCounted: (path: string) => boolean): number =>
    [...resources].reduce((sum, [path, { bytes }]) => sum + (isCounted(path) ? bytes : 0), 0);
  const isPack = (path: string): boolean => path.startsWith(`${BESIDE}${PACKS}/`);
  const facts = {
    archivedFiles: archived.filter((file) => !file.isBeside).length,
    archiveBytes: sizeOf((path) => path === 'app.asar'),
    besideBytes: sizeOf((path) => path.startsWith(BESIDE) && !isPack(path)),
    packBytes: sizeOf(isPack),
    nodeBytes: sizeOf((path) => path === NODE_FILE[target.platform]),
    digest: sha256(files.map((file) => `${file.path} ${hashOf(file)}\n`).join('')),
  };
  const problems = [
    ...archiveProblems(contents),
    ...unexpectedFiles(contents, checked),
    ...wrongNatives(contents, target),
    ...missingNatives(archived, target),
    ...nodeProblems(contents, checked),
    ...files
      .filter(({ file }) => hasPathOf(root, file))
      .map(({ path }) => `${path} has the path of the computer that built it.`),
    ...modeProblems(packed.dir, contents, target),
    ...(await programProblems(packed, target, root)),
    ...Object.entries(SIZE_LIMITS[nameOf(target)] ?? {}).flatMap(([name, limit]) => {
      const measured = facts[name as keyof typeof facts];
      return typeof measured === 'number' && measured > limit
        ? [`${name} is ${measured}, over the limit of ${limit}.`]
        : [];
    }),
  ];
  return { ...facts, problems };
}

function readContents({ dir, resources }: Packed): Contents {
  const hashes = new Map<string, string>();
  return {
    archived: readArchive(join(resources, 'app.asar')),
    files: filesIn(dir),
    resources: new Map(filesIn(resources).map((file) => [file.path, file])),
    hashOf: ({ file }) => {
      const known = hashes.get(file) ?? sha256(readFileSync(file));
      hashes.set(file, known);
      return known;
    },
  };
}

function archiveProblems({ archived, resources, hashOf }: Contents): string[] {
  return archived.flatMap(({ path, hash, content }) => {
    if (DEVELOPERS_ONLY.some((pattern) => pattern.test(path)))
      return [`${path} is for developers.`];
    if (content !== null && sha256(content) !== hash) {
      return [`${path} is not what the header of the archive says.`];
    }
    const beside = resources.get(BESIDE + path);
    if (beside === undefined) return [`${path} is missing beside the archive.`];
    return hashOf(beside) === hash ? [] : [`${path} is not the same in the archive and beside it.`];
  });
}

/** Files of the resources that nobody meant to be there, and those that are missing or changed. */
function unexpectedFiles(
  { archived, files, resources, hashOf }: Contents,
  checked: Checked,
): string[] {
  const { target, expected } = checked;
  const command = commandOf(target);
  const own = new Map([
    ...[...expected.templates].map(([path, hash]) => [`${BESIDE}${PACKS}/${path}`, hash] as const),
    [command.path, sha256(command.text)],
    [NODE_FILE[target.platform], expected.node],
  ]);
  const inArchive = new Set(archived.map(({ path }) => BESIDE + path));
  const isMeant = (path: string): boolean =>
    path === 'app.asar' || own.has(path) || inArchive.has(path) || OF_BUILDER.test(path);
  const names = new Map<string, string>();
  return [
    ...[...resources.keys()]
      .filter((path) => !isMeant(path))
      .map((path) => `${path} is in no list of what a package has.`),
    ...[...own].flatMap(([path, hash]) => {
      const file = resources.get(path);
      if (file === undefined) return [`${path} is missing.`];
      return hashOf(file) === hash ? [] : [`${path} is not what went into the package.`];
    }),
    // Electron's files have plain names: a settings file with a key has not.
    ...files
      .filter(({ path }) => /^(?:\.|[^/]*(?:id_rsa|\.pem|\.key)$)/.test(path))
      .map(({ path }) => `${path} is in no list of what a package has.`),
    ...files.flatMap(({ path }) => {
      const other = names.get(path.toLowerCase());
      names.set(path.toLowerCase(), path);
      return other === undefined ? [] : [`${path} and ${other} are one file on Windows and macOS.`];
    }),
  ];
}

function wrongNatives({ files }: Contents, target: Target): string[] {
  return files.flatMap(({ path, file }) => {
    const found = nativeFile(file);
    if (found === null) return path.endsWith('.node') ? [`${path} is no native module.`] : [];
    const name = describeNative(found);
    if (name !== nameOf(target)) return [`${path} is for ${name}, not for ${nameOf(target)}.`];
    const isMusl = target.platform === 'linux' && readFileSync(file).includes('libc.musl-');
    return isMusl ? [`${path} is for musl, not for glibc.`] : [];
  });
}

function missingNatives(archived: readonly ArchivedFile[], target: Target): string[] {
  const wanted = [
    `node_modules/better-sqlite3/prebuilds/${nameOf(target)}.node`,
    ...(target.platform === 'linux'
      ? [`node_modules/@koromix/koffi-linux-${target.arch}/linux_${target.arch}/koffi.node`]
      : []),
  ];
  return wanted
    .filter((path) => !archived.some((file) => file.path === path && file.isBeside))
    .map((path) => `${path} is missing, or inside the archive, from where no system loads it.`);
}

function nodeProblems({ resources }: Contents, { target }: Checked): string[] {
  const node = resources.get(NODE_FILE[target.platform]);
  if (node === undefined) return [];
  if (nativeFile(node.file) === null) return ['Node beside the app is no program.'];
  if (!isHost(target)) return [];
  const { stdout, error } = spawnSync(node.file, ['--version'], { encoding: 'utf8', env: {} });
  const said = error?.message ?? stdout.trim();
  return said === `v${NODE_VERSION}`
    ? []
    : [`Node beside the app says "${said}", not ${NODE_VERSION}.`];
}

/** What the project has in its folder: a path that goes on with one of them is no chance. */
const OF_PROJECT = /^[\\/]{1,4}(?:src-|scripts|out|resources|node_modules|dist|test|package\.json)/;

/** In any way that a program may write it. */
function hasPathOf(root: string, file: string): boolean {
  const path = root.replace(/[\\/]$/, '');
  const forms = new Set([
    ...[path, path.replaceAll('\\', '\\\\'), path.replaceAll('\\', '/')],
    pathToFileURL(path).pathname,
  ]);
  const content = readFileSync(file);
  return [...forms].some((form) => {
    for (let at = content.indexOf(form); at >= 0; at = content.indexOf(form, at + 1)) {
      const end = at + Buffer.byteLength(form);
      if (OF_PROJECT.test(content.toString('latin1', end, end + 20))) return true;
    }
    return false;
  });
}

function modeProblems(dir: string, { files }: Contents, target: Target): string[] {
  // Windows has no such modes, on either side.
  if (process.platform === 'win32' || target.platform === 'win32') return [];
  const command = commandOf(target).path;
  const isProgram = (path: string): boolean =>
    path === PROGRAMS[target.platform] ||
    path.endsWith(`/${NODE_FILE[target.platform]}`) ||
    path.endsWith(`/${command}`);
  return [
    ...files
      .filter(({ mode }) => (mode & 0o444) !== 0o444)
      .map(({ path }) => `${path} cannot be read by everybody.`),
    ...files
      .filter(({ mode }) => (mode & 0o022) !== 0)
      .map(({ path }) => `${path} can be changed by others.`),
    ...files
      .filter(({ path, mode }) => isProgram(path) && (mode & 0o111) !== 0o111)
      .map(({ path }) => `${path} cannot be started by everybody.`),
    ...closedFolders(dir).map(
      (path) => `The folder ${path} cannot be entered by everybody, or can be changed by others.`,
    ),
  ];
}

async function programProblems(
  { dir, resources }: Packed,
  target: Target,
  root: string,
): Promise<string[]> {
  const program = join(dir, PROGRAMS[target.platform]);
  if (!existsSync(program) || !statSync(program).isFile()) return [`There is no ${program}.`];
  const { electronFuses } = JSON.parse(
    readFileSync(join(root, 'electron-builder.json'), 'utf8'),
  ) as { readonly electronFuses: Readonly<Record<string, boolean>> };
  // On macOS the fuses are in Electron's framework, which the library finds in the app.
  const isMac = target.platform === 'darwin';
  const wire = await getCurrentFuseWire(isMac ? join(dir, 'HyperAgent.app') : program);
  const fuses = Object.entries(electronFuses).flatMap(([name, isOn]) => {
    const key = `${name[0]?.toUpperCase()}${name.slice(1)}` as keyof typeof FuseV1Options;
    const state = wire[FuseV1Options[key]];
    // The character in the program: `0` and `1`, as the library has them in a type that it does not export.
    return String.fromCharCode(state ?? 0) === (isOn ? '1' : '0')
      ? []
      : [`The fuse ${name} is not ${isOn ? 'on' : 'off'}.`];
  });
  // Electron on Linux does not check its archive, so there is nothing to compare with.
  if (target.platform !== 'win32') return fuses;
  const isSame = (await archiveHashIn(program)) === headerHash(join(resources, 'app.asar'));
  return isSame ? fuses : [...fuses, 'The program does not have the hash of its archive.'];
}
