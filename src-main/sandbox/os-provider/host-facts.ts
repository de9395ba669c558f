import { execFile } from 'node:child_process';
import { constants } from 'node:fs';
import { access, mkdir, readFile, realpath, rename, stat, writeFile } from 'node:fs/promises';
import { delimiter, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { z } from 'zod';
import { canonicalJson, sha256 } from '../../base/canonical-json.ts';
import { shippedNode } from '../../base/packaged-files.ts';
import { SYSTEM_FOLDERS } from './bubblewrap-arguments.ts';
import { findToolchain, Toolchain } from './toolchain.ts';

const execFileAsync = promisify(execFile);
const MAX_AGE_MS = 24 * 60 * 60 * 1000;

/** Facts that this computer's programs reported about themselves. */
const HostFacts = z.strictObject({
  key: z.string(),
  askedAt: z.number(),
  /** Such as `0.8.0`; null if unknown. */
  bwrapVersion: z.string().nullable(),
  toolchain: Toolchain,
});
export type HostFacts = z.infer<typeof HostFacts>;

export interface HostFactsQuestion {
  /** Null where bubblewrap is not used. */
  readonly bwrap: string | null;
  readonly environment: NodeJS.ProcessEnv;
  readonly home: string;
  /** Cache of the answers, because starting the programs takes up to half a second. */
  readonly cacheFile: string;
  readonly now: number;
}

/** The cached facts, if they are less than a day old and the programs are unchanged; else new ones. */
export async function readHostFacts(question: HostFactsQuestion): Promise<HostFacts> {
  const key = await factsKey(question);
  const cached = await readCached(question.cacheFile);
  const isFresh =
    cached !== null && cached.key === key && question.now - cached.askedAt < MAX_AGE_MS;
  return isFresh ? cached : await askHostFacts(question);
}

export async function askHostFacts(question: HostFactsQuestion): Promise<HostFacts> {
  const { bwrap, environment, home, cacheFile, now } = question;
  const [key, bwrapVersion, toolchain] = await Promise.all([
    factsKey(question),
    bwrap === null ? null : askVersion(bwrap),
    findToolchain({
      ...{ environment, home, systemFolders: SYSTEM_FOLDERS },
      shippedNode: shippedNode(),
    }),
  ]);
  const facts: HostFacts = { key, askedAt: now, bwrapVersion, toolchain };
  await mkdir(dirname(cacheFile), { recursive: true, mode: 0o700 });
  // Two starts at once may both ask; each writes a complete file.
  const fresh = `${cacheFile}.${process.pid}`;
  await writeFile(fresh, JSON.stringify(facts));
  await rename(fresh, cacheFile);
  return facts;
}

async function readCached(file: string): Promise<HostFacts | null> {
  try {
    return HostFacts.parse(JSON.parse(await readFile(file, 'utf8')));
  } catch {
    // Never asked, or asked by another version of the app.
    return null;
  }
}

/** Changes when a program is added, removed, replaced or moved: on the PATH, or with the app (an AppImage has another place at each start). */
async function factsKey({ bwrap, environment, home }: HostFactsQuestion): Promise<string> {
  const path = environment.PATH ?? '';
  const files = ['python3', 'node', 'git'].flatMap((name) =>
    path.split(delimiter).map((folder) => join(folder, name)),
  );
  const states = await Promise.all([bwrap ?? '', ...files].map(fileState));
  return sha256(canonicalJson({ path, home, states, shippedNode: shippedNode() }));
}

/** Identity of a program's file without reading it; null if there is none. */
export async function fileState(path: string): Promise<string | null> {
  try {
    const { mtimeMs, size, ino, mode } = await stat(path);
    return `${path} ${mtimeMs} ${size} ${ino} ${mode}`;
  } catch {
    return null;
  }
}

async function askVersion(bwrap: string): Promise<string | null> {
  try {
    const { stdout } = await execFileAsync(bwrap, ['--version'], { timeout: 30_000, env: {} });
    return /(\d+\.\d+\.\d+)/.exec(stdout)?.[1] ?? null;
  } catch {
    return null;
  }
}

/** The first `name` on the PATH, with links resolved; null if there is none. */
export async function findProgram(
  name: string,
  environment: NodeJS.ProcessEnv,
): Promise<string | null> {
  for (const folder of (environment.PATH ?? '').split(delimiter)) {
    if (folder === '') continue;
    try {
      const file = await realpath(join(folder, name));
      await access(file, constants.X_OK);
      return file;
    } catch {
      // Not in this folder of the PATH.
    }
  }
  return null;
}
