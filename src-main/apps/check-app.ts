import path from 'node:path/posix';
import type { TaskApp } from '#contract/apps.ts';
import { AppError } from '#contract/errors.ts';
import { type OwnPreview, withPreview } from '../browser/preview-egress.ts';
import type { BrowserService, PageProblem, PageStep } from '../browser/types.ts';
import { closedEgress } from '../egress/closed-egress.ts';
import type { SandboxRuntime, WorkspaceFiles } from '../sandbox/types.ts';
import { findClue } from './find-clue.ts';
import { inAppFolder } from './in-app-folder.ts';
import type { ServerLog } from './server-log.ts';
import { linesAround, type SourcePlace, sourcePlace } from './source-places.ts';
import { MAIN_FILES } from './templates.ts';
import { readsOf, untilNoticed } from './until-noticed.ts';

export interface AppCheckParts {
  readonly app: TaskApp;
  readonly preview: OwnPreview | null;
  readonly checkPage: BrowserService['check'];
  /** `resources/preview/page-check.js`. */
  readonly script: string;
  readonly files: WorkspaceFiles;
  /** Gives a file a new time: see `Workspace`. */
  readonly touch: (path: string) => Promise<void>;
  readonly runtime: SandboxRuntime;
  /** What the server prints. */
  readonly log: Pick<ServerLog, 'text' | 'end' | 'after'>;
  /** Since when it answers, in ms since the epoch; null where that is not known. */
  readonly since: () => number | null;
  readonly steps: readonly PageStep[];
  readonly signal: AbortSignal;
}

/** What is wrong with an app, and where. */
export interface AppProblem {
  readonly kind: PageProblem['kind'] | 'server' | 'types';
  readonly message: string;
  readonly place: SourcePlace | null;
  /** The line with those around it; empty where the place is not known. */
  readonly around: string;
}

export interface AppReport {
  /** The first causes first. */
  readonly problems: readonly AppProblem[];
  readonly passed: readonly string[];
  readonly text: string;
  readonly screenshot: Uint8Array | null;
}

/** What breaks first comes first: what follows from it is often gone with it. */
const ORDER: readonly AppProblem['kind'][] = [
  ...(['server', 'overlay', 'types', 'no_answer', 'error', 'stuck', 'console'] as const),
  ...(['failed_request', 'blank', 'step', 'nothing_happens', 'missing_image', 'overflow'] as const),
  'accessibility',
];
const TYPES_MS = 60_000;
const MOST_TYPE_ERRORS = 5;
const LOG_LINES = 25;

/**
 * Checks an app from its types to its page: does its server answer, does the page show something without errors, does it
 * fit a phone, do its controls do something. Its page reaches the app's own server only.
 */
export async function checkApp(parts: AppCheckParts): Promise<AppReport> {
  const { app, preview, checkPage, script, steps, signal } = parts;
  const none = { problems: [], passed: [], text: '', screenshot: null };
  if (app.server !== 'running' || preview === null || app.previewUrl === null) {
    const problems = [await serverProblem(app.problem ?? 'The server does not answer.', parts)];
    return { ...none, problems };
  }
  const before = parts.log.end;
  const sources = { folder: app.folder ?? '', files: parts.files, preview, signal };
  const [types, stale] = await Promise.all([
    typeProblems(parts),
    // How another project reads its files is not known.
    app.template === null
      ? []
      : untilNoticed({
          ...sources,
          touch: parts.touch,
          since: parts.since,
          reads: readsOf(app.template),
        }),
  ]);
  const page = await checkPage({
    ...{ url: app.previewUrl, script, steps, signal },
    egress: withPreview(NO_NETWORK, () => preview),
    // What a server has stored stays stored.
    presses: app.template !== 'express' && app.template !== null,
  });
  const said = await loggedProblems(parts.log.after(before), parts);
  const ofPage = await Promise.all(page.problems.map((problem) => located(problem, parts)));
  const problems = [...types, ...said, ...ofPage, ...stale.map(notRestarted)].sort(
    (a, b) => ORDER.indexOf(a.kind) - ORDER.indexOf(b.kind),
  );
  return { ...page, problems };
}

/** The server runs with what a file was before: what the page shows may not be what is written. */
function notRestarted(file: string): AppProblem {
  const message = `The server has not read ${file} again since it changed. Start it again with app_start_server and restart: true.`;
  return { kind: 'server', message, place: { file, line: 1 }, around: '' };
}

/** What the page of an app reaches while it is checked, beside its own server. */
export const NO_NETWORK = closedEgress(
  'offline',
  'An app that is checked reaches its own server only.',
);

async function located(
  { kind, message, place, clues }: PageProblem,
  parts: AppCheckParts,
): Promise<AppProblem> {
  const { preview, app, files, signal } = parts;
  const sources = { folder: app.folder ?? '', files, signal };
  const reported =
    place === null || preview === null
      ? null
      : await sourcePlace(place, { ...sources, preview }).catch(() => null);
  const found = reported ?? fileNamed(message, app) ?? (await findClue(clues, sources));
  return await withLines({ kind, message, place: found ?? (await mainFile(kind, parts)) }, files);
}

