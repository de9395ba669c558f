import type { SkillFinding } from '#contract/skills.ts';
import { TOOL_NAMES, toolFacts } from '#contract/tools.ts';
import { commandWords } from './command-words.ts';
import { finding } from './finding.ts';
import { SKILL_FILE } from './limits.ts';
import type { ToolGrant } from './tool-grant.ts';

const read: ToolGrant = { tool: 'sandbox_file', operations: ['read', 'list'] };
const list: ToolGrant = { tool: 'sandbox_file', operations: ['list'] };
const write: ToolGrant = { tool: 'sandbox_file', operations: ['write'] };
const edit: ToolGrant = { tool: 'sandbox_file', operations: ['read', 'write'] };
const programs: readonly ToolGrant[] = [{ tool: 'shell_command' }, { tool: 'execute_code' }];

/** Tool names of the open format and of other agents, and the tools of this app that do the same. */
const EQUIVALENTS: Readonly<Record<string, readonly ToolGrant[]>> = {
  Bash: programs,
  Shell: programs,
  shell: programs,
  run_shell_command: programs,
  Read: [read],
  NotebookRead: [read],
  Grep: [read],
  grep: [read],
  Glob: [list],
  glob: [list],
  LS: [list],
  list_directory: [list],
  Write: [write],
  write_file: [write],
  Edit: [edit],
  MultiEdit: [edit],
  NotebookEdit: [edit],
  replace: [edit],
  apply_patch: [edit],
  WebSearch: [{ tool: 'web_search' }],
  google_web_search: [{ tool: 'web_search' }],
  WebFetch: [{ tool: 'fetch_page' }],
  web_fetch: [{ tool: 'fetch_page' }],
  Skill: [{ tool: 'load_skill' }],
  AskUserQuestion: [{ tool: 'ask_user' }],
};

/** Tools that a model may always call: to follow a skill, and to reach the user. */
export const ALWAYS_ALLOWED: ReadonlySet<string> = new Set(
  TOOL_NAMES.filter((name) => toolFacts(name)?.alwaysAllowed === true),
);

/**
 * Names with the pattern in brackets right after them, separated by spaces or commas: `Read Bash(git add *)` are two.
 * Null where a bracket is unclosed or stands alone: a broken pattern must not allow the whole tool.
 */
export function splitToolNames(text: string): string[] | null {
  const names: string[] = [];
  const next = /[\s,]*([^\s,()]+(?:\([^()]*\))?)(?=[\s,]|$)/y;
  let end = text.length;
  while (/[\s,]/.test(text.charAt(end - 1))) end -= 1;
  while (next.lastIndex < end) {
    const name = next.exec(text)?.[1];
    if (name === undefined) return null;
    names.push(name);
  }
  return names;
}

export interface AllowedTools {
  /** Null where nothing is restricted. */
  readonly grants: readonly ToolGrant[] | null;
  readonly findings: readonly SkillFinding[];
}

/** Maps the names in `allowed-tools` to grants. A name that cannot be enforced allows nothing, and makes a finding. */
export function mapAllowedTools(names: readonly string[] | null): AllowedTools {
  if (names === null) return { grants: null, findings: [] };
  const findings: SkillFinding[] = [];
  const grants: ToolGrant[] = [];
  for (const given of names) {
    const [name = given, pattern] = given.split(/\((.*)\)$/s);
    const shown = JSON.stringify(given.slice(0, 80));
    const unrestricted = wholeGrants(name);
    if (unrestricted === null) {
      const message = `allowed-tools names ${shown}, which this app does not have: it allows nothing.`;
      findings.push(finding('warning', 'tool_unknown', { file: SKILL_FILE, message }));
      continue;
    }
    const restricted =
      pattern === undefined
        ? unrestricted
        : unrestricted.flatMap((grant) => restrict(grant, pattern) ?? []);
    grants.push(...restricted);
    if (restricted.length > 0) continue;
    const message = `allowed-tools names ${shown}: this app cannot enforce what is in brackets, so it allows nothing.`;
    findings.push(finding('warning', 'tool_pattern', { file: SKILL_FILE, message }));
  }
  return { grants, findings };
}

/** The tools of these grants, each once. */
export function toolsOf(grants: readonly ToolGrant[]): string[] {
  return [...new Set(grants.map(({ tool }) => tool))];
}

function wholeGrants(name: string): readonly ToolGrant[] | null {
  if ((TOOL_NAMES as readonly string[]).includes(name)) return [{ tool: name }];
  return Object.hasOwn(EQUIVALENTS, name) ? (EQUIVALENTS[name] ?? null) : null;
}

/** Longer than any sensible command or path; reading a pattern takes the square of its length. */
const PATTERN_CHARS = 1_000;

/** The grant restricted to a pattern; null where that cannot be checked call by call. */
function restrict(grant: ToolGrant, pattern: string): ToolGrant | null {
  if (pattern.length > PATTERN_CHARS) return null;
  switch (grant.tool) {
    case 'shell_command':
      return restrictCommand(grant, pattern.trim());
    case 'fetch_page': {
      const host = /^domain:((?:\*\.)?[a-z0-9-]+(?:\.[a-z0-9-]+)*)$/i.exec(pattern.trim())?.[1];
      return host === undefined ? null : { ...grant, host: host.toLowerCase() };
    }
    case 'sandbox_file': {
      const paths = globsOf(pattern.trim());
      return paths === null ? null : { ...grant, paths };
    }
    // A program in another language does not show the commands that it runs.
    default:
      return null;
  }
}

/** `git add:*` and `git add *` cover commands with this beginning, `npm test` covers that command alone. */
function restrictCommand(grant: ToolGrant, pattern: string): ToolGrant | null {
  if (pattern === '*' || pattern === ':*') return grant;
  const prefix = /^(.*?)(?::\*|\s+\*)$/s.exec(pattern)?.[1];
  const words = commandWords(prefix ?? pattern);
  // A star anywhere else would need matching against a parsed line.
  if (words === null || words.some((word) => /[*?[\]{}]/.test(word))) return null;
  return { ...grant, command: { words, mayGoOn: prefix !== undefined } };
}

/** Globs, relative to the workspace, for a path of the open format; a bare name matches at any depth, a folder all below it. */
function globsOf(pattern: string): readonly string[] | null {
  if (pattern === '' || /^(?:\/\/|~|!)|\.\.|[[\]{}\\]/.test(pattern)) return null;
  const plain = pattern.replace(/^(?:\/workspace\/|\.?\/)/, '').replace(/\/+$/, '');
  if (plain === '') return ['**'];
  const glob = pattern.replace(/\/+$/, '').includes('/') ? plain : `**/${plain}`;
  return [glob, `${glob}/**`, ...(glob.endsWith('/**') ? [glob.slice(0, -3)] : [])];
}
