import { chmod, copyFile, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { writeTemplatePacks } from '#main/apps/template-packs.ts';
import { moduleFiles } from './module-files.ts';
import { filesIn } from './package-files.ts';
import type { Target } from './targets.ts';

/** Below `resources`, for `TemplatePacks`: read by programs in a sandbox alone, so never in the archive. */
export const PACKS = 'resources/packs';

/** What the build, Python and macOS leave there, and fonts in formats that no Chromium asks for. */
const NOT_SHIPPED =
  /^out\/(?:gallery\/|\.)|^out\/renderer\/assets\/KaTeX_[^/]*\.(?:ttf|woff)$|(?:^|\/)(?:__pycache__\/|\.DS_Store$)/;

export interface Staging {
  /** The folder of the project, built. */
  readonly root: string;
  /** The `node_modules` that `npm ci` makes for the target. */
  readonly modules: string;
  readonly target: Target;
  /** Whether the packages of the app templates come too: `modules` must be of the target. */
  readonly withTemplates: boolean;
  /** Emptied first: a folder that has what a package of the app runs, and nothing else. */
  readonly dir: string;
}

/**
 * Puts into `dir` what a package runs: the bundle, the resources, the files of `module-files.ts`, the packages of the app
 * templates, and a `package.json` without dependencies, so that no packager looks for more.
 */
export async function stageApp(staging: Staging): Promise<void> {
  const { root, modules, target, dir } = staging;
  await rm(dir, { recursive: true, force: true });
  const own = ['out', 'resources'].flatMap((folder) =>
    filesIn(join(root, folder)).map(({ path }) => `${folder}/${path}`),
  );
  for (const file of own) {
    if (NOT_SHIPPED.test(file) || file.startsWith(`${PACKS}/`)) continue;
    await copyInto(dir, file, join(root, file));
  }
  for (const file of moduleFiles(modules, target)) {
    await copyInto(dir, `node_modules/${file}`, join(modules, file));
  }
  for (const file of ['LICENSE', 'CHANGELOG.md']) await copyInto(dir, file, join(root, file));
  await writeFile(join(dir, 'package.json'), await shippedManifest(root));
  await mkdir(join(dir, PACKS), { recursive: true });
  if (staging.withTemplates) await writeTemplatePacks({ root, modules, dir: join(dir, PACKS) });
}

async function shippedManifest(root: string): Promise<string> {
  const { name, version, description, license, author, homepage, type, main, bin } = JSON.parse(
    await readFile(join(root, 'package.json'), 'utf8'),
  ) as Record<string, unknown>;
  const kept = { name, version, description, license, author, homepage, type, main, bin };
  return `${JSON.stringify(kept, null, 2)}\n`;
}

async function copyInto(dir: string, file: string, from: string): Promise<void> {
  const to = join(dir, file);
  await mkdir(dirname(to), { recursive: true, mode: 0o755 });
  await copyFile(from, to);
  // Whatever the umask of who builds: everybody may read an installed app.
  await chmod(to, 0o644);
}
