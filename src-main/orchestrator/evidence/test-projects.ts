import { AppError } from '#contract/errors.ts';
import type { Workspace } from '../../sandbox/types.ts';
import type { RunTestsInput } from '../../tools/definitions/run-tests.ts';

type Files = Pick<Workspace, 'read' | 'list'>;

/** A project of the workspace that has tests, and the runner that they are written for. */
export interface TestProject {
  readonly folder: string;
  /** Null where the project names none that the app knows; `problem` says so. */
  readonly runner: RunTestsInput['runner'] | null;
  readonly problem: string;
  readonly tests: readonly string[];
}

const SKIPPED =
  /^(?:node_modules|\.git|\.venv|venv|env|__pycache__|\.hyperagent|dist|build|target|vendor|\.tox|site-packages)$/;
const MAX_FOLDERS = 500;
const MAX_FILES = 5_000;
const READ_BYTES = 256 * 1024;

const PYTHON_TEST = /(?:^|\/)(?:test_[^/]*|[^/]*_test|tests)\.py$/;
const JS_TEST =
  /\.(?:test|spec)\.[cm]?[jt]sx?$|(?:^|\/)(?:tests?|__tests__)\/[^/]+\.[cm]?[jt]sx?$|(?:^|\/)test(?:[-_.][^/]*)?\.[cm]?[jt]s$/;
const GO_TEST = /_test\.go$/;
const PYTHON_ROOTS = ['pytest.ini', 'pyproject.toml', 'setup.cfg', 'tox.ini', 'setup.py'];

export function isTestFile(path: string): boolean {
  return PYTHON_TEST.test(path) || JS_TEST.test(path) || GO_TEST.test(path);
}

/** Every file outside of folders that tools fill. */
export async function listFiles(files: Files): Promise<string[]> {
  const found: string[] = [];
  const folders = [''];
  for (let at = 0; at < folders.length && at < MAX_FOLDERS && found.length < MAX_FILES; at += 1) {
    const { entries } = await files.list(folders[at] ?? '');
    for (const { path, kind } of entries) {
      if (kind === 'file') found.push(path);
      else if (!SKIPPED.test(path.split('/').at(-1) ?? '')) folders.push(path);
    }
  }
  return found;
}

/** The projects with tests, in the order of their folders. */
export async function findTestProjects(files: Files): Promise<TestProject[]> {
  const all = await listFiles(files);
  const has = new Set(all);
  const groups = new Map<string, { kind: Kind; folder: string; tests: string[] }>();
  const add = (kind: Kind, folder: string, test: string): void => {
    const key = `${folder} ${kind}`;
    const group = groups.get(key) ?? { kind, folder, tests: [] };
    group.tests.push(test);
    groups.set(key, group);
  };
  for (const path of all) {
    if (PYTHON_TEST.test(path)) add('python', rootOf(path, PYTHON_ROOTS, has) ?? '', path);
    else if (GO_TEST.test(path)) add('go', rootOf(path, ['go.mod'], has) ?? '', path);
    else if (JS_TEST.test(path)) add('js', rootOf(path, ['package.json'], has) ?? '', path);
    else if (path === 'Cargo.toml' || path.endsWith('/Cargo.toml')) {
      const outer = rootOf(parentOf(path), ['Cargo.toml'], has);
      if (outer === null || parentOf(path) === '') add('cargo', parentOf(path), path);
    }
  }
  const projects = [...groups.values()].sort((a, b) => (a.folder < b.folder ? -1 : 1));
  return await Promise.all(
    projects.map(async ({ kind, folder, tests }) => {
      const { runner, problem } = await runnerOf(kind, { folder, tests, files });
      return { folder: folder === '' ? '.' : folder, tests, runner, problem };
    }),
  );
}

type Kind = 'python' | 'js' | 'go' | 'cargo';
type Found = Pick<TestProject, 'runner' | 'problem'>;

