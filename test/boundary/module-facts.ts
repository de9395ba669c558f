import { type CallExpression, type ParseResult, parseSync, Visitor } from 'oxc-parser';

/** One import of a module, in any syntax. */
export interface ModuleImport {
  /** As written, of `import.meta.glob` with its `*`; null if it is computed. */
  readonly specifier: string | null;
  readonly line: number;
  /** Removed together with the types. */
  readonly isType: boolean;
  /** Loaded at run time, by `import()` or `require()`. */
  readonly isLazy: boolean;
}

/** Imports, exports and member accesses of a module, from its syntax tree. */
export interface ModuleFacts {
  readonly imports: readonly ModuleImport[];
  /** Lines with `export *`. */
  readonly starExports: readonly number[];
  /** Lines with a default export. */
  readonly defaultExports: readonly number[];
  /** Names of accessed members (`a.name`, `a['name']`, `const { name } = a`), with the line. */
  readonly members: ReadonlyArray<{ readonly name: string; readonly line: number }>;
  readonly syntaxErrors: readonly string[];
}

interface Place {
  readonly start: number;
}

/** Reads one source; the extension of `file` selects TypeScript or JSX. */
export function readModule(file: string, source: string): ModuleFacts {
  const parsed = parseSync(file, source);
  const lineOf = ({ start }: Place): number => source.slice(0, start).split('\n').length;
  return {
    members: readMembers(parsed, lineOf),
    imports: [...readImports(parsed, source, lineOf), ...readHiddenImports(parsed, lineOf)],
    ...readExports(parsed, lineOf),
    syntaxErrors: parsed.errors.map(({ message }) => message),
  };
}

type LineOf = (place: Place) => number;

function readImports({ module }: ParseResult, source: string, lineOf: LineOf): ModuleImport[] {
  const imported = module.staticImports.map((statement) => ({
    specifier: statement.moduleRequest.value,
    line: lineOf(statement),
    isType: statement.entries.length > 0 && statement.entries.every(({ isType }) => isType),
    isLazy: false,
  }));
  const exported = module.staticExports.flatMap((statement) =>
    statement.entries.flatMap(({ moduleRequest, isType }) =>
      moduleRequest === null
        ? []
        : [{ specifier: moduleRequest.value, line: lineOf(statement), isType, isLazy: false }],
    ),
  );
  const lazy = module.dynamicImports.map((call) => ({
    specifier: literalOf(source.slice(call.moduleRequest.start, call.moduleRequest.end)),
    line: lineOf(call),
    isType: false,
    isLazy: true,
  }));
  return [...imported, ...exported, ...lazy];
}

/** `import('x').T` in types, `require('x')` and `import.meta.glob('x')`, which the module record does not contain. */
function readHiddenImports({ program }: ParseResult, lineOf: LineOf): ModuleImport[] {
  const found: ModuleImport[] = [];
  new Visitor({
    TSImportType: (node) => {
      found.push({ specifier: node.source.value, line: lineOf(node), isType: true, isLazy: false });
    },
    CallExpression: (node) => {
      const isRequire = node.callee.type === 'Identifier' && node.callee.name === 'require';
      if (!isRequire && !isGlob(node.callee)) return;
      const [argument, options] = node.arguments;
      const specifier =
        argument?.type === 'Literal' && typeof argument.value === 'string' ? argument.value : null;
      const isLazy = isRequire || !isEager(options);
      found.push({ specifier, line: lineOf(node), isType: false, isLazy });
    },
    TSExternalModuleReference: (node) => {
      const { value } = node.expression;
      found.push({ specifier: value, line: lineOf(node), isType: false, isLazy: false });
    },
  }).visit(program);
  return found;
}

/** `import.meta.glob`. */
function isGlob(callee: CallExpression['callee']): boolean {
  if (callee.type !== 'MemberExpression' || callee.object.type !== 'MetaProperty') return false;
  return callee.property.type === 'Identifier' && callee.property.name === 'glob';
}

function isEager(options: CallExpression['arguments'][number] | undefined): boolean {
  if (options?.type !== 'ObjectExpression') return false;
  return options.properties.some(
    (property) =>
      property.type === 'Property' &&
      property.key.type === 'Identifier' &&
      property.key.name === 'eager' &&
      property.value.type === 'Literal' &&
      property.value.value === true,
  );
}

/** The files that the resolved path of an import stands for: several where it has a `*`. */
export function filesOf(target: string, files: Iterable<string>): string[] {
  if (!target.includes('*')) return [target];
  const pattern = target.split('*').map((part) => part.replaceAll('.', '\\.'));
  const matches = new RegExp(`^${pattern.join('[^/]+')}$`);
  return [...files].filter((file) => matches.test(file));
}

function readExports(
  { module }: ParseResult,
  lineOf: LineOf,
): Pick<ModuleFacts, 'starExports' | 'defaultExports'> {
  const linesWhere = (
    matches: (entry: (typeof module.staticExports)[number]['entries'][number]) => boolean,
  ): number[] =>
    module.staticExports
      .filter(({ entries }) => entries.some(matches))
      .map((statement) => lineOf(statement));
  return {
    starExports: linesWhere(({ importName }) => ['All', 'AllButDefault'].includes(importName.kind)),
    defaultExports: linesWhere(
      ({ exportName: { kind, name } }) => kind === 'Default' || name === 'default',
    ),
  };
}

function readMembers({ program }: ParseResult, lineOf: LineOf): ModuleFacts['members'] {
  const members: Array<{ name: string; line: number }> = [];
  new Visitor({
    MemberExpression: (node) => {
      const { property } = node;
      if (property.type === 'Identifier' && !node.computed) {
        members.push({ name: property.name, line: lineOf(property) });
      } else if (property.type === 'Literal' && typeof property.value === 'string') {
        members.push({ name: property.value, line: lineOf(property) });
      }
    },
    ObjectPattern: (node) => {
      for (const property of node.properties) {
        if (property.type === 'Property' && property.key.type === 'Identifier') {
          members.push({ name: property.key.name, line: lineOf(property) });
        }
      }
    },
  }).visit(program);
  return members;
}

function literalOf(expression: string): string | null {
  const match = /^\s*(['"`])([^'"`$\\]+)\1\s*$/.exec(expression);
  return match?.[2] ?? null;
}
