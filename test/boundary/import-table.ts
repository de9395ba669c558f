import { isBuiltin } from 'node:module';
import path from 'node:path/posix';
import { findCycles } from './import-cycles.ts';
import { filesOf, type ModuleFacts, type ModuleImport, readModule } from './module-facts.ts';

type Rows = ReadonlyArray<readonly string[]>;

/**
 * The import tables, lowest layer first: a folder may import from the rows above its own and from itself. Folders
 * of one row must not import each other. The tables share the contract and nothing else.
 */
const MAIN_ROWS: Rows = [
  ['base'],
  ['contract'],
  ['storage', 'guardrails', 'langgraph', 'main-loop', 'run-scope'],
  ['egress', 'preview', 'research-text', 'reports'],
  ['browser', 'documents', 'models', 'policy', 'sandbox', 'search'],
  ['apps', 'connectors', 'pictures', 'setup-check'],
  ['scans'],
  ['images', 'slides'],
  ['library'],
  ['user-folder'],
  ['hitl', 'task-search'],
  ['skills'],
  ['tools'],
  ['agents'],
  ['orchestrator'],
  ['run'],
  ['diagnostics', 'user-data'],
  ['api'],
  ['compose'],
  // The entry points: what their transports share, the transports, then the entry files.
  ['transport'],
  ['web', 'window'],
  ['cli'],
  ['entry-points'],
];

const PRELOAD_ROWS: Rows = [['contract'], ['preload']];

const RENDERER_ROWS: Rows = [
  ['contract'],
  ['renderer/bridge', 'renderer/format'],
  ['renderer/strings'],
  ['renderer/store'],
  ['renderer/formatting', 'renderer/context'],
  ['renderer/components', 'renderer/diagram-page'],
  ['renderer/dialogs'],
  ['renderer/panels', 'renderer/settings'],
  // The workbench, and what a window has once.
  ['renderer/app'],
];

const TABLES: readonly Rows[] = [MAIN_ROWS, PRELOAD_ROWS, RENDERER_ROWS];

/** Files of `src-main` outside any folder. A file that is not listed here is an entry point. */
const LOOSE_FILES: Readonly<Record<string, string>> = {
  'src-main/compose.ts': 'compose',
  // The parts of LangGraph that are used, so that the build drops the rest.
  'src-main/langgraph.ts': 'langgraph',
  // What all work of a run shares.
  'src-main/run-scope.ts': 'run-scope',
  // Facts about the installation, which compose and every entry point need.
  'src-main/app-root.ts': 'compose',
  'src-main/data-dir.ts': 'compose',
  'src-main/version.ts': 'compose',
};

/** Files of `src-renderer` that lie in no folder; whatever is not named here belongs to the app. */
const LOOSE_RENDERER_FILES: Readonly<Record<string, string>> = {
  'src-renderer/format.ts': 'renderer/format',
  'src-renderer/language.ts': 'renderer/format',
  'src-renderer/session-context.ts': 'renderer/context',
  'src-renderer/layout-context.ts': 'renderer/context',
  'src-renderer/commands-context.ts': 'renderer/context',
};

