import { posix } from 'node:path';
import { matchesGlob } from '../../base/path-glob.ts';
import { commandWords } from './command-words.ts';

/** The parts of a call that a grant checks. */
export interface GatedCall {
  readonly name: string;
  readonly input: Readonly<Record<string, unknown>>;
  /** Whether it only reads. */
  readonly isRead?: boolean;
}

/** What one entry of `allowed-tools` lets a model call; the whole tool unless a field restricts it. */
export interface ToolGrant {
  readonly tool: string;
  /** Of `sandbox_file`. */
  readonly operations?: readonly string[];
  /** Of `shell_command`: one plain command with exactly these words, or beginning with them. */
  readonly command?: { readonly words: readonly string[]; readonly mayGoOn: boolean };
  /** Of `fetch_page`: this host, or with `*.` in front its subdomains. */
  readonly host?: string;
  /** Of `sandbox_file`: globs relative to the workspace; each path must match one. */
  readonly paths?: readonly string[];
}

/** Whether one of the grants covers a call. Ambiguous input is not covered. */
export function isGranted(grants: readonly ToolGrant[], call: GatedCall): boolean {
  return grants.some((grant) => grant.tool === call.name && covers(grant, call.input));
}

function covers(
  { operations, command, host, paths }: ToolGrant,
  input: GatedCall['input'],
): boolean {
  if (operations !== undefined && !operations.includes(String(input.operation))) return false;
  if (command !== undefined && !coversCommand(command, input.command)) return false;
  if (host !== undefined && !coversHost(host, input.url)) return false;
  if (paths === undefined) return true;
  const touched = [input.path, ...(input.destination === undefined ? [] : [input.destination])];
  return touched.every((file) => {
    const plain = posix.normalize(String(file).replace(/^\/workspace(?:\/+|$)/, ''));
    return paths.some((glob) => matchesGlob(glob, plain));
  });
}

function coversCommand(
  { words, mayGoOn }: NonNullable<ToolGrant['command']>,
  line: unknown,
): boolean {
  const given = typeof line === 'string' ? commandWords(line) : null;
  if (given === null || given.length < words.length) return false;
  return words.every((word, i) => given[i] === word) && (mayGoOn || given.length === words.length);
}

function coversHost(wanted: string, url: unknown): boolean {
  if (typeof url !== 'string' || !URL.canParse(url)) return false;
  const { protocol, hostname } = new URL(url);
  if (protocol !== 'https:' && protocol !== 'http:') return false;
  return wanted.startsWith('*.') ? hostname.endsWith(wanted.slice(1)) : hostname === wanted;
}

/** The grants in a line, for people and models: `shell_command(git:*), sandbox_file(read, list)`. */
export function describeGrants(grants: readonly ToolGrant[]): string[] {
  return [...new Set(grants.map(describe))];
}

function describe({ tool, operations, command, host, paths }: ToolGrant): string {
  const parts = [
    ...(operations === undefined ? [] : [operations.join(', ')]),
    ...(command === undefined
      ? []
      : [`${command.words.map(quote).join(' ')}${command.mayGoOn ? ':*' : ''}`]),
    ...(host === undefined ? [] : [`domain:${host}`]),
    ...(paths === undefined ? [] : [`in ${paths[0] ?? ''}`]),
  ];
  return parts.length === 0 ? tool : `${tool}(${parts.join(' ')})`;
}

function quote(word: string): string {
  return /[\s'"]/.test(word) ? `'${word}'` : word;
}
