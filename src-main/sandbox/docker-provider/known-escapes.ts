import type { VersionAnswer } from './engine-answers.ts';

/** A way out of containers that was found, and the versions that it was closed in. */
interface KnownEscape {
  readonly id: string;
  readonly component: 'engine' | 'runc';
  /** Each line of releases has its own first good version; anything before the lowest is open. */
  readonly fixedIn: readonly string[];
  /** Open to programs in a container as we make it: no network, no capability, an image of our own. */
  readonly reachesUs: boolean;
}

/** From the advisories of the Docker Engine and of runc; those that need a hostile image are marked so. */
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
  /** Holes that programs in our containers could use: nothing is run there. */
  readonly open: readonly string[];
  /** Holes that need what we do not give; distributions may have closed them under the old number. */
  readonly doubtful: readonly string[];
}

/** Which known escapes an engine's versions do not exclude. A part without a version is not judged. */
export function knownEscapes({ Components }: VersionAnswer): EscapesOfEngine {
  const versionOf = (name: string): string | null =>
    Components?.find(({ Name }) => Name?.toLowerCase() === name)?.Version ?? null;
  // Podman calls itself otherwise, and counts otherwise.
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

/** Fixed in the version's own line of releases, or by being of a line after all of them. */
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