/** A page that shows nothing, and says nothing, is that of its main file. */
async function mainFile(
  kind: AppProblem['kind'],
  { app: { folder, template }, files }: AppCheckParts,
): Promise<SourcePlace | null> {
  if (kind !== 'blank' || template === null) return null;
  const file = path.join(folder ?? '', MAIN_FILES[template].at(-1) ?? '');
  return await files.read(file, 1).then(
    () => ({ file, line: 1 }),
    () => null,
  );
}

/** Messages of compilers name the file where no place is known. */
function fileNamed(message: string, { folder }: TaskApp): SourcePlace | null {
  const [, file, line = '1'] = /from "((?:src|public)\/[^"]+)"(?:.*?:(\d+))?/.exec(message) ?? [];
  return file === undefined ? null : { file: path.join(folder ?? '', file), line: Number(line) };
}

async function withLines(
  problem: Omit<AppProblem, 'around'>,
  files: WorkspaceFiles,
): Promise<AppProblem> {
  const { place } = problem;
  const around = place === null ? '' : await linesAround(place, files).catch(() => '');
  return { ...problem, around };
}

/** Errors of the TypeScript compiler, where the app has one. */
async function typeProblems({
  app,
  files,
  runtime,
  signal,
}: AppCheckParts): Promise<readonly AppProblem[]> {
  const folder = app.folder ?? '';
  const isTyped = await files.read(path.join(folder, 'tsconfig.json'), 1).then(
    () => true,
    () => false,
  );
  if (!isTyped) return [];
  const tsc = '[ ! -x node_modules/.bin/tsc ] || tsc --noEmit --pretty false';
  const { stdout } = await runtime.run(
    {
      commandId: 'app-types',
      language: 'bash',
      code: inAppFolder(folder, tsc),
      timeoutMs: TYPES_MS,
    },
    { signal, onOutput: () => undefined },
  );
  const errors = [...stdout.matchAll(/^(.+?)\((\d+),\d+\): error (TS\d+: .*)$/gm)];
  return await Promise.all(
    errors
      .slice(0, MOST_TYPE_ERRORS)
      .map(([, file = '', line = '1', message = '']) =>
        withLines(
          { kind: 'types', message, place: { file: path.join(folder, file), line: Number(line) } },
          files,
        ),
      ),
  );
}

/** Errors that the server printed while the page was open. */
async function loggedProblems(
  printed: string,
  parts: AppCheckParts,
): Promise<readonly AppProblem[]> {
  const error = /^.*\b(?:\w*Error|ERR_\w+)\b.*$/m.exec(printed);
  if (error === null) return [];
  const place = placeInLog(printed.slice(error.index)) ?? placeInLog(printed);
  // Compilers report to the page too, which says it better.
  if (place === null || /\[vite\]|plugin:vite/.test(printed)) return [];
  return [await withLines({ kind: 'server', message: error[0].trim(), place }, parts.files)];
}

async function serverProblem(problem: string, parts: AppCheckParts): Promise<AppProblem> {
  const log = parts.log.text(LOG_LINES);
  const message = log === '' ? problem : `${problem} It printed:\n${log}`;
  const sources = { folder: parts.app.folder ?? '', files: parts.files };
  // One that says nothing, and answers nowhere, is wrong about where it listens.
  const place =
    placeInLog(log) ??
    (parts.app.template === 'express'
      ? await findClue([{ text: 'listen', file: '' }], sources)
      : null);
  return await withLines({ kind: 'server', message, place }, parts.files);
}

/** The first line of a file of the workspace, and of no package, that a stack names. */
function placeInLog(log: string): SourcePlace | null {
  for (const [, file = '', line = '1'] of log.matchAll(/\/workspace\/([^\s:()'"]+):(\d+)/g)) {
    if (!file.includes('node_modules/')) return { file, line: Number(line) };
  }
  // Of a module that is not there, Node names who wants it.
  const [, importer] = /imported from \/workspace\/([^\s:()'"]+)/.exec(log) ?? [];
  return importer === undefined ? null : { file: importer, line: 1 };
}

/** The report as a model reads it: at most three problems, the first with its lines. */
export function describeReport({ problems, passed, text }: AppReport): string {
  const shown = problems.slice(0, 3).map(({ kind, message, place, around }, index) => {
    const at = place === null ? '' : ` (${place.file}:${place.line})`;
    const lines = index === 0 && around !== '' ? `\n${around}` : '';
    return `${index + 1}. ${kind}${at}: ${message}${lines}`;
  });
  const more = problems.length - shown.length;
  if (more > 0) shown.push(`And ${more} more, which may be gone with these.`);
  const steps = passed.length === 0 ? [] : [`Done: ${passed.join('; ')}.`];
  const page = text === '' ? [] : [`The page shows: ${text.slice(0, 600)}`];
  if (problems.length === 0) return ['No problems found.', ...steps, ...page].join('\n');
  return ['Fix the first one, then check again.', ...shown, ...steps, ...page].join('\n');
}

/** Thrown where a task has no app. */
export function noApp(): AppError {
  return new AppError('NOT_FOUND', 'This task has no app. Create one with create_app_project.');
}