interface Where {
  readonly folder: string;
  readonly tests: readonly string[];
  readonly files: Files;
}

async function runnerOf(kind: Kind, where: Where): Promise<Found> {
  switch (kind) {
    case 'go':
    case 'cargo':
      return { runner: kind, problem: '' };
    case 'python':
      return { runner: await pythonRunner(where), problem: '' };
    case 'js':
      return await jsRunner(where);
  }
}

/** Tests that only unittest knows run with unittest: pytest may not be installed. */
async function pythonRunner({ tests, files }: Where): Promise<'pytest' | 'unittest'> {
  for (const test of tests) {
    const text = await readText(files, test);
    if (
      /^[ \t]*(?:import|from) pytest\b|^(?:async )?def test_|^class Test\w*\s*(?:\(\s*\))?:/m.test(
        text,
      )
    ) {
      return 'pytest';
    }
  }
  return 'unittest';
}

const NAMED = [
  [/\bvitest\b/, 'vitest'],
  [/\bjest\b/, 'jest'],
  [/\bmocha\b/, 'mocha'],
  [/\bnode\b(?:[ \t]+\S+){0,20}?[ \t]+--test\b|node:test/, 'node'],
] as const;

function namedRunner(text: string): RunTestsInput['runner'] | null {
  return NAMED.find(([pattern]) => pattern.test(text))?.[1] ?? null;
}

/** What `npm test` runs; else what the tests import, or the project depends on. */
async function jsRunner({ folder, tests, files }: Where): Promise<Found> {
  const manifest = await readText(files, folder === '' ? 'package.json' : `${folder}/package.json`);
  const { scripts, devDependencies, dependencies } = manifestOf(manifest);
  const script = typeof scripts?.test === 'string' ? scripts.test : '';
  const called = /^(?:npm|pnpm|yarn) (?:run )?([\w:-]+)/.exec(script)?.[1];
  const resolved = called === undefined ? script : String(scripts?.[called] ?? script);
  const isUnset = resolved === '' || /no test specified/.test(resolved);
  const named = namedRunner(resolved);
  if (named !== null) return { runner: named, problem: '' };
  if (!isUnset) {
    const problem = `\`npm test\` runs \`${resolved.slice(0, 80)}\`, which is no test runner that the app knows.`;
    return { runner: null, problem };
  }
  const imported = namedRunner(
    (await Promise.all(tests.slice(0, 20).map((test) => readText(files, test))))
      .flatMap((text) => text.match(/(?:from|import|require\()\s*['"][^'"]+['"]/g) ?? [])
      .join('\n'),
  );
  const installed = namedRunner(Object.keys({ ...dependencies, ...devDependencies }).join('\n'));
  const runner = imported ?? installed;
  return runner === null
    ? { runner, problem: 'The tests name no runner that the app knows.' }
    : { runner, problem: '' };
}

type Names = Readonly<Record<string, unknown>>;

function manifestOf(text: string): {
  readonly scripts?: Names;
  readonly dependencies?: Names;
  readonly devDependencies?: Names;
} {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? value : {};
  } catch {
    // A broken manifest names nothing.
    return {};
  }
}

/** The text of a file; empty where it cannot be read. */
export async function readText(files: Pick<Files, 'read'>, path: string): Promise<string> {
  try {
    return (await files.read(path, READ_BYTES)).data.toString('utf8');
  } catch (error) {
    if (error instanceof AppError) return '';
    throw error;
  }
}

/** The nearest folder above a path that has one of these files; null if there is none. */
function rootOf(path: string, names: readonly string[], has: ReadonlySet<string>): string | null {
  for (let folder = parentOf(path); ; folder = parentOf(folder)) {
    const prefix = folder === '' ? '' : `${folder}/`;
    if (names.some((name) => has.has(`${prefix}${name}`))) return folder;
    if (folder === '') return null;
  }
}

function parentOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')));
}
