/** A system and processor that packages are made for. */
export interface Target {
  readonly platform: 'linux' | 'win32' | 'darwin';
  readonly arch: 'x64' | 'arm64';
}

/**
 * What a package may have of our own, apart from Electron and Node. Set from what was measured
 * (`npm run package -- --stand-in` prints it) plus a tenth: a library that comes in unnoticed fails the test, and a change
 * that needs more raises the number here, where a reviewer sees it.
 */
export interface SizeLimit {
  readonly archivedFiles: number;
  readonly archiveBytes: number;
  /** What is beside the archive, without Node and the packages of the app templates. */
  readonly besideBytes: number;
  /** The packages of the app templates, with the compilers of the system. */
  readonly packBytes: number;
}

export const TARGETS: readonly Target[] = [
  { platform: 'linux', arch: 'x64' },
  { platform: 'linux', arch: 'arm64' },
  { platform: 'win32', arch: 'x64' },
  { platform: 'win32', arch: 'arm64' },
  { platform: 'darwin', arch: 'x64' },
  { platform: 'darwin', arch: 'arm64' },
];

/** `linux-x64`: the name in commands, and of the native modules of better-sqlite3. */
export function nameOf({ platform, arch }: Target): string {
  return `${platform}-${arch}`;
}

/** Throws for a name that is not in `TARGETS`, with the list of those that are. */
export function targetNamed(name: string): Target {
  const found = TARGETS.find((target) => nameOf(target) === name);
  if (found !== undefined) return found;
  throw new Error(
    `There is no target "${name}". The targets are ${TARGETS.map(nameOf).join(', ')}.`,
  );
}

/** Whether programs of the target run on this computer. */
export function isHost({ platform, arch }: Target): boolean {
  return platform === process.platform && arch === process.arch;
}

const COMMON = { archivedFiles: 550, archiveBytes: 38_000_000 };
const LINUX: SizeLimit = { ...COMMON, besideBytes: 88_000_000, packBytes: 98_000_000 };
const WINDOWS: SizeLimit = { ...COMMON, besideBytes: 86_000_000, packBytes: 100_000_000 };

/** By the name of the target. Those of macOS were not measured: they have what the others have. */
export const SIZE_LIMITS: Readonly<Record<string, SizeLimit>> = {
  ...{ 'linux-x64': LINUX, 'linux-arm64': { ...LINUX, packBytes: 93_000_000 } },
  ...{ 'win32-x64': WINDOWS, 'win32-arm64': { ...WINDOWS, packBytes: 93_000_000 } },
  ...{ 'darwin-x64': LINUX, 'darwin-arm64': LINUX },
};
