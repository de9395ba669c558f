import path from 'node:path/posix';
import type { AppTemplate } from '#contract/apps.ts';
import type { WorkspaceEntry } from '#contract/workspace.ts';
import { delay } from '../base/abort.ts';
import type { WorkspaceFiles } from '../sandbox/types.ts';
import { type SourceParts, servedSource } from './source-places.ts';

export interface NoticeParts extends SourceParts {
  /** Gives a file a new time: see `Workspace`. */
  readonly touch: (path: string) => Promise<void>;
  /** Since when the server listens, in ms since the epoch; null where that is not known. */
  readonly since: () => number | null;
  /** Whether it reads each module when it is asked for it, as Vite does, or its own files at its start. */
  readonly reads: 'modules' | 'at_start';
  /** Older changes to what is read at the start are taken for noticed, in ms; those to modules always are. */
  readonly recentMs?: number;
}

const RECENT_MS = 60_000;
const MOST_WAIT_MS = 5_000;
const AGAIN_MS = 100;
/** Then a change was probably missed. */
const TOUCH_MS = 500;
const MOST_FILES = 12;
const MODULE = /\.(?:[cm]?[jt]sx?|vue|svelte)$/;
/** Not JSON: a server keeps its own data in it. */
const SERVER_FILE = /\.[cm]?[jt]s$/;
const NOT_OURS = /^(?:node_modules|dist|build|\..*)$/;

const READS: Readonly<Record<AppTemplate, NoticeParts['reads']>> = {
  ...{ static: 'modules', react: 'modules', vue: 'modules', express: 'at_start' },
};

/** How the server of a template reads its files; that of another project is taken for one that does so at its start. */
export function readsOf(template: AppTemplate | null): NoticeParts['reads'] {
  return template === null ? 'at_start' : READS[template];
}

/**
 * Waits until a server has seen what was written last: it hears of changes a moment later, and on a busy computer
 * seconds later. Returns the files that it still serves as they were, or that changed since it was started.
 */
export async function untilNoticed(parts: NoticeParts): Promise<readonly string[]> {
  const { folder, files, reads, signal, recentMs = RECENT_MS } = parts;
  const now = Date.now();
  const within = reads === 'modules' ? RECENT_MS : recentMs;
  const recent = (await ownFiles(folder, files))
    .filter(({ modifiedAt }) => now - modifiedAt < within)
    .sort((a, b) => b.modifiedAt - a.modifiedAt);
  const isMeant = (entry: WorkspaceEntry): boolean => {
    const inApp = path.relative(folder, entry.path);
    if (reads === 'modules') return inApp.startsWith('src/') && MODULE.test(inApp);
    return SERVER_FILE.test(inApp) && !/^(?:public|static|client)\//.test(inApp);
  };
  let left = recent.filter(isMeant).slice(0, MOST_FILES);
  let isTouched = false;
  for (;;) {
    const still: WorkspaceEntry[] = [];
    for (const entry of left) if (!(await isNoticed(entry, parts))) still.push(entry);
    left = still;
    if (left.length === 0 || Date.now() - now > MOST_WAIT_MS) {
      return left.map((entry) => entry.path);
    }
    if (!isTouched && Date.now() - now > TOUCH_MS) {
      isTouched = true;
      await Promise.all(left.map((entry) => parts.touch(entry.path).catch(() => undefined)));
    }
    await delay(AGAIN_MS, signal);
  }
}

async function isNoticed(entry: WorkspaceEntry, parts: NoticeParts): Promise<boolean> {
  const { folder, files, preview, since, reads } = parts;
  if (reads === 'at_start') {
    const from = since();
    return from === null || from > entry.modifiedAt;
  }
  const url = new URL(path.relative(folder, entry.path), `http://${preview.host}/`);
  const [served, { data }] = await Promise.all([
    servedSource(url, parts).catch(() => null),
    files.read(entry.path, 1024 * 1024),
  ]);
  // What it cannot read, or does not say where it came from, is not compared.
  return served === null || withoutImports(served) === withoutImports(data.toString('utf8'));
}

/** Servers write their own addresses into imports. */
function withoutImports(source: string): string {
  return source.replace(/\b(from|import)(\s*\(?\s*)(["'])[^"'\n]*\3/g, '$1$2');
}

/** The files of the app itself, without what tools have made. */
async function ownFiles(folder: string, files: WorkspaceFiles): Promise<WorkspaceEntry[]> {
  const { entries } = await files.list(folder === '' ? '.' : folder);
  const below = await Promise.all(
    entries
      .filter(({ kind, path: at }) => kind === 'directory' && !NOT_OURS.test(path.basename(at)))
      .map((entry) => files.list(entry.path, { recursive: true })),
  );
  return [...entries, ...below.flatMap((one) => one.entries)].filter(({ kind }) => kind === 'file');
}
