import type { MadeCall } from '../../agents/types.ts';
import { parseOutsideJson } from '../../base/outside-json.ts';

/** Tools that run programs; the exit code sets their status. */
export const COMMAND_TOOLS: ReadonlySet<string> = new Set([
  'execute_code',
  'shell_command',
  'execute_script',
  'app_run_command',
  'app_install_packages',
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
  const isLine = name === 'shell_command' || name === 'app_run_command';
  return isLine || (name === 'execute_code' && language === 'bash');
}

/** What a call does with one file: the arguments of `sandbox_file`, also for the tool that writes files of apps. */
export function fileCallOf({
  name,
  arguments: given,
}: Pick<MadeCall, 'name' | 'arguments'>): Readonly<Record<string, unknown>> | null {
  if (name === 'app_write_file') return { ...given, operation: 'write' };
  return name === 'sandbox_file' ? given : null;
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
export function changesOf(call: MadeCall): NamedChange[] {
  const { name, content, status } = call;
  const given = status === 'ok' ? fileCallOf(call) : null;
  if (given !== null) {
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
  if (name === 'create_app_project' && status === 'ok') {
    const [, paths = ''] = /^Created (.+?)\. Write /.exec(content) ?? [];
    return paths.split(', ').map((path) => ({ operation: 'create', path }));
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
