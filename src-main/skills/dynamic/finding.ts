import type { SkillFinding, SkillLanguage } from '#contract/skills.ts';
import { findHiddenText } from '../hidden-text.ts';

/** What a source is called where findings and reviews name it. */
export function fileNameOf(language: SkillLanguage): string {
  return language === 'typescript' ? 'skill.ts' : 'skill.js';
}

/** Something about a source: an error unless it says otherwise. */
export function finding(
  language: SkillLanguage,
  rule: string,
  about: {
    readonly message: string;
    readonly line?: number | null;
    /** Counted from 1. */
    readonly column?: number;
    readonly severity?: SkillFinding['severity'];
  },
): SkillFinding {
  const { message, line = null, column, severity = 'error' } = about;
  const place = line === null || column === undefined ? '' : `Line ${line}, column ${column}: `;
  return { severity, rule, file: fileNameOf(language), line, message: `${place}${message}` };
}

/** Characters that make a source read otherwise than it runs. It shows them; the person decides. */
export function hiddenIn(language: SkillLanguage, source: string): SkillFinding[] {
  return findHiddenText(source, fileNameOf(language), 'warning');
}
