import type { SkillFinding, SkillLanguage } from '#contract/skills.ts';
import { finding } from '../finding.ts';
import { INSPECTION_LIMITS } from '../limits.ts';
import type { Inspection } from '../worker-messages.ts';
import { Guest } from './guest.ts';
import { readSyntax } from './read-syntax.ts';

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
    engine,
    limits: INSPECTION_LIMITS,
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

type Stripped =
  | { readonly ok: true; readonly javascript: string }
  | { readonly ok: false; readonly finding: SkillFinding };

/**
 * Turns TypeScript into JavaScript: types become spaces, so that lines and columns stay. Uses amaro, as Node
 * itself does; Node's own `module.stripTypeScriptTypes` is experimental, warns, and is missing where Node
 * was built without it, as Electron's may be. Types are not checked.
 */
async function stripTypes(language: SkillLanguage, source: string): Promise<Stripped> {
  if (language === 'javascript') return { ok: true, javascript: source };
  const { transformSync } = (await import('amaro')).default;
  try {
    return { ok: true, javascript: transformSync(source, { mode: 'strip-only' }).code };
  } catch (error) {
    // Problems of a source are plain objects; an Error means that amaro itself failed, which ends the thread.
    if (error instanceof Error) throw error;
    const { message, startLine, startColumn } = error as Partial<Record<string, unknown>>;
    const place = { line: Number(startLine ?? 1), column: Number(startColumn ?? 0) + 1 };
    const text = typeof message === 'string' ? inPlainWords(message) : UNREADABLE;
    return { ok: false, finding: finding(language, 'does_not_parse', { message: text, ...place }) };
  }
}

const UNREADABLE = 'It cannot be read as TypeScript.';

/** `enum` and the like would generate code, which stripping does not. */
function inPlainWords(message: string): string {
  return message.replace(
    / is not supported in strip-only mode$/,
    ' is not supported: types are only removed, never turned into code. Write it as plain JavaScript.',
  );
}
