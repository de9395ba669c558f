import {
  chmod,
  chown,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rm,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isLeftover, ownerLabel } from '../process-owner.ts';
import { workspaceOwner } from '../workspace/owner.ts';

/** The folders of one runtime, by what they are for. */
export interface LandlockFolders {
  /** Folder whose entries lead to all others, by paths that need no quoting. */
  readonly aliasDir: string;
  /** Real folders on the disk of the app's data, which programs write: removed with the runtime. */
  readonly scratchDir: string;
  /** Entries of `aliasDir`: where they lead. */
  readonly targets: Readonly<Record<FolderName, string>>;
}

export type FolderName = 'workspace' | 'tmp' | 'home' | 'script' | 'inside' | 'etc';

/** Those that programs write. */
export const WRITABLE: readonly FolderName[] = ['workspace', 'tmp', 'home', 'script'];
const SCRATCH = ['tmp', 'home', 'script'] as const;

export interface FolderSources {
  /** Folder of the app for the scratch folders of all its runtimes. */
  readonly runsDir: string;
  readonly workspaceDir: string;
  readonly insideDir: string;
  readonly etcDir: string;
}

/**
 * Creates the folders of a runtime. There are no mounts for an ordinary user, so `/tmp` and the home of programs are
 * folders on the disk, and count as such; the entries of `aliasDir` are links. For programs of an app run as root
 * they are empty folders, over which the launcher mounts, because root's own folders are closed to them.
 */
export async function makeFolders(sources: FolderSources): Promise<LandlockFolders> {
  const { runsDir, workspaceDir, insideDir, etcDir } = sources;
  await mkdir(runsDir, { recursive: true, mode: 0o700 });
  const aliasDir = await mkdtemp(join(tmpdir(), 'hyperagent-'));
  const scratchDir = await mkdtemp(join(runsDir, 'run-'));
  await chmod(aliasDir, 0o711);
  await writeFile(join(scratchDir, 'owner.json'), JSON.stringify([ownerLabel(), aliasDir]));
  const owner = workspaceOwner();
  for (const name of SCRATCH) {
    await mkdir(join(scratchDir, name), { mode: 0o700 });
    if (owner !== null) await chown(join(scratchDir, name), owner.uid, owner.gid);
  }
  const scratch = (name: string): string => join(scratchDir, name);
  const targets = {
    ...{ workspace: workspaceDir, inside: insideDir, etc: etcDir },
    ...{ tmp: scratch('tmp'), home: scratch('home'), script: scratch('script') },
  };
  for (const [name, target] of Object.entries(targets)) {
    if (owner === null) await symlink(target, join(aliasDir, name));
    else await mkdir(join(aliasDir, name));
  }
  return { aliasDir, scratchDir, targets };
}

export async function removeFolders({
  aliasDir,
  scratchDir,
}: Pick<LandlockFolders, 'aliasDir' | 'scratchDir'>): Promise<void> {
  // Programs may have closed folders to themselves; an ordinary user can open them again.
  await rm(scratchDir, { recursive: true, force: true }).catch(async () => {
    await openAll(scratchDir);
    await rm(scratchDir, { recursive: true, force: true });
  });
  await rm(aliasDir, { recursive: true, force: true });
}

async function openAll(folder: string): Promise<void> {
  await chmod(folder, 0o700);
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    if (entry.isDirectory()) await openAll(join(folder, entry.name));
  }
}

/** Removes folders of runtimes whose app was killed. */
export async function removeLeftovers(runsDir: string): Promise<void> {
  const names = await readdir(runsDir).catch(() => []);
  for (const name of names) {
    const scratchDir = join(runsDir, name);
    const text = await readFile(join(scratchDir, 'owner.json'), 'utf8').catch(() => '[]');
    const [label, aliasDir] = JSON.parse(text) as (string | undefined)[];
    if (!isLeftover(label) || aliasDir === undefined) continue;
    await removeFolders({ aliasDir, scratchDir });
  }
}
