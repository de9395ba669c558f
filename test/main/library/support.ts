import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import { onTestFinished } from 'vitest';
import type { LibraryState } from '#contract/library.ts';
import { Settings } from '#contract/settings.ts';
import { systemClock } from '#main/base/clock.ts';
import { silentLogger } from '#main/base/logger.ts';
import { Library, type LibraryParts } from '#main/library/library.ts';
import { createEmbeddingService } from '#main/models/embeddings/embedding-service.ts';
import { createPlainAgent } from '#main/models/transport/create-agent.ts';
import type { LibraryCounts } from '#main/storage/library-counts.ts';
import { openData } from '../../fakes/open-data.ts';
import { keepPages } from '../../fakes/read-scans.ts';

export const never = new AbortController().signal;

export interface TestLibrary {
  readonly library: Library;
  readonly counts: LibraryCounts;
  readonly dataDir: string;
  readonly settings: Settings;
  readonly states: LibraryState[];
  change(changes: Partial<Settings>): void;
  /** Closes it as the app does at its end. */
  close(): Promise<void>;
}

/** A real library with its own data folder; everything is removed at the end of the test. */
export function openTestLibrary(
  options: {
    readonly settings?: Partial<Settings>;
    readonly parts?: Partial<LibraryParts>;
    readonly dataDir?: string;
  } = {},
): TestLibrary {
  const dataDir = options.dataDir ?? temporaryFolder();
  const stores = openData(dataDir);
  let current = Settings.parse({ ...options.settings });
  const states: LibraryState[] = [];
  const library = new Library({
    counts: stores.library,
    embeddings: createEmbeddingService({
      settings: () => current,
      readSecret: () => null,
      env: {},
      createAgent: createPlainAgent,
    }),
    settings: () => current,
    saveFolders: (folders) => {
      current = { ...current, libraryFolders: [...folders] };
    },
    dataDir,
    root: process.cwd(),
    readOnly: false,
    readScans: keepPages,
    onChange: (state) => states.push(state),
    clock: systemClock,
    logger: silentLogger,
    ...options.parts,
  });
  let isClosed = false;
  const close = async (): Promise<void> => {
    if (isClosed) return;
    isClosed = true;
    await library[Symbol.asyncDispose]();
    stores.close();
  };
  onTestFinished(close);
  return {
    library,
    counts: stores.library,
    dataDir,
    states,
    close,
    get settings() {
      return current;
    },
    change: (changes) => {
      current = { ...current, ...changes };
      library.settingsChanged();
    },
  };
}

/** An empty folder by its real path, gone when the test is over. */
export function temporaryFolder(): string {
  const folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'hyperagent-library-')));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** A folder with these files. */
export function folderOf(files: Readonly<Record<string, string | Buffer>>): string {
  const folder = temporaryFolder();
  for (const [name, content] of Object.entries(files)) put(folder, name, content);
  return folder;
}

export function put(folder: string, name: string, content: string | Buffer): void {
  const file = path.join(folder, name);
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, content);
}

/** Paths of what is found, from `folder` on, best first. */
export async function found(library: Library, folder: string, query: string): Promise<string[]> {
  const hits = await library.find(query, { signal: never });
  return hits.map((hit) => path.relative(folder, hit.path));
}

/** The library with a folder attached and indexed. */
export async function libraryOf(
  files: Readonly<Record<string, string | Buffer>>,
  options: Parameters<typeof openTestLibrary>[0] = {},
): Promise<TestLibrary & { readonly folder: string }> {
  const folder = folderOf(files);
  const test = openTestLibrary(options);
  await test.library.add(folder);
  await test.library.settled();
  // Not a copy: its settings are read when they are asked for.
  return Object.assign(test, { folder });
}

/**
 * Which passage each file of a folder begins with, of files that are indexed whole. A file that was
 * parsed again begins with another one.
 */
export function firstPassages(dataDir: string, folder: string): ReadonlyMap<string, number> {
  const database = new BetterSqlite3(path.join(dataDir, 'library.db'), { readonly: true });
  try {
    const rows = database
      .prepare<[string], { path: string; first: number }>(
        `SELECT path, min(p.id) first FROM library_files f JOIN library_passages p ON p.file_id = f.id
         WHERE folder = ? AND sha256 <> '' GROUP BY f.id ORDER BY path`,
      )
      .all(folder);
    return new Map(rows.map((row) => [row.path, row.first]));
  } finally {
    database.close();
  }
}
