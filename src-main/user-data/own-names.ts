import { lstatSync, readdirSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import type { DataPaths } from '../storage/data-paths.ts';

/** Something that the app made in its data folder. */
export interface OwnEntry {
  /** Absolute; never the data folder itself, nor one of its folders with names of others in it. */
  readonly path: string;
  readonly part: 'database' | 'models' | 'window' | 'others';
}

const DATABASE = /^hyperagent\.db(?:\.part)?(?:-(?:wal|shm|journal))?$/;

/**
 * Names at the top of the data folder. Not the lock, which holds nothing and is held meanwhile, nor the mark of a
 * deletion.
 */
const AT_TOP = [
  DATABASE,
  /^library\.db(?:-(?:wal|shm|journal))?$/,
  /^reserve$/,
  /^hyperagent-damaged-[\dTZ-]+\.db(?:-\w+)?$/,
  /^probe-[\w-]+$/,
  /^\.writable-[0-9a-f]{12}$/,
  /^\.skill-import-\w{6}$/,
  /^hyperagent-deletion\.json\.[0-9a-f]{8}\.part$/,
];

const ID = '[0-9a-z]+';
const TASK = [new RegExp(`^thr_${ID}$`)];
const SNAPSHOTS = ['blobs', 'aside'].map((name) => new RegExp(`^${name}$`));
/** What Chromium writes first, and the app beside it. Without any of them the folder is not of a window. */
const WINDOW_MARKS = ['Local State', 'Preferences', 'Local Storage', 'Crashpad', 'bounds.json'];

/**
 * Everything in the data folder that the app made, the database with the keys first. The folder may be one that the
 * user has other files in, and so may each folder in it: where the app and the user both have a folder `models` or
 * `pictures` (in any case of letters), only names that the app gives are in this list. Links are listed themselves and
 * never what they lead to, except that the app's folders may themselves be links of the user: then what is behind them
 * is the user's own, and only the link is listed.
 */
export function ownEntries(paths: DataPaths): OwnEntry[] {
  const top = namesIn(paths.dataDir).filter((name) => AT_TOP.some((own) => own.test(name)));
  const inFolder = (
    dir: string,
    own: readonly RegExp[],
    part: OwnEntry['part'] = 'others',
  ): OwnEntry[] => {
    if (isLink(dir)) return [{ path: dir, part }];
    const names = namesIn(dir).filter((name) => own.some((pattern) => pattern.test(name)));
    return names.map((name) => ({ path: join(dir, name), part }));
  };
  return [
    ...top
      .sort((a, b) => Number(DATABASE.test(b)) - Number(DATABASE.test(a)))
      .map((name): OwnEntry => {
        const part = DATABASE.test(name) ? 'database' : 'others';
        return { path: join(paths.dataDir, name), part };
      }),
    ...inFolder(paths.backups, [/^hyperagent-.+\.db(?:\.part)?(?:-\w+)?$/]),
    ...inFolder(paths.workspaces, TASK),
    ...inFolder(paths.pictures, TASK),
    ...inFolder(paths.folderBackups, TASK),
    ...inFolder(paths.attachments, [new RegExp(`^att_${ID}$`)]),
    ...inFolder(paths.transfers, [new RegExp(`^(?:transfer|folder)_${ID}$`)]),
    ...inFolder(paths.snapshots, SNAPSHOTS),
    ...inFolder(paths.logs, [/^hyperagent(?:\.\d+)?\.log$/]),
    ...inFolder(paths.sandbox, [
      /^(?:probe-workspace-\w+|etc|inside|landlock)$/,
      /^(?:host|landlock)-facts\.json(?:\.[\w-]+)*$/,
    ]),
    ...inFolder(paths.connectors, [new RegExp(`^connector_${ID}(?:\\.jsonl(?:\\.1)?)?$`)]),
    ...skillFolders(paths.skills),
    ...inFolder(
      paths.models,
      [/^[A-Za-z0-9][\w.-]*\.gguf(?:\.part(?:\.json(?:\.new)?)?)?$/],
      'models',
    ),
    ...windowFolder(paths.window),
  ];
}

/** The folders of the app in the data folder, which go when they are empty. */
export function ownFolders(paths: DataPaths): string[] {
  const { backups, workspaces, pictures, folderBackups, attachments, transfers } = paths;
  const { snapshots, logs, sandbox, connectors, skills, models } = paths;
  return [
    ...[backups, workspaces, pictures, folderBackups, attachments, transfers],
    ...[snapshots, logs, sandbox, connectors, skills, models],
  ];
}

/** The storage of the page in the desktop app; none if the folder is not one of Chromium's. */
export function windowFolder(dir: string): OwnEntry[] {
  const isOwn = isLink(dir) || namesIn(dir).some((name) => WINDOW_MARKS.includes(name));
  return isOwn ? [{ path: dir, part: 'window' }] : [];
}

/** Where a link leads; null for anything else. */
export function linkTarget(path: string): string | null {
  return isLink(path) ? readlinkSync(path) : null;
}

/** A folder is a skill if it has a `SKILL.md`. */
function skillFolders(dir: string): OwnEntry[] {
  if (isLink(dir)) return [{ path: dir, part: 'others' }];
  return namesIn(dir)
    .map((name) => join(dir, name))
    .filter((path) => isLink(path) || namesIn(path).includes('SKILL.md'))
    .map((path) => ({ path, part: 'others' }));
}

function isLink(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true;
}

/** The names in a folder; none if it is no folder, or a link to one. A folder that cannot be read throws. */
function namesIn(dir: string): string[] {
  const info = lstatSync(dir, { throwIfNoEntry: false });
  return info?.isDirectory() === true ? readdirSync(dir) : [];
}
