import path from 'node:path/posix';
import type { AppPart } from '#contract/apps.ts';
import { AppError } from '#contract/errors.ts';
import { hasKeys } from '../../base/key-files.ts';
import { type WriteBytes, ZipWriter } from '../../base/zip-writer.ts';
import type { Workspace } from '../../sandbox/types.ts';
import { readTree, type TreeEntry } from '../../sandbox/workspace/hostile-tree.ts';
import { zipTreeFile } from '../../sandbox/workspace/zip-tree-file.ts';
import { readManifest } from '../project-folder.ts';
import { packageName } from '../templates.ts';
import { builtFolder } from './built-folder.ts';
import { projectReadme } from './project-readme.ts';

export interface ZipAppParts {
  readonly workspace: Workspace;
  /** In the workspace; empty for the workspace itself. */
  readonly folder: string;
  readonly part: AppPart;
  readonly now: number;
  readonly signal: AbortSignal;
}

/** What was written. */
export interface AppZip {
  readonly fileName: string;
  /** Files that are not in it and might be missed, as the folder of the app has them: the first 20. */
  readonly leftOut: readonly string[];
}

const ENTRIES = 50_000;
const HOLES_BYTES = 64 * 1024 * 1024;
const MOST_LEFT_OUT = 20;
/** What is made again from the rest, or belongs to other tools. */
const MADE_AGAIN: ReadonlySet<string> = new Set([
  ...['node_modules', '.packages', '.git', '.hyperagent', '.vite', '.cache', '.turbo', '.next'],
  ...['__pycache__', '.venv', '.DS_Store', 'Thumbs.db'],
]);

/**
 * Writes an app as a zip file: the project without what is made again, without files of secrets, and with a README
 * that says how to run it; or what its build made. The folder may change meanwhile; no link is followed. Throws
 * `NOT_FOUND` where there is nothing, and what `write` throws.
 */
export async function zipApp(
  write: WriteBytes,
  { workspace, folder, part, now, signal }: ZipAppParts,
): Promise<AppZip> {
  const files = workspace.withoutLinks();
  const manifest = await readManifest(files, folder).catch(() => null);
  const name = packageName(manifest?.name ?? path.basename(folder));
  const built = (await builtFolder(files, { folder, before: new Map() }))?.folder ?? null;
  if (part === 'build' && built === null) {
    throw new AppError('NOT_FOUND', 'This app has no built files. Build it first.');
  }
  const isProject = part === 'project' || built === null;
  const top = isProject ? folder : built;
  // Without a build, a folder of this name is part of the project.
  const { build } = manifest?.scripts ?? {};
  const output = build === undefined ? null : built;
  const zip = new ZipWriter(write, signal);
  const project = new ZippedTree(zip, { top, prefix: isProject ? `${name}/` : '' });
  await project.add(workspace.dir, (file) => isProject && file === output);
  if (project.files === 0) {
    throw new AppError(
      'NOT_FOUND',
      `There are no files in ${folder === '' ? '/workspace' : folder}.`,
    );
  }
  const { leftOut } = project;
  if (isProject && !project.hasReadme) {
    const readme = projectReadme({ name, manifest, leftOut });
    const entry = { name: `${name}/README.md`, modifiedAt: now, content: Buffer.from(readme) };
    await zip.add(entry);
  }
  await zip.end();
  return { fileName: isProject ? `${name}.zip` : `${name}-built.zip`, leftOut };
}

/** The files of one folder of a workspace, in a zip file. */
class ZippedTree {
  readonly #zip: ZipWriter;
  readonly #top: string;
  readonly #prefix: string;
  readonly leftOut: string[] = [];
  files = 0;
  hasReadme = false;

  constructor(zip: ZipWriter, { top, prefix }: { readonly top: string; readonly prefix: string }) {
    this.#zip = zip;
    this.#top = top;
    this.#prefix = prefix;
  }

  /** Walks from the workspace down, so that no folder on the way can be swapped for a link. */
  async add(dir: string, isOutput: (file: string) => boolean): Promise<void> {
    const skips = (file: string): boolean => {
      if (this.#isOnTheWay(file)) return false;
      return !this.#isInside(file) || MADE_AGAIN.has(path.basename(file)) || isOutput(file);
    };
    const limits = { entries: ENTRIES, holes: HOLES_BYTES, skips };
    for await (const entry of readTree(dir, limits)) await this.#add(entry);
  }

  async #add(entry: TreeEntry): Promise<void> {
    const file = this.#top === '' ? entry.path : path.relative(this.#top, entry.path);
    // The folder itself may have become a file or a link.
    const isWanted = this.#isInside(entry.path) && !hasKeys(path.basename(file));
    if (entry.kind === 'left_out' || !isWanted) {
      if (entry.kind === 'file') await entry.handle.close();
      this.#leaveOut(file);
      return;
    }
    // The names of the folders above are not in it.
    const depth = this.#top === '' ? 0 : this.#top.split('/').length;
    const inside = entry.name.split('/').slice(depth).join('/');
    if (/^readme(?:\.|$)/i.test(inside)) this.hasReadme = true;
    if (!(await zipTreeFile(this.#zip, entry, `${this.#prefix}${inside}`))) this.#leaveOut(file);
    this.files += 1;
  }

  #leaveOut(file: string): void {
    if (this.leftOut.length < MOST_LEFT_OUT) this.leftOut.push(file);
  }

  #isOnTheWay(file: string): boolean {
    return this.#top === file || this.#top.startsWith(`${file}/`);
  }

  #isInside(file: string): boolean {
    return this.#top === '' || file.startsWith(`${this.#top}/`);
  }
}
