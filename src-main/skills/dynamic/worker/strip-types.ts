import type { SkillFinding, SkillLanguage } from '#contract/skills.ts';
import { finding } from '../finding.ts';

export type Stripped =
  | { readonly ok: true; readonly javascript: string }
  | { readonly ok: false; readonly finding: SkillFinding };

/**
 * Turns TypeScript into JavaScript: types become spaces, so that lines and columns stay. Uses amaro, as Node
 * itself does; Node's own `module.stripTypeScriptTypes` is experimental, warns, and is missing where Node
 * was built without it, as Electron's may be. Types are not checked.
 */
export async function stripTypes(language: SkillLanguage, source: string): Promise<Stripped> {
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
