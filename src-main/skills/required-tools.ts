import { AppError } from '#contract/errors.ts';
import { parseConnectorTool, type SkillMetadata } from '#contract/skills.ts';
import { fullNameOf } from '../connectors/tool-definition.ts';

/** The name by which the pipeline knows a tool that a skill names: for `mcp:server/tool`, its full name. */
export function toolNameOf(named: string): string {
  const parsed = parseConnectorTool(named);
  return parsed === null ? named : fullNameOf(parsed.connector, parsed.tool);
}

/** Throws `SKILL_TOOL_MISSING` where a skill requires tools that are not available, with what to do about it. */
export function checkRequiredTools(
  { id, requiredTools }: Pick<SkillMetadata, 'id' | 'requiredTools'>,
  available: ReadonlySet<string>,
): void {
  const missing = requiredTools.filter((name) => !available.has(toolNameOf(name)));
  if (missing.length === 0) return;
  const what = `The skill ${id} needs tools that are not available: ${missing.join(', ')}.`;
  throw new AppError('SKILL_TOOL_MISSING', [what, ...remediesFor(missing)].join(' '), {
    details: { missing },
  });
}

/** What makes missing tools of connectors available, in a sentence for each connector. */
function remediesFor(missing: readonly string[]): string[] {
  const parsed = missing.flatMap((name) => parseConnectorTool(name) ?? []);
  return [...Map.groupBy(parsed, ({ connector }) => connector)].map(([connector, found]) => {
    const tools = `${found.length === 1 ? 'tool' : 'tools'} ${found.map(({ tool }) => tool).join(', ')}`;
    return `Add the connector ${connector} in Settings, Connectors, or switch it on; then approve its ${tools} there, or with "hyperagent mcp tools ${connector}".`;
  });
}
