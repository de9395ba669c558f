import { type Node, parse } from 'acorn';
import type { SkillFinding, SkillLanguage } from '#contract/skills.ts';
import { finding } from '../finding.ts';
import type { Inspection } from '../worker-messages.ts';
import { SKILL_EXPORT, SKILL_MODULE } from './guest-prelude.ts';

export interface Syntax {
  readonly findings: readonly SkillFinding[];
  readonly uses: Inspection['uses'];
}

/** A node as the parser gives it; which fields it has follows from `type`. */
interface Tree extends Node {
  readonly [field: string]: unknown;
}

/** The syntax of a module: whether it parses, what it imports, and which members of the app it names. */
export function readSyntax(language: SkillLanguage, javascript: string): Syntax {
  let program: Tree;
  try {
    const options = { ecmaVersion: 2026, sourceType: 'module', locations: true } as const;
    program = parse(javascript, options) as unknown as Tree;
  } catch (error) {
    return { findings: [unparsed(language, error)], uses: [] };
  }
  const findings: SkillFinding[] = [];
  const uses = new Map<string, number>();
  const app = appParameter(program);
  for (const name of app.members) uses.set(name.name, name.line);
  for (const node of nodesOf(program)) {
    const specifier = importedBy(node);
    if (specifier !== null && specifier !== SKILL_MODULE) {
      const named = specifier === undefined ? 'A computed name' : JSON.stringify(specifier);
      const message = `${named} cannot be imported: a skill can only import '${SKILL_MODULE}'.`;
      findings.push(finding(language, 'import_refused', { message, ...placeOf(node) }));
    } else if (node.type === 'ImportExpression') {
      const message = 'import() is not supported: write an import at the top.';
      findings.push(finding(language, 'import_refused', { message, ...placeOf(node) }));
    }
    findings.push(...unknownNames(language, node));
    const member = memberOf(node, app.name);
    if (member !== null && !uses.has(member)) uses.set(member, placeOf(node).line);
  }
  return { findings, uses: [...uses].map(([name, line]) => ({ name, line })) };
}

function unparsed(language: SkillLanguage, error: unknown): SkillFinding {
  if (!(error instanceof SyntaxError)) {
    const message = 'It is nested too deeply to be read.';
    return finding(language, 'does_not_parse', { message });
  }
  const { loc } = error as { readonly loc?: { readonly line: number; readonly column: number } };
  const text = error.message.replace(/ \(\d+:\d+\)$/, '');
  const message =
    text === "Unexpected character '@'" ? 'Decorators are not supported.' : `${text}.`;
  return finding(
    language,
    'does_not_parse',
    loc === undefined ? { message } : { message, line: loc.line, column: loc.column + 1 },
  );
}

/** Findings for imported names that the module does not export. */
function unknownNames(language: SkillLanguage, node: Tree): SkillFinding[] {
  if (node.type !== 'ImportDeclaration' || importedBy(node) !== SKILL_MODULE) return [];
  return (node.specifiers as readonly Tree[]).flatMap((specifier) => {
    const imported = specifier.imported as Tree | undefined;
    const name = String(imported?.name ?? imported?.value ?? 'default');
    if (specifier.type === 'ImportNamespaceSpecifier' || name === SKILL_EXPORT) return [];
    const hint = language === 'typescript' ? ` A type is imported as "type ${name}".` : '';
    const message = `${SKILL_MODULE} has no ${name}, only ${SKILL_EXPORT}.${hint}`;
    return [finding(language, 'import_refused', { message, ...placeOf(specifier) })];
  });
}

/** The specifier that a node imports: null for none, undefined for a computed one. */
function importedBy(node: Tree): string | null | undefined {
  const isImport =
    node.type === 'ImportDeclaration' ||
    node.type === 'ImportExpression' ||
    node.type === 'ExportNamedDeclaration' ||
    node.type === 'ExportAllDeclaration';
  if (!isImport || node.source === null || node.source === undefined) return null;
  const { value } = node.source as Tree;
  return typeof value === 'string' ? value : undefined;
}

/** The second parameter of `run`: its name, or the members that it destructures. */
function appParameter(program: Tree): {
  readonly name: string | null;
  readonly members: readonly { readonly name: string; readonly line: number }[];
} {
  const nothing = { name: null, members: [] };
  for (const node of nodesOf(program)) {
    if (node.type !== 'Property' || keyOf(node) !== 'run') continue;
    const { params } = node.value as { readonly params?: readonly Tree[] };
    const second = params?.[1];
    if (second?.type === 'Identifier') return { name: String(second.name), members: [] };
    if (second?.type !== 'ObjectPattern') return nothing;
    const members = (second.properties as readonly Tree[]).flatMap((property) => {
      const name = property.type === 'Property' ? keyOf(property) : null;
      return name === null ? [] : [{ name, line: placeOf(property).line }];
    });
    return { name: null, members };
  }
  return nothing;
}

function memberOf(node: Tree, app: string | null): string | null {
  if (app === null || node.type !== 'MemberExpression') return null;
  const object = node.object as Tree;
  if (object.type !== 'Identifier' || object.name !== app) return null;
  const property = node.property as Tree;
  if (node.computed !== true) return String(property.name);
  return typeof property.value === 'string' ? property.value : null;
}

function keyOf({ key }: Tree): string | null {
  const { type, name, value } = key as Tree;
  return type === 'Identifier' ? String(name) : typeof value === 'string' ? value : null;
}

function placeOf({ loc }: Tree): { readonly line: number; readonly column: number } {
  return { line: loc?.start.line ?? 1, column: (loc?.start.column ?? 0) + 1 };
}

/** Every node, outermost first; iterative, because deep code would overflow the stack. */
function* nodesOf(root: Tree): Generator<Tree> {
  const waiting: Tree[] = [root];
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    yield node;
    const inner = Object.values(node).flatMap((value) => (Array.isArray(value) ? value : [value]));
    waiting.push(...inner.filter(isTree).reverse());
  }
}

function isTree(value: unknown): value is Tree {
  return typeof value === 'object' && value !== null && 'type' in value && 'start' in value;
}
