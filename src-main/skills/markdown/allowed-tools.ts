import type { SkillFinding } from '#contract/skills.ts';
import { TOOL_NAMES } from '#contract/tool-names.ts';
import { finding } from './finding.ts';
import { SKILL_FILE } from './limits.ts';

/** Names of the open format, and what does their work here. */
const OURS: Readonly<Record<string, readonly string[]>> = {
  Bash: ['shell_command', 'execute_code'],
  Read: ['sandbox_file'],
  Write: ['sandbox_file'],
  Edit: ['sandbox_file'],
  MultiEdit: ['sandbox_file'],
  Glob: ['sandbox_file'],
  Grep: ['sandbox_file'],
  LS: ['sandbox_file'],
  WebSearch: ['web_search'],
  WebFetch: ['fetch_page'],
  Skill: ['load_skill'],
  AskUserQuestion: ['ask_user'],
};

/** What a model may always call: to follow a skill, and to reach the person. */
export const ALWAYS_ALLOWED: ReadonlySet<string> = new Set([
  ...['load_skill', 'read_file', 'complete_skill_step', 'list_skills'],
  ...['ask_user', 'request_human_approval'],
]);

/** Parted by spaces or commas, but not within brackets: `Read Bash(git add *)` are two. */
export function splitToolNames(text: string): string[] {
  return text.match(/[^\s,(]+(?:\([^)]*\))?/g) ?? [];
}

export interface AllowedTools {
  /** Tools of this app; null where nothing is narrowed. */
  readonly tools: readonly string[] | null;
  readonly findings: readonly SkillFinding[];
}

/** The tools of this app that names of an `allowed-tools` stand for; unknown ones are errors. */
export function mapAllowedTools(names: readonly string[] | null): AllowedTools {
  if (names === null) return { tools: null, findings: [] };
  const known: ReadonlySet<string> = new Set(TOOL_NAMES);
  const findings: SkillFinding[] = [];
  const tools = new Set<string>();
  for (const given of names) {
    const [name = given, pattern] = given.split(/\((.*)\)$/);
    const ours = known.has(name) ? [name] : Object.hasOwn(OURS, name) ? OURS[name] : undefined;
    for (const tool of ours ?? []) tools.add(tool);
    if (ours === undefined) {
      const message = `allowed-tools names ${JSON.stringify(given.slice(0, 80))}, which this app does not have.`;
      findings.push(finding('error', 'tool_unknown', { file: SKILL_FILE, message }));
    } else if (pattern !== undefined) {
      const message = `${given.slice(0, 80)}: what stands in brackets is not held; each call is asked about by its own risk.`;
      findings.push(finding('note', 'tool_pattern', { file: SKILL_FILE, message }));
    }
  }
  return { tools: [...tools], findings };
}
