import type { SkillLanguage } from '#contract/skills.ts';
import { finding } from '../finding.ts';
import { INSPECTION_LIMITS } from '../limits.ts';
import type { Inspection } from '../worker-messages.ts';
import { Guest } from './guest.ts';
import { readSyntax } from './read-syntax.ts';
import { stripTypes } from './strip-types.ts';

/** Inspects a source without running the skill: only its top level is evaluated, and it can make no calls. */
export async function inspectSource(
  engine: WebAssembly.Module,
  { language, source }: { readonly language: SkillLanguage; readonly source: string },
): Promise<Inspection> {
  const nothing = { javascript: null, metadata: null, uses: [], isFinal: true };
  const stripped = await stripTypes(language, source);
  if (!stripped.ok) return { ...nothing, findings: [stripped.finding] };
  const { javascript } = stripped;
  const { findings, uses } = readSyntax(language, javascript);
  if (findings.length > 0) return { ...nothing, uses, findings };
  const guest = await Guest.open({
    ...{ engine, limits: INSPECTION_LIMITS },
    // The same each time, so that the metadata is the same.
    start: { at: 0, seed: 0 },
    isStopped: () => false,
    onCall: () => undefined,
  });
  guest.describe(javascript);
  const { end } = guest;
  if (end?.ok === true) return { javascript, metadata: end.output, uses, findings, isFinal: true };
  const message =
    end === null || end.code === 'SKILL_CALL_LIMIT'
      ? 'The metadata cannot be read: the module never finishes loading.'
      : `The metadata cannot be read: ${end.message}`;
  const broken = finding(language, 'metadata_unreadable', { message, line: end?.line ?? null });
  const isFinal = end?.ok !== false || end.code !== 'SKILL_TIMED_OUT';
  return { ...nothing, uses, findings: [broken], isFinal };
}
