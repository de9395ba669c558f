import path from 'node:path/posix';
import { z } from 'zod';
import { AppError } from '#contract/errors.ts';
import { parseOutsideJson } from '../base/outside-json.ts';
import type { Workspace, WorkspaceFiles } from '../sandbox/types.ts';

const MANIFEST_BYTES = 256 * 1024;
/** Serves a folder without a project as it is. */
export const PLAIN_SERVER = 'exec python3 -m http.server 3000 --bind 127.0.0.1';

const Manifest = z.object({
  name: z.string().nullish(),
  scripts: z.record(z.string(), z.string()).nullish(),
});
export type ProjectManifest = z.infer<typeof Manifest>;

/**
 * The line of shell that starts the server of a project: its script `dev`, else `start`; a folder with nothing but a
 * page is served as it is. Throws `NOT_FOUND` and `BAD_REQUEST`, each with what to do.
 */
export async function serverCommand(workspace: Workspace, folder: string): Promise<string> {
  const files = workspace.withoutLinks();
  const manifest = await readManifest(files, folder);
  const { dev, start } = manifest?.scripts ?? {};
  const command = dev ?? start;
  if (command !== undefined && command.trim() !== '') return command;
  const name = folder === '' ? '/workspace' : folder;
  if (manifest !== null) {
    throw new AppError(
      'BAD_REQUEST',
      `${name}/package.json has no script "dev". Add one, or give the command that starts the server.`,
    );
  }
  if (await has(files, path.join(folder, 'index.html'))) return PLAIN_SERVER;
  throw new AppError(
    'NOT_FOUND',
    `There is no app in ${name}: neither package.json nor index.html. Create one with create_app_project, or name its folder.`,
  );
}

/** The scripts of a project that matter for production; all null for a folder with a page and no project. */
export interface ProductionScripts {
  readonly build: string | null;
  /** Serves what was built. */
  readonly preview: string | null;
  /** Where there is a build, it may be the development server. */
  readonly start: string | null;
}

/** Throws `NOT_FOUND` and `BAD_REQUEST` for what cannot be built, each with what to do. */
export async function productionScripts(
  files: WorkspaceFiles,
  folder: string,
): Promise<ProductionScripts> {
  const manifest = await readManifest(files, folder);
  const script = (name: string): string | null => manifest?.scripts?.[name]?.trim() || null;
  const scripts = { build: script('build'), preview: script('preview'), start: script('start') };
  const name = folder === '' ? '/workspace' : folder;
  if (manifest === null) {
    if (await has(files, path.join(folder, 'index.html'))) return scripts;
    throw new AppError(
      'NOT_FOUND',
      `There is no app in ${name}: neither package.json nor index.html.`,
    );
  }
  if (scripts.build !== null || scripts.start !== null) return scripts;
  throw new AppError(
    'BAD_REQUEST',
    `The app in ${name} cannot be built: its package.json has neither a script "build" nor "start". Add one.`,
  );
}

/** Null where there is none. Throws `BAD_REQUEST` for one that is broken. */
export async function readManifest(
  files: WorkspaceFiles,
  folder: string,
): Promise<ProjectManifest | null> {
  const file = path.join(folder, 'package.json');
  const found = await files.read(file, MANIFEST_BYTES).catch((error: unknown) => {
    if (error instanceof AppError && error.code === 'NOT_FOUND') return null;
    throw error;
  });
  if (found === null) return null;
  try {
    return Manifest.parse(parseOutsideJson(found.data.toString('utf8')));
  } catch (cause) {
    const reason = cause instanceof SyntaxError ? cause.message : 'it is not as npm wants it';
    throw new AppError('BAD_REQUEST', `${file} cannot be read: ${reason}. Write it again.`, {
      cause,
    });
  }
}

async function has(files: WorkspaceFiles, file: string): Promise<boolean> {
  return await files.read(file, 1).then(
    () => true,
    () => false,
  );
}

/**
 * A folder of the workspace as the app names it: without `/workspace`, `./` and slashes around. Throws
 * `PATH_OUTSIDE_WORKSPACE`.
 */
export function plainFolder(given: string): string {
  const inside = given.replace(/^\/?workspace(?:\/|$)/, '').replace(/^\/+/, '');
  const plain = path.normalize(inside === '' ? '.' : inside).replace(/\/+$/, '');
  if (plain === '..' || plain.startsWith('../')) {
    throw new AppError('PATH_OUTSIDE_WORKSPACE', `${given} leads out of the workspace.`);
  }
  return plain === '.' ? '' : plain;
}
