import { readFileSync } from 'node:fs';
import { arch, availableParallelism, freemem, release, totalmem, type } from 'node:os';
import type { TextCleaner } from './text-cleaner.ts';

export interface ProgramFacts {
  readonly version: string;
  readonly entryPoint: 'desktop' | 'browser' | 'terminal';
}

const ENTRY_POINTS = { desktop: 'desktop app', browser: 'web UI', terminal: 'CLI' } as const;

/** Versions of the program and of what it runs on. */
export async function computerSection(
  { version, entryPoint }: ProgramFacts,
  cleaner: TextCleaner,
): Promise<string[]> {
  const { node, v8, electron = 'none', chrome = 'none' } = process.versions;
  const system = `${type()} ${release()}, ${arch()}`;
  const distribution = distributionName();
  const facts: readonly (readonly [string, string])[] = [
    ['HyperAgent', `${version}, ${ENTRY_POINTS[entryPoint]}`],
    ['Node', `${node} (V8 ${v8})`],
    ['Electron', electron],
    ['Chromium', chrome],
    ['SQLite', await sqliteVersion(cleaner)],
    ['System', cleaner.line(distribution === null ? system : `${system}, ${distribution}`)],
    ['Processors', String(availableParallelism())],
    ['Memory', `${gigabytes(totalmem())} GB, ${gigabytes(freemem())} GB free`],
    ['Language', Intl.DateTimeFormat().resolvedOptions().locale],
  ];
  // Constants are not cleaned: a gap in one would say what the user is called.
  return facts.map(([name, value]) => `${name}: ${value}`);
}

/** Such as "Debian GNU/Linux 12 (bookworm)". */
function distributionName(): string | null {
  if (process.platform !== 'linux') return null;
  try {
    const text = readFileSync('/etc/os-release', 'utf8');
    return /^PRETTY_NAME="?([^"\n]{1,100})/m.exec(text)?.[1] ?? null;
  } catch {
    // Not every system has it.
    return null;
  }
}

async function sqliteVersion(cleaner: TextCleaner): Promise<string> {
  try {
    const { default: Database } = await import('better-sqlite3');
    const database = new Database(':memory:');
    const version = database.prepare('SELECT sqlite_version()').pluck().get();
    database.close();
    return String(version);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return `cannot be loaded: ${cleaner.line(why)}`;
  }
}

function gigabytes(bytes: number): string {
  return (bytes / 1e9).toFixed(1);
}
