import { createRequire } from 'node:module';
import type { Node, ParseError } from 'jsonc-parser';
import type { z } from 'zod';
import { AppError } from '#contract/errors.ts';
import { PolicyDocument, type PolicyProblem } from '#contract/policy.ts';
import { safeParse } from '#contract/safe-parse.ts';
import { Settings } from '#contract/settings.ts';
import { once } from '../base/once.ts';
import { DEEPEST_JSON } from '../base/outside-json.ts';
import { parseHostPattern } from '../egress/host-pattern.ts';
import { problemOfDataFolder } from './data-folder.ts';
import type { ParsedPolicy } from './types.ts';

/** Problems that are listed; a file that has more is some other file. */
const SHOWN_PROBLEMS = 20;
const SHOWN_CHARS = 200;

/** Loaded once there is a policy to read: each start of the app looks for one, and few have any. */
const jsonc = once((): typeof import('jsonc-parser') => {
  const require = createRequire(import.meta.url);
  return require('jsonc-parser');
});

type Path = readonly (string | number)[];

/**
 * A policy from its text: JSON, in which comments and trailing commas are allowed. Never throws; what is wrong is listed
 * with its line.
 */
export function parsePolicy(text: string): ParsedPolicy {
  const given = text.replace(/^\uFEFF/, '');
  const lineAt = linesOf(given);
  const tooDeep = whereTooDeep(given);
  if (tooDeep !== null) return wrong([{ line: lineAt(tooDeep), text: 'It is nested too deeply.' }]);
  const errors: ParseError[] = [];
  const tree = jsonc().parseTree(given, errors, { allowTrailingComma: true });
  const [first] = errors;
  if (tree === undefined || first !== undefined) {
    const offset = first?.offset ?? 0;
    const what =
      first === undefined ? 'it is empty' : spaced(jsonc().printParseErrorCode(first.error));
    return wrong([{ line: lineAt(offset), text: `It is not JSON: ${what}.` }]);
  }
  const lineOf = (path: Path): number | null => lineAt(nearestNode(tree, path).offset);
  const repeated = impossibleNames(tree)
    .slice(0, SHOWN_PROBLEMS)
    .map(({ text: what, offset }) => ({
      line: lineAt(offset),
      text: what,
    }));
  if (repeated.length > 0) return wrong(repeated);
  const problems: PolicyProblem[] = [];
  const note: Note = (path, what) => {
    if (problems.length === SHOWN_PROBLEMS) return;
    const name = path.length === 0 ? 'The policy' : nameOf(path);
    problems.push({ line: lineOf(path), text: `${name}: ${what}` });
  };
  const parsed = safeParse(PolicyDocument, jsonc().getNodeValue(tree));
  if (!parsed.success) {
    for (const issue of parsed.error.issues) noteIssue(issue, note);
    return wrong(problems);
  }
  const document = parsed.data;
  const locked = checkSettings('settings', document.settings, note);
  const defaults = checkSettings('defaults', document.defaults, note);
  for (const name of Object.keys(defaults)) {
    if (Object.hasOwn(locked, name)) note(['defaults', name], 'it is among "settings" already.');
  }
  checkHosts(document, note);
  const { sandbox } = locked;
  if (
    sandbox !== undefined &&
    sandbox !== 'auto' &&
    document.sandboxes?.includes(sandbox) === false
  ) {
    note(['settings', 'sandbox'], 'it is not among "sandboxes".');
  }
  if (document.dataFolder !== undefined) {
    const problem = problemOfDataFolder(document.dataFolder);
    if (problem !== null) note(['dataFolder'], problem);
  }
  if (problems.length > 0) return wrong(problems);
  return { ok: true, policy: { document, locked: withSwitch(locked), defaults } };
}

/** The network switch of the title bar leads back to what holds. */
function withSwitch(locked: Partial<Settings>): Partial<Settings> {
  const { egress } = locked;
  return egress === undefined || egress === 'offline'
    ? locked
    : { ...locked, egressWhenOn: egress };
}

type Note = (path: Path, what: string) => void;

