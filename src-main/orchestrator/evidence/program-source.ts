import type { MadeCall } from '../../agents/types.ts';
import { parseOutsideJson } from '../../base/outside-json.ts';

/** Tools that run programs; the exit code sets their status. */
export const COMMAND_TOOLS: ReadonlySet<string> = new Set([
  'execute_code',
  'shell_command',
  'execute_script',
]);

export function isCommand({ name }: Pick<MadeCall, 'name'>): boolean {
  return COMMAND_TOOLS.has(name);
}

/** The source of the program that a call ran; empty for other calls. */
export function sourceOf(call: Pick<MadeCall, 'name' | 'arguments'>): string {
  if (!isCommand(call)) return '';
  const { code, command, script } = call.arguments;
  return [code, command, script].find((one): one is string => typeof one === 'string') ?? '';
}

/** Whether the program is one of a shell. */
export function isShell({ name, arguments: { language } }: Pick<MadeCall, 'name' | 'arguments'>) {
  return name === 'shell_command' || (name === 'execute_code' && language === 'bash');
}

/** What a program printed: without its exit code and the files that it changed. */
export function printedBy(call: Pick<MadeCall, 'name' | 'content'>): string {
  if (!isCommand(call)) return call.content;
  if (call.name === 'execute_script') {
    const given = parsed(call.content);
    if (given !== null) return [given.stdout, given.stderr].filter(isText).join('\n');
  }
  return call.content
    .replace(/^(?:exit code -?\d+|Killed: .*)\n?/, '')
    .replace(/(?:^|\n)files changed(?: by [^\n]*)?:\n(?:- .*(?:\n|$))+[\s\S]*$/, '');
}

export interface NamedChange {
  readonly operation: 'create' | 'modify' | 'delete';
  readonly path: string;
}

/** The files that a call changed, as its result names them. */
export function changesOf({ name, arguments: given, content, status }: MadeCall): NamedChange[] {
  if (name === 'sandbox_file' && status === 'ok') {
    const path = tidyPath(given.path);
    const to = tidyPath(given.destination);
    switch (given.operation) {
      case 'write':
        return [{ operation: content.endsWith(', a new file.') ? 'create' : 'modify', path }];
      case 'delete':
        return [{ operation: 'delete', path }];
      case 'move':
        return [
          { operation: 'delete', path },
          { operation: 'create', path: to },
        ];
      default:
        return [];
    }
  }
  if (!COMMAND_TOOLS.has(name)) return [];
  return [...content.matchAll(CHANGE)].map(([, path = '', how = '']) => ({
    path,
    operation: how === 'deleted' ? 'delete' : how.startsWith('create') ? 'create' : 'modify',
  }));
}

const CHANGE = /^- (.+) \((deleted|create, \d+ bytes|modify, \d+ bytes)\)$/gm;

/** Relative to the workspace. */
export function tidyPath(path: unknown): string {
  return typeof path === 'string' ? path.replace(/^\/workspace\//, '').replace(/^\.\//, '') : '';
}

function parsed(text: string): { readonly stdout?: unknown; readonly stderr?: unknown } | null {
  try {
    const value = parseOutsideJson(text);
    return typeof value === 'object' && value !== null ? value : null;
  } catch {
    // A shortened result is no JSON: it is read as it is.
    return null;
  }
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}
