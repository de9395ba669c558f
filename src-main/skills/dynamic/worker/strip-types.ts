import type { SkillFinding, SkillLanguage } from '#contract/skills.ts';
import { finding } from '../finding.ts';

export type Stripped =
  | { readonly ok: true; readonly javascript: string }
  | { readonly ok: false; readonly finding: SkillFinding };

/**
 * TypeScript as JavaScript: types become spaces, so that lines and columns stay. By amaro, which Node itself
 * does this with; Node's own `module.stripTypeScriptTypes` is experimental, warns, and is missing where Node
 * was built without it, as Electron's may be. Nothing looks at what the types mean.
 */
export async function stripTypes(language: SkillLanguage, source: string): Promise<Stripped> {
  if (language === 'javascript') return { ok: true, javascript: source };
  const { transformSync } = (await import('amaro')).default;
  try {
    return { ok: true, javascript: transformSync(source, { mode: 'strip-only' }).code };
  } catch (error) {
    // What it says of a source is a plain object; an Error is its own end, and the thread's.
    if (error instanceof Error) throw error;
    const { message, startLine, startColumn } = error as Partial<Record<string, unknown>>;
    const place = { line: Number(startLine ?? 1), column: Number(startColumn ?? 0) + 1 };
    const text = typeof message === 'string' ? inPlainWords(message) : UNREADABLE;
    return { ok: false, finding: finding(language, 'does_not_parse', { message: text, ...place }) };
  }
}

const UNREADABLE = 'It cannot be read as TypeScript.';

/** `enum` and its like make code of types, which nothing here does. */
function inPlainWords(message: string): string {
  return message.replace(
    / is not supported in strip-only mode$/,
    ' is not there: types are taken off and nothing is made of them. Write it as plain JavaScript.',
  );
}
