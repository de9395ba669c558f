import { chmod, lstat, mkdir, readFile, readlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { INSIDE_HOME } from '../inside.ts';
import { INSIDE_UID, SYSTEM_FOLDERS } from './bubblewrap-arguments.ts';

/** Files of /etc inside that do not come from the host. */
const ETC_FILES: Readonly<Record<string, string>> = {
  passwd: `root:x:0:0:root:/root:/usr/sbin/nologin\nagent:x:${INSIDE_UID}:${INSIDE_UID}:agent:${INSIDE_HOME}:/bin/bash\nnobody:x:65534:65534:nobody:/nonexistent:/usr/sbin/nologin\n`,
  group: `root:x:0:\nagent:x:${INSIDE_UID}:\nnogroup:x:65534:\n`,
  hosts: '127.0.0.1 localhost sandbox\n::1 localhost\n',
  hostname: 'sandbox\n',
  'resolv.conf': '# There is no network here.\n',
  'nsswitch.conf': 'passwd: files\ngroup: files\nhosts: files dns\n',
  gitconfig:
    '[user]\n\tname = Agent\n\temail = agent@localhost\n[init]\n\tdefaultBranch = main\n[safe]\n\tdirectory = *\n',
};

/** Writes them into `dir` where they are missing or differ; returns their names. */
export async function writeEtcFiles(dir: string): Promise<string[]> {
  await mkdir(dirname(dir), { recursive: true, mode: 0o700 });
  await mkdir(dir, { recursive: true, mode: 0o755 });
  for (const [name, text] of Object.entries(ETC_FILES)) {
    const file = join(dir, name);
    if ((await readFile(file, 'utf8').catch(() => null)) === text) continue;
    await writeFile(file, text);
    // Programs inside run as another user and must read them, whatever the app's umask is.
    await chmod(file, 0o644);
  }
  return Object.keys(ETC_FILES);
}

/** The existing system folders, and which of them are links to others. */
export async function readSystemFolders(): Promise<{ path: string; linkTo: string | null }[]> {
  const folders = [];
  for (const path of SYSTEM_FOLDERS) {
    const status = await lstat(path).catch(() => null);
    if (status === null) continue;
    folders.push({ path, linkTo: status.isSymbolicLink() ? await readlink(path) : null });
  }
  return folders;
}
