import type { SkillFinding } from '#contract/skills.ts';

/** A finding about a place, or about the skill as a whole where none is given. */
export function finding(
  severity: SkillFinding['severity'],
  rule: string,
  {
    file = null,
    line = null,
    message,
  }: { readonly file?: string | null; readonly line?: number | null; readonly message: string },
): SkillFinding {
  return { severity, rule, file, line, message };
}