const ELECTRON_FILES = [/^src-main\/index\.ts$/, /^src-main\/window\//, /^src-preload\/index\.ts$/];
const OPEN_EXTERNAL_FILE = 'src-main/window/external-links.ts';
const BRIDGE = 'src-renderer/bridge/';

/** Pure and small, and used by main and by the window. */
const CONTRACT_PACKAGES = ['zod', 'diff'];

/** Slow to load: only by `await import()`, where they are needed. */
const LAZY_PACKAGES = [
  '@hyzyla/pdfium',
  '@imagemagick/magick-wasm',
  '@resvg/resvg-wasm',
  'docx',
  'marked',
  'remark-gfm',
  'remark-parse',
  'tar-stream',
  'html-to-text',
  'mammoth',
  'read-excel-file',
  'unified',
  'unpdf',
  'playwright-core',
  'pdfkit',
  'pptxgenjs',
  'jszip',
  'fontkit',
  'bidi-js',
  '@e965/xlsx',
  'yaml',
  'amaro',
  '@anthropic-ai/sdk',
  '@langchain/anthropic',
  '@langchain/core',
  '@langchain/langgraph',
  '@langchain/langgraph-checkpoint',
  '@langchain/openai',
];

/** Built on such a package, and therefore loaded lazily too. */
const LAZY_FILES = [
  'src-main/langgraph.ts',
  'src-main/models/cloud/anthropic-messages.ts',
  'src-main/models/cloud/class-input.ts',
  'src-main/models/cloud/openai-responses.ts',
  'src-main/models/langchain/chat-model.ts',
  'src-main/models/langchain/embeddings.ts',
  'src-main/storage/journal-checkpointer.ts',
  'src-main/skills/markdown/yaml-parser.ts',
];

export interface Violation {
  readonly file: string;
  readonly line: number;
  readonly rule: string;
  readonly text: string;
}

/** All violations of the table, in sources by their path in the repository. */
export function checkImports(sources: ReadonlyMap<string, string>): Violation[] {
  const modules = new Map<string, ModuleFacts>();
  for (const [file, source] of sources) modules.set(file, readModule(file, source));
  const violations = [...modules].flatMap(([file, facts]) => checkModule(file, facts));
  return [...violations, ...checkCycles(modules)];
}

function checkModule(file: string, facts: ModuleFacts): Violation[] {
  const at = (line: number, rule: string, text: string): Violation => ({ file, line, rule, text });
  const forbidden = facts.members.flatMap(({ name, line }) => {
    if (name === 'openExternal' && file !== OPEN_EXTERNAL_FILE) {
      return [at(line, 'open-external', `only ${OPEN_EXTERNAL_FILE} opens links outside`)];
    }
    if (file.startsWith('src-main/') && (name === 'openPath' || name === 'loadFile')) {
      return [
        at(line, 'open-external', `${name} would start a program, or load a local file as a page`),
      ];
    }
    if (name === 'hyperagent' && file.startsWith('src-renderer/') && !file.startsWith(BRIDGE)) {
      return [at(line, 'bridge', `only ${BRIDGE} touches window.hyperagent`)];
    }
    return [];
  });
  return [
    ...facts.syntaxErrors.map((message) => at(1, 'syntax', message)),
    ...facts.imports.flatMap((imported) =>
      checkImport(file, imported).map(([rule, text]) => at(imported.line, rule, text)),
    ),
    ...facts.starExports.map((line) => at(line, 'export-star', 'export by name')),
    ...facts.defaultExports.map((line) => at(line, 'default-export', 'use a named export')),
    ...forbidden,
  ];
}

type Finding = readonly [rule: string, text: string];

function checkImport(file: string, imported: ModuleImport): Finding[] {
  const { specifier } = imported;
  if (specifier === null) return [['computed', 'a computed import cannot be checked']];
  const target = resolve(file, specifier);
  if (target === null) return checkPackage(file, specifier, imported);
  const { isLazy, isType } = imported;
  const mustBeLazy = LAZY_FILES.includes(target) && !LAZY_FILES.includes(file);
  return mustBeLazy && !isLazy && !isType && file.startsWith('src-main/')
    ? [['lazy', `load ${target} by await import(), where it is needed`]]
    : checkLayer(file, target);
}

function checkLayer(file: string, target: string): Finding[] {
  // Styles, images and the like are in no layer.
  if (!/\.tsx?$/.test(target)) return [];
  const from = layerOf(file);
  const to = layerOf(target);
  if (from === to) return [];
  const isAllowed = from !== 'contract' && TABLES.some((rows) => isBelow(rows, to, from));
  return isAllowed ? [] : [['table', `${from} may not import ${to} (${target})`]];
}

/** Whether `lower` stands in a row before that of `upper`. */
function isBelow(rows: Rows, lower: string, upper: string): boolean {
  const rowOf = (layer: string): number => rows.findIndex((layers) => layers.includes(layer));
  return rowOf(lower) !== -1 && rowOf(lower) < rowOf(upper);
}

function checkPackage(
  file: string,
  specifier: string,
  { isType, isLazy }: ModuleImport,
): Finding[] {
  const name = packageOf(specifier);
  const layer = layerOf(file);
  const isNode = isBuiltin(specifier);
  if (name === 'electron') {
    return ELECTRON_FILES.some((pattern) => pattern.test(file))
      ? []
      : [['electron', 'only the desktop shell may import Electron']];
  }
  if (layer === 'contract' && !CONTRACT_PACKAGES.includes(name)) {
    return [['contract', `imports ${CONTRACT_PACKAGES.join(' and ')} only, not ${name}`]];
  }
  if (layer === 'base' && !isNode) {
    return [['base', `imports Node's own modules only, not ${name}`]];
  }
  if (/^src-(?:renderer|preload)\//.test(file) && isNode) {
    return [['browser', `there is no ${specifier} in a window`]];
  }
  const mustBeLazy = LAZY_PACKAGES.includes(name) && !LAZY_FILES.includes(file);
  if (file.startsWith('src-main/') && mustBeLazy && !isLazy && !isType) {
    return [['lazy', `load ${name} by await import(), where it is needed`]];
  }
  return [];
}

function checkCycles(modules: ReadonlyMap<string, ModuleFacts>): Violation[] {
  const graph = new Map(
    [...modules].map(([file, { imports }]) => [
      file,
      imports
        // Types do not exist at run time, and lazy imports load after the rest.
        .filter(({ isType, isLazy }) => !isType && !isLazy)
        .flatMap(({ specifier }) => resolve(file, specifier ?? '') ?? [])
        .flatMap((target) => filesOf(target, modules.keys())),
    ]),
  );
  return findCycles(graph).map((files) => ({
    file: files[0] ?? '',
    line: 1,
    rule: 'cycle',
    text: `import each other: ${files.join(', ')}`,
  }));
}

/** The path of one of our modules in the repository; null for a package. */
function resolve(file: string, specifier: string): string | null {
  if (specifier.startsWith('.')) return path.join(path.dirname(file), specifier);
  const [alias = '', ...rest] = specifier.split('/');
  const folder = {
    '#contract': 'src-preload/contract',
    '#main': 'src-main',
    '#renderer': 'src-renderer',
  }[alias];
  return folder === undefined ? null : path.join(folder, ...rest);
}

function layerOf(file: string): string {
  const [top = '', second = ''] = file.split('/');
  if (top === 'src-preload') return second === 'contract' ? 'contract' : 'preload';
  const isLoose = second.includes('.');
  if (top === 'src-renderer') {
    return isLoose ? (LOOSE_RENDERER_FILES[file] ?? 'renderer/app') : `renderer/${second}`;
  }
  if (top !== 'src-main') return top;
  return isLoose ? (LOOSE_FILES[file] ?? 'entry-points') : second;
}

function packageOf(specifier: string): string {
  const parts = specifier.split('/');
  return parts.slice(0, specifier.startsWith('@') ? 2 : 1).join('/');
}
