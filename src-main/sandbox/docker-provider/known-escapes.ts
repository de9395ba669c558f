import type { VersionAnswer } from './engine-answers.ts';

/** A known container escape, and the versions that fixed it. */
interface KnownEscape {
  readonly id: string;
  readonly component: 'engine' | 'runc';
  /** The first fixed version of each release line; anything before the lowest is vulnerable. */
  readonly fixedIn: readonly string[];
  /** Usable from a container as we make it: no network, no capabilities, our own image. */
  readonly reachesUs: boolean;
}

/** From the advisories of the Docker Engine and runc; `reachesUs` is false for those that need a hostile image. */
const KNOWN_ESCAPES: readonly KnownEscape[] = [
  { id: 'CVE-2019-5736', component: 'runc', fixedIn: ['1.0.0-rc7'], reachesUs: true },
  { id: 'CVE-2019-14271', component: 'engine', fixedIn: ['19.03.1'], reachesUs: true },
  { id: 'CVE-2021-30465', component: 'runc', fixedIn: ['1.0.0-rc95'], reachesUs: false },
  { id: 'CVE-2024-21626', component: 'runc', fixedIn: ['1.1.12'], reachesUs: false },
  {
    id: 'CVE-2025-31133, -52565, -52881',
    component: 'runc',
    fixedIn: ['1.2.8', '1.3.3', '1.4.0-rc.3'],
    reachesUs: false,
  },
];

export interface EscapesOfEngine {
  /** Escapes that programs in our containers could use: the engine is refused. */
  readonly open: readonly string[];
  /** Escapes that need more than we grant; distributions may have backported the fix without a new version. */
  readonly doubtful: readonly string[];
}

/** The known escapes that an engine's versions do not rule out. A component without a version is not judged. */
export function knownEscapes({ Components }: VersionAnswer): EscapesOfEngine {
  const versionOf = (name: string): string | null =>
    Components?.find(({ Name }) => Name?.toLowerCase() === name)?.Version ?? null;
  // Podman has another name and other version numbers.
  const versions = { engine: versionOf('engine'), runc: versionOf('runc') };
  const found = KNOWN_ESCAPES.filter(({ component, fixedIn }) => {
    const version = versions[component];
    return version !== null && !isFixed(version, fixedIn);
  });
  return {
    open: found.filter(({ reachesUs }) => reachesUs).map(({ id }) => id),
    doubtful: found.filter(({ reachesUs }) => !reachesUs).map(({ id }) => id),
  };
}

/** Fixed in the version's own release line, or newer than all fixed lines. */
function isFixed(version: string, fixedIn: readonly string[]): boolean {
  const parsed = parse(version);
  if (parsed === null) return true;
  const lines = fixedIn.flatMap((text) => parse(text) ?? []);
  const ownLine = lines.find((line) => line.major === parsed.major && line.minor === parsed.minor);
  if (ownLine !== undefined) return compare(parsed, ownLine) >= 0;
  const newest = lines.at(-1);
  return newest !== undefined && compare(parsed, newest) > 0;
}

interface ParsedVersion {
  readonly major: number;
  readonly minor: number;
  readonly patch: number;
  /** Of a release candidate; releases come after all of them. */
  readonly candidate: number;
}

function parse(version: string): ParsedVersion | null {
  const match = /^v?(\d+)\.(\d+)\.(\d+)(?:[-~]?rc\.?(\d+))?/.exec(version);
  if (match === null) return null;
  const [, major, minor, patch, candidate] = match;
  return {
    major: Number(major),
    minor: Number(minor),
    patch: Number(patch),
    candidate: candidate === undefined ? Number.POSITIVE_INFINITY : Number(candidate),
  };
}

function compare(one: ParsedVersion, other: ParsedVersion): number {
  for (const key of ['major', 'minor', 'patch', 'candidate'] as const) {
    if (one[key] !== other[key]) return one[key] < other[key] ? -1 : 1;
  }
  return 0;
}
