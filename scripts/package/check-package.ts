import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { FuseV1Options, getCurrentFuseWire } from '@electron/fuses';
import { NODE_FILE } from './add-node-tree.ts';
import { compiledFor } from './executable-header.ts';
import { NODE_VERSION } from './node-executable.ts';
import type { Packed } from './pack.ts';
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

export interface Checked {
  readonly packed: Packed;
  readonly target: Target;
  /** The folder of the project, whose path no file may have. */
  readonly root: string;
}

const PROGRAMS = {
  linux: 'hyperagent-desktop',
  win32: 'HyperAgent.exe',
  darwin: 'HyperAgent.app',
};
const DEVELOPERS_ONLY = [
  // The resources have sources that users change: templates of apps and of skills.
  /^(?:out|node_modules)\/.*\.tsx?$/,
  /^(?:out|node_modules)\/(?:.*\/)?\./,
  /\.(?:map|pyc|tsbuildinfo)$/,
  /^out\/(?!main\/|preload\/|renderer\/)/,
];

/**
 * Reads a packed app as a stranger would and compares it with what a package promises: what is in the archive is intact and
 * the same beside it, native modules and Node are of the target, the fuses are blown, and nothing else came in.
 */
export async function checkPackage({ packed, target, root }: Checked): Promise<PackageFacts> {
  const { dir, resources } = packed;
  const archive = join(resources, 'app.asar');
  const archived = readArchive(archive);
  const beside = filesIn(join(resources, 'app.asar.unpacked'));
  const node = join(resources, NODE_FILE[target.platform]);
  const facts = {
    archivedFiles: archived.filter((file) => !file.isBeside).length,
    archiveBytes: statSync(archive).size,
    besideBytes: bytesOf(beside.filter((file) => !file.path.startsWith(`${PACKS}/`))),
    packBytes: bytesOf(beside.filter((file) => file.path.startsWith(`${PACKS}/`))),
    nodeBytes: existsSync(node) ? statSync(node).size : 0,
    digest: digestOf(dir),
  };
  const limits = SIZE_LIMITS[nameOf(target)];
  const problems = [
    ...sameOnBothSides(archived, beside),
    ...archived
      .filter(({ path }) => DEVELOPERS_ONLY.some((pattern) => pattern.test(path)))
      .map(({ path }) => `${path} is for developers.`),
    ...wrongNatives(filesIn(resources), target),
    ...missingNatives(archived, target),
    ...nodeProblems(node, target),
    ...pathsOf(root, archived),
    ...(await fuseProblems(join(dir, PROGRAMS[target.platform]), root)),
    ...(await integrityProblems(dir, archive, target)),
    ...(limits === undefined ? [] : Object.entries(limits)).flatMap(([name, limit]) => {
      const measured = facts[name as keyof typeof limits];
      return measured <= limit ? [] : [`${name} is ${measured}, over the limit of ${limit}.`];
    }),
  ];
  return { ...facts, problems };
}

interface File {
  readonly path: string;
  readonly file: string;
  readonly bytes: number;
}

/** All files below a folder, sorted, with `/` in their paths. Throws for a link: an archive for Windows has none. */
function filesIn(folder: string): File[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => !entry.isDirectory())
    .map((entry) => {
      const file = join(entry.parentPath, entry.name);
      if (!entry.isFile()) throw new Error(`${file} is not a plain file.`);
      const path = file.slice(join(folder, '/').length).replaceAll('\\', '/');
      return { path, file, bytes: statSync(file).size };
    })
    .sort((a, b) => (a.path < b.path ? -1 : 1));
}

function bytesOf(files: readonly File[]): number {
  return files.reduce((sum, { bytes }) => sum + bytes, 0);
}

function digestOf(dir: string): string {
  const lines = filesIn(dir).map(({ path, file }) => `${path} ${sha256(readFileSync(file))}\n`);
  return sha256(lines.join(''));
}

function sha256(content: Buffer | string): string {
  return createHash('sha256').update(content).digest('hex');
}

function sameOnBothSides(archived: readonly ArchivedFile[], beside: readonly File[]): string[] {
  const outside = new Map(beside.map(({ path, file }) => [path, file]));
  const inside = new Set(archived.map(({ path }) => path));
  return [
    ...archived.flatMap(({ path, hash, content }) => {
      if (content !== null && sha256(content) !== hash) {
        return [`${path} is not what the header of the archive says.`];
      }
      const file = outside.get(path);
      if (file === undefined) return [`${path} is missing beside the archive.`];
      const isSame = sha256(readFileSync(file)) === hash;
      return isSame ? [] : [`${path} is not the same in the archive and beside it.`];
    }),
    ...beside
      .filter(({ path }) => !inside.has(path) && !path.startsWith(`${PACKS}/`))
      .map(({ path }) => `${path} is beside the archive and not in it.`),
  ];
}

function wrongNatives(files: readonly File[], target: Target): string[] {
  return files.flatMap(({ path, file }) => {
    const found = compiledFor(file);
    if (found === null && !path.endsWith('.node')) return [];
    const name = found === null ? 'no known system' : nameOf(found);
    return name === nameOf(target) ? [] : [`${path} is for ${name}, not for ${nameOf(target)}.`];
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

function nodeProblems(node: string, target: Target): string[] {
  if (!existsSync(node)) return ['There is no Node beside the app.'];
  if (!isHost(target)) return [];
  const { stdout, error } = spawnSync(node, ['--version'], { encoding: 'utf8', env: {} });
  const said = error?.message ?? stdout.trim();
  return said === `v${NODE_VERSION}`
    ? []
    : [`Node beside the app says "${said}", not ${NODE_VERSION}.`];
}

function pathsOf(root: string, archived: readonly ArchivedFile[]): string[] {
  const needle = root.replace(/[\\/]$/, '');
  return archived
    .filter(({ content }) => content?.includes(needle))
    .map(({ path }) => `${path} has the path of the computer that built it.`);
}

async function fuseProblems(program: string, root: string): Promise<string[]> {
  const { electronFuses } = JSON.parse(
    readFileSync(join(root, 'electron-builder.json'), 'utf8'),
  ) as { readonly electronFuses: Readonly<Record<string, boolean>> };
  if (!existsSync(program)) return [`There is no ${program}.`];
  const wire = await getCurrentFuseWire(program);
  return Object.entries(electronFuses).flatMap(([name, isOn]) => {
    const key = `${name[0]?.toUpperCase()}${name.slice(1)}` as keyof typeof FuseV1Options;
    const state = wire[FuseV1Options[key]];
    // The character in the program: `0` and `1`, as the library has them in a type that it does not export.
    return String.fromCharCode(state ?? 0) === (isOn ? '1' : '0')
      ? []
      : [`The fuse ${name} is not ${isOn ? 'on' : 'off'}.`];
  });
}

/** Electron on Linux does not check its archive, so there is nothing to compare with. */
async function integrityProblems(dir: string, archive: string, target: Target): Promise<string[]> {
  const program = join(dir, PROGRAMS.win32);
  if (target.platform !== 'win32' || !existsSync(program)) return [];
  const hash = await archiveHashIn(program);
  return hash === headerHash(archive) ? [] : ['The program does not have the hash of its archive.'];
}
