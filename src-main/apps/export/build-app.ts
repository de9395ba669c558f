import type { AppBuild } from '#contract/apps.ts';
import { AppError } from '#contract/errors.ts';
import { withTimeLimit } from '../../base/abort.ts';
import { withPreview } from '../../browser/preview-egress.ts';
import type { BrowserService, PageProblem } from '../../browser/types.ts';
import { PreviewServer } from '../../preview/preview-server.ts';
import type { TaskSandbox } from '../../sandbox/types.ts';
import { NO_NETWORK } from '../check-app.ts';
import { DevServer, howItEnded, noPreview } from '../dev-server.ts';
import { PLAIN_SERVER, type ProductionScripts } from '../project-folder.ts';
import { ServerLog } from '../server-log.ts';
import { enterWithPackages } from '../server-script.ts';
import { builtFolder, builtPages } from './built-folder.ts';

export interface BuildAppParts {
  /** In the workspace; empty for the workspace itself. */
  readonly folder: string;
  readonly scripts: ProductionScripts;
  /** A shell of its own, so that the development server goes on. Disposed at the end. */
  readonly shell: TaskSandbox & AsyncDisposable;
  /** See `ServerScriptParts`. */
  readonly packages: string | null;
  readonly checkPage: BrowserService['check'];
  /** `resources/preview/report.js`. */
  readonly reportScript: Buffer;
  /** `resources/preview/page-check.js`. */
  readonly checkScript: string;
  /** How long a start is waited for, in ms. */
  readonly startMs: number;
  readonly signal: AbortSignal;
}

/** A build takes seconds; one that watches files, or asks, never ends. */
const BUILD_MS = 5 * 60_000;
const PRODUCTION = 'export NODE_ENV=production CI=1 NO_COLOR=1 FORCE_COLOR=0 BROWSER=none';
const LAST_LINES = 30;
const PROBLEM_CHARS = 4_000;
const MOST_PROBLEMS = 3;
/** Faults of the app that a build does not make. */
const NOT_OF_THE_BUILD: ReadonlySet<PageProblem['kind']> = new Set([
  ...(['overflow', 'nothing_happens', 'accessibility'] as const),
]);
const NOTHING_BUILT = { folder: null, files: 0, bytes: 0 } as const;

/**
 * Builds an app for production, starts what was built, and opens its page. What is wrong with the app is in the
 * answer; rejects with `SANDBOX_…` and the abort of `signal`.
 */
export async function buildApp(parts: BuildAppParts): Promise<AppBuild> {
  const { folder, scripts, signal } = parts;
  await using shell = parts.shell;
  const files = shell.workspace.withoutLinks();
  const before = await builtPages(files, folder);
  const failure = scripts.build === null ? null : await runBuild(scripts.build, parts);
  signal.throwIfAborted();
  if (failure !== null) return failed(failure, NOTHING_BUILT);
  const built = scripts.build === null ? null : await builtFolder(files, { folder, before });
  const { problem = null, unchecked = null } = await startBuilt(built?.folder ?? null, parts);
  signal.throwIfAborted();
  const made = built ?? NOTHING_BUILT;
  if (problem !== null) return failed(problem, made);
  return { ...made, status: 'completed', unchecked, problem: null };
}

function failed(problem: string, made: Pick<AppBuild, 'folder' | 'files' | 'bytes'>): AppBuild {
  return { ...made, status: 'failed', unchecked: null, problem: problem.slice(0, PROBLEM_CHARS) };
}

/** Why the build failed; null where it did not. */
async function runBuild(
  build: string,
  { shell, folder, packages, signal }: BuildAppParts,
): Promise<string | null> {
  const runtime = await shell.runtime({ signal, onProgress: () => undefined });
  const printed = new ServerLog();
  const result = await runtime.run(
    {
      commandId: 'app-build',
      language: 'bash',
      code: `( ${enterWithPackages(folder, packages)}\n${PRODUCTION}\n( ${build}\n) </dev/null\n)`,
      timeoutMs: BUILD_MS,
      keepsOutput: false,
    },
    { signal, onOutput: ({ text }) => printed.add(text) },
  );
  if (result.outcome === 'completed' && result.exitCode === 0) return null;
  return withOutput(`The build failed. ${howItEnded(result)}`, printed);
}

function withOutput(problem: string, log: ServerLog): string {
  const printed = log.text(LAST_LINES).trim();
  return printed === '' ? problem : `${problem} It printed:\n${printed}`;
}

interface Started {
  readonly problem?: string;
  readonly unchecked?: string;
}

/** Starts what was built, and looks at its page. */
async function startBuilt(built: string | null, parts: BuildAppParts): Promise<Started> {
  const { shell, signal, startMs } = parts;
  const { level } = await shell.runtime({ signal, onProgress: () => undefined });
  const refusal = noPreview(level);
  if (refusal !== null) return { unchecked: refusal };
  const script = startScript(built, parts);
  if (script === null) {
    const unchecked =
      'It was built, and not started: its package.json has neither a script "preview" nor "start".';
    return { unchecked };
  }
  const log = new ServerLog();
  await using server = new DevServer({ shell, script, log, onChange: () => undefined });
  await server.settled(withTimeLimit(signal, startMs));
  signal.throwIfAborted();
  const { state } = server;
  if (state.kind === 'running') return await lookAt(server, state.ports[0] ?? 0, parts);
  const why = 'problem' in state ? state.problem : undefined;
  const problem = `What was built does not start. ${why ?? 'Nothing answers on any port.'}`;
  return { problem: withOutput(problem, log) };
}

/** Built pages are served without `start`, which may serve what they were made from. */
function startScript(
  built: string | null,
  { folder, scripts, packages }: BuildAppParts,
): { folder: string; command: string; packages: string | null } | null {
  const { build, preview, start } = scripts;
  const production = (command: string): string => `${PRODUCTION}\n${command}`;
  if (build !== null && preview !== null) {
    return { folder, command: production(preview), packages };
  }
  if (built !== null) return { folder: built, command: PLAIN_SERVER, packages: null };
  if (start !== null) return { folder, command: production(start), packages };
  return build === null ? { folder, command: PLAIN_SERVER, packages: null } : null;
}

async function lookAt(
  server: DevServer,
  port: number,
  { checkPage, reportScript, checkScript, signal }: BuildAppParts,
): Promise<Started> {
  await using preview = await PreviewServer.open({
    framedBy: [],
    reportScript,
    target: () => ({ port, connect: () => server.connect(port) }),
  });
  try {
    const { problems } = await checkPage({
      ...{ url: preview.url, script: checkScript, steps: [], presses: false, signal },
      egress: withPreview(NO_NETWORK, () => preview),
    });
    const own = problems.filter(({ kind }) => !NOT_OF_THE_BUILD.has(kind));
    if (own.length === 0) return {};
    const said = own.slice(0, MOST_PROBLEMS).map(({ message }) => message);
    return { problem: `What was built starts, and its page is broken:\n${said.join('\n')}` };
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'BROWSER_UNAVAILABLE') throw error;
    return { unchecked: `It starts. Its page was not looked at: ${error.message}` };
  }
}