function checkSettings(
  part: 'settings' | 'defaults',
  given: Readonly<Record<string, unknown>>,
  note: Note,
): Partial<Settings> {
  const valid: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(given)) {
    if (!isSettingName(name)) {
      note([part, name], 'there is no such setting.');
      continue;
    }
    const result = safeParse(Settings.shape[name] as z.ZodType, value);
    if (result.success) valid[name] = result.data;
    for (const issue of result.success ? [] : result.error.issues) {
      noteIssue({ ...issue, path: [part, name, ...issue.path] }, note);
    }
  }
  return valid as Partial<Settings>;
}

function isSettingName(name: string): name is keyof typeof Settings.shape {
  return Object.hasOwn(Settings.shape, name);
}

/** The form was checked already; what remains are ports and addresses that do not exist. */
function checkHosts({ hosts, modelHosts = [] }: PolicyDocument, note: Note): void {
  const lists: readonly (readonly [Path, readonly string[]])[] = [
    [['hosts', 'allow'], hosts?.allow ?? []],
    [['hosts', 'deny'], hosts?.deny ?? []],
    [['modelHosts'], modelHosts],
  ];
  for (const [path, patterns] of lists) {
    for (const [index, pattern] of patterns.entries()) {
      try {
        parseHostPattern(pattern);
      } catch (error) {
        if (!(error instanceof AppError)) throw error;
        note([...path, index], error.message);
      }
    }
  }
}

/** A problem for each unknown name, at its own line; else one at the place of the value. */
function noteIssue(issue: z.core.$ZodIssue, note: Note): void {
  const path = pathOf(issue);
  if (issue.code === 'unrecognized_keys') {
    for (const key of issue.keys) note([...path, key], 'this version does not know it.');
  } else note(path, short(issue.message));
}

function pathOf({ path }: z.core.$ZodIssue): (string | number)[] {
  return path.map((part) => (typeof part === 'symbol' ? String(part) : part));
}

/** `hosts.allow[2]` */
function nameOf(path: Path): string {
  const parts = path.map((part) => (typeof part === 'number' ? `[${part}]` : `.${short(part)}`));
  return parts.join('').replace(/^\./, '');
}

function nearestNode(tree: Node, path: Path): Node {
  for (let length = path.length; length > 0; length -= 1) {
    const found = jsonc().findNodeAtLocation(tree, path.slice(0, length));
    // The name of a property stands in the line that a reader looks for; its value may begin in another.
    if (found !== undefined) return found.parent?.type === 'property' ? found.parent : found;
  }
  return tree;
}

/**
 * Names that JSON would lose: of one that occurs twice it keeps the last, though what stands first looks as if it held;
 * and `__proto__` names no property.
 */
function impossibleNames(node: Node): { readonly text: string; readonly offset: number }[] {
  const found: { readonly text: string; readonly offset: number }[] = [];
  const visit = ({ type, children = [] }: Node): void => {
    const seen = new Set<string>();
    for (const child of children) {
      if (type === 'object') {
        const name = String(child.children?.[0]?.value);
        const { offset } = child;
        if (name === '__proto__') found.push({ text: `"${name}" is not a name.`, offset });
        else if (seen.has(name)) found.push({ text: `"${short(name)}" occurs twice.`, offset });
        seen.add(name);
      }
      visit(child);
    }
  };
  visit(node);
  return found;
}

/** Where the text nests deeper than is safe for what parses it; null where it does not. */
function whereTooDeep(text: string): number | null {
  const scanner = jsonc().createScanner(text, true);
  let depth = 0;
  while (scanner.getPosition() < text.length) {
    scanner.scan();
    const at = scanner.getTokenOffset();
    const first = text.charAt(at);
    if (first === '{' || first === '[') depth += 1;
    if (first === '}' || first === ']') depth -= 1;
    if (depth > DEEPEST_JSON) return at;
  }
  return null;
}

function linesOf(text: string): (offset: number) => number {
  return (offset) => text.slice(0, offset).split(/\r\n|\r|\n/).length;
}

function wrong(problems: readonly PolicyProblem[]): ParsedPolicy {
  return { ok: false, problems: problems.slice(0, SHOWN_PROBLEMS) };
}

/** `CloseBraceExpected` as words. */
function spaced(code: string): string {
  return code.replaceAll(/([a-z])([A-Z])/g, '$1 $2').toLowerCase();
}

/** What stands in the file may be of any length. */
function short(text: string): string {
  return text.length > SHOWN_CHARS ? `${text.slice(0, SHOWN_CHARS)}…` : text;
}
