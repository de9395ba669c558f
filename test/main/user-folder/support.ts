import { createHash } from 'node:crypto';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, vi } from 'vitest';
import type { FolderChange } from '#contract/user-folder.ts';
import { systemClock } from '#main/base/clock.ts';
import type { DataStores } from '#main/storage/open-stores.ts';
import { UserFolders } from '#main/user-folder/user-folders.ts';
import { openData } from '../../fakes/open-data.ts';

export const TASK = 'thr_1';

export let base: string;
export let data: DataStores;
export let folders: UserFolders;
export let mine: string;
export let copy: string;

/** Each test has a folder of the user, a data folder, and a task that gets the folder. */
export function registerFolderTask(): void {
  beforeEach(() => {
    base = realpathSync(mkdtempSync(join(tmpdir(), 'hyperagent-folder-')));
    mine = join(base, 'home/project');
    const dataDir = join(base, 'data');
    data = openData(dataDir);
    const { paths } = data;
    folders = new UserFolders({
      store: data.userFolders,
      workspaceDir: paths.workspace,
      stagingDir: paths.transfers,
      backupsDir: paths.folderBackups,
      ...{ dataDir, clock: systemClock },
    });
    copy = join(paths.workspace(TASK), 'project');
    put(mine, { 'a.txt': 'one', 'src/b.txt': 'two', 'src/deep/c.txt': 'three' });
  });
  afterEach(() => {
    vi.unstubAllEnvs();
    data.close();
    rmSync(base, { recursive: true, force: true });
  });
}

export async function give(access: 'read' | 'copy') {
  const { folder, persist } = await folders.copyIn(TASK, { path: mine, access });
  data.runStores.threads.insert({ id: TASK, title: 'Task', createdAt: 0 });
  persist();
  return folder;
}

export async function changes(): Promise<FolderChange[]> {
  return (await folders.changes(TASK)).changes;
}

export async function changesOf(files: Readonly<Record<string, string>>): Promise<FolderChange[]> {
  put(copy, files);
  return await changes();
}

export function apply(listed: readonly FolderChange[]) {
  return folders.apply(
    TASK,
    listed.map(({ path, now, becomes }) => ({ path, now, becomes })),
  );
}

export function pick(listed: readonly FolderChange[], file: string) {
  const { path, now, becomes } = listed.find((one) => one.path === file) as FolderChange;
  return { path, now, becomes };
}

export function put(root: string, files: Readonly<Record<string, string>>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
}

/** Plain files and what they hold; the temporary files of writing would show too. */
export function treeOf(root: string): Record<string, string> {
  const entries = readdirSync(root, { recursive: true, withFileTypes: true });
  return Object.fromEntries(
    entries
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => join(parentPath, name))
      .map((file) => [file.slice(root.length + 1), readFileSync(file, 'utf8')]),
  );
}

export function hash(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
