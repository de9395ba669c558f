import { createHash, randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import {
  chmod,
  copyFile,
  mkdir,
  readdir,
  readFile,
  realpath,
  rename,
  rm,
  symlink,
} from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import { AppTemplate } from '#contract/apps.ts';
import { AppError } from '#contract/errors.ts';
import { besideArchive } from '../base/packaged-files.ts';
import { INSIDE_FILES } from '../sandbox/inside.ts';

export interface PackParts {
  /** The app's own folder: its packages, and `resources`. */
  readonly root: string;
  /** The folder that every sandbox sees as `/opt/hyperagent`. */
  readonly insideDir: string;
}

/** Of a `package.json` of somebody else, leniently. */
const Manifest = z.object({
  version: z.string().nullish(),
  bin: z.union([z.string(), z.record(z.string(), z.string())]).nullish(),
  dependencies: z.record(z.string(), z.string()).nullish(),
  devDependencies: z.record(z.string(), z.string()).nullish(),
  optionalDependencies: z.record(z.string(), z.string()).nullish(),
  peerDependencies: z.record(z.string(), z.string()).nullish(),
  peerDependenciesMeta: z
    .record(z.string(), z.object({ optional: z.boolean().nullish() }))
    .nullish(),
});
type Manifest = z.infer<typeof Manifest>;

/** A package as it is copied: its folder, and where it lies below `node_modules`. */
interface PackedPackage {
  readonly dir: string;
  readonly place: string;
  readonly manifest: Manifest;
}

/** Not needed to run, and half of the files; licenses go along. */
const LEFT_OUT =
  /^(?!licen[cs]e|copying|notice).*\.(?:map|md|markdown|flow)$|^(?:CHANGELOG|README)/i;

/**
 * The packages of the templates, so that an app starts without a network. A packaged app brings them
 * (`scripts/package`); elsewhere they are copied from the app's own packages, which have the same versions. No script
 * of a package ever runs.
 */
export class TemplatePacks {
  readonly #parts: PackParts;
  readonly #making = new Map<AppTemplate, Promise<string>>();

  constructor(parts: PackParts) {
    this.#parts = parts;
  }

  /** The `node_modules` of a template as programs in a sandbox see it, made where it is not there yet. */
  ensure(template: AppTemplate): Promise<string> {
    const making = this.#making.get(template) ?? this.#make(template);
    this.#making.set(template, making);
    making.catch(() => this.#making.delete(template));
    return making;
  }

  async #make(template: AppTemplate): Promise<string> {
    const { root, insideDir } = this.#parts;
    const packaged = path.join(besideArchive(root), 'resources', 'packs');
    const from = existsSync(packaged) ? packaged : root;
    const packages = await findPackages(from, template, root);
    const name = `${template}-${hashOf(packages)}`;
    const packs = path.join(insideDir, 'packs');
    await mkdir(packs, { recursive: true, mode: 0o755 });
    if (!existsSync(path.join(packs, name))) {
      const half = path.join(packs, `.${randomBytes(8).toString('hex')}`);
      await copyPackages(packages, half);
      await linkPrograms(packages, half);
      // Another process may have been faster.
      await rename(half, path.join(packs, name)).catch(() => rm(half, { recursive: true }));
    }
    await removeOthers(packs, template, name);
    return `${INSIDE_FILES}/packs/${name}/node_modules`;
  }
}

/**
 * Copies the packages of all templates to `dir/node_modules`, each once: what a package of the app brings. `modules` is the
 * `node_modules` that they come from.
 */
export async function writeTemplatePacks({
  root,
  modules,
  dir,
}: {
  readonly root: string;
  readonly modules: string;
  readonly dir: string;
}): Promise<void> {
  const from = path.dirname(modules);
  const all = new Map<string, PackedPackage>();
  for (const template of AppTemplate.options) {
    for (const found of await findPackages(from, template, root)) all.set(found.place, found);
  }
  await copyPackages([...all.values()], dir);
}

/**
 * The packages that a template needs, with all that they need, from the `node_modules` of `from`. Throws
 * `APP_UNAVAILABLE` where one is missing.
 */
async function findPackages(
  from: string,
  template: AppTemplate,
  root: string,
): Promise<PackedPackage[]> {
  const own = await manifestIn(path.join(root, 'resources', 'templates', template));
  const found = new Map<string, PackedPackage>();
  const base = path.join(await realpath(from), 'node_modules');
  const wanted: { name: string; by: string; isNeeded: boolean }[] = needs(own, true).map(
    (need) => ({ ...need, by: path.dirname(base) }),
  );
  for (let next = wanted.shift(); next !== undefined; next = wanted.shift()) {
    const dir = nearestPackage(next.name, next.by, base);
    if (dir === null) {
      if (!next.isNeeded) continue;
      throw new AppError(
        'APP_UNAVAILABLE',
        `The packages of the template "${template}" are not here (${next.name} is missing). Run \`npm ci\` in the folder of the app, or install it again.`,
      );
    }
    if (found.has(dir)) continue;
    const manifest = await manifestIn(dir);
    found.set(dir, { dir, place: path.relative(base, dir), manifest });
    wanted.push(...needs(manifest, false).map((need) => ({ ...need, by: dir })));
  }
  return [...found.values()].sort((a, b) => (a.place < b.place ? -1 : 1));
}

function needs(
  manifest: Manifest,
  isApp: boolean,
): { readonly name: string; readonly isNeeded: boolean }[] {
  const optional = Object.keys(manifest.optionalDependencies ?? {});
  const peers = Object.keys(manifest.peerDependencies ?? {});
  const isOptionalPeer = (name: string): boolean =>
    manifest.peerDependenciesMeta?.[name]?.optional === true;
  return [
    ...Object.keys(manifest.dependencies ?? {})
      .filter((name) => !optional.includes(name))
      .map((name) => ({ name, isNeeded: true })),
    ...(isApp ? Object.keys(manifest.devDependencies ?? {}) : []).map((name) => ({
      ...{ name, isNeeded: true },
    })),
    // Those of other platforms are not installed.
    ...optional.map((name) => ({ name, isNeeded: false })),
    ...peers.filter((name) => !isOptionalPeer(name)).map((name) => ({ name, isNeeded: false })),
  ];
}

/** Where Node would find a package, from the folder of who needs it upwards. */
function nearestPackage(name: string, by: string, base: string): string | null {
  for (let at = by; ; at = path.dirname(at)) {
    const dir = path.join(at, 'node_modules', name);
    if (existsSync(path.join(dir, 'package.json'))) return dir;
    if (path.join(at, 'node_modules') === base || at === path.dirname(at)) return null;
  }
}

async function manifestIn(dir: string): Promise<Manifest> {
  return Manifest.parse(JSON.parse(await readFile(path.join(dir, 'package.json'), 'utf8')));
}

function hashOf(packages: readonly PackedPackage[]): string {
  const lines = packages.map(({ place, manifest }) => `${place} ${manifest.version}`);
  const text = [process.platform, process.arch, ...lines].join('\n');
  return createHash('sha256').update(text).digest('hex').slice(0, 16);
}

/** Copies packages to `target/node_modules`. Programs inside run as another user and must read them, whatever the umask is. */
async function copyPackages(packages: readonly PackedPackage[], target: string): Promise<void> {
  const modules = path.join(target, 'node_modules');
  await mkdir(modules, { recursive: true, mode: 0o755 });
  for (const { dir, place } of packages) await copyPackage(dir, path.join(modules, place));
  for (const folder of [target, modules]) await chmod(folder, 0o755);
}

/** The links that npm would make in `node_modules/.bin`. */
async function linkPrograms(packages: readonly PackedPackage[], target: string): Promise<void> {
  const bin = path.join(target, 'node_modules', '.bin');
  await mkdir(bin, { mode: 0o755 });
  await chmod(bin, 0o755);
  for (const { place, manifest } of packages) {
    if (place.includes(`node_modules${path.sep}`)) continue;
    for (const [name, file] of programsOf(place, manifest)) {
      await symlink(path.join('..', place, file), path.join(bin, name)).catch(() => undefined);
    }
  }
}

function programsOf(name: string, { bin }: Manifest): [name: string, file: string][] {
  if (bin == null) return [];
  if (typeof bin === 'string') return [[name.split('/').at(-1) ?? name, bin]];
  return Object.entries(bin);
}

/** Plain files only: a link in a package leads nowhere that programs inside could see. */
async function copyPackage(from: string, to: string): Promise<void> {
  await mkdir(to, { recursive: true, mode: 0o755 });
  await chmod(to, 0o755);
  const entries = await readdir(from, { withFileTypes: true });
  for (const entry of entries) {
    const source = path.join(from, entry.name);
    const target = path.join(to, entry.name);
    if (entry.isDirectory() && entry.name !== 'node_modules') await copyPackage(source, target);
    if (!entry.isFile() || LEFT_OUT.test(entry.name)) continue;
    await copyFile(source, target);
    await chmod(target, 0o755);
  }
}

async function removeOthers(packs: string, template: AppTemplate, name: string): Promise<void> {
  for (const other of await readdir(packs)) {
    const isOld = other.startsWith(`${template}-`) && other !== name;
    // A server that runs has its own copy of what it needs.
    if (isOld) await rm(path.join(packs, other), { recursive: true, force: true });
  }
}
